import { devScripts, listenerTest, nodeIgnored, nodePackages, type Stack } from "./shared.ts";

export const nest: Stack = {
  title: "NestJS",
  recognizedBy: ["@nestjs/core"],
  adapter: "express",
  importExtension: ".js",
  isModule: false,
  scripts: {
    ...devScripts,
    build: "ridlkit generate && tsc",
    start: "node dist/main.js",
    test: "ridlkit generate && tsx --test test/*.test.ts",
  },
  dependencies: {
    "@nestjs/common": "^11.1.0",
    "@nestjs/core": "^11.1.0",
    "@nestjs/platform-express": "^11.1.0",
    "reflect-metadata": "^0.2.2",
    rxjs: "^7.8.2",
  },
  devDependencies: nodePackages,
  // The options that Nest's CLI writes.
  compiler: {
    compilerOptions: {
      module: "nodenext",
      moduleResolution: "nodenext",
      resolvePackageJsonExports: true,
      esModuleInterop: true,
      isolatedModules: true,
      declaration: true,
      removeComments: true,
      emitDecoratorMetadata: true,
      experimentalDecorators: true,
      allowSyntheticDefaultImports: true,
      target: "ES2023",
      sourceMap: true,
      outDir: "./dist",
      rootDir: ".",
      types: ["node"],
      incremental: true,
      skipLibCheck: true,
      strictNullChecks: true,
      forceConsistentCasingInFileNames: true,
      noImplicitAny: false,
      strictBindCallApply: false,
      noFallthroughCasesInSwitch: false,
    },
    exclude: ["node_modules", "dist", "test"],
  },
  ignored: nodeIgnored,
  files: {
    "main.ts": `import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./generated/server.js";
import { handlers } from "./handlers/handlers.js";

@Module({})
class AppModule {}

async function bootstrap() {
  const app = await NestFactory.create(AppModule, { bodyParser: false, logger: ["error"] });
  const server = createServer(handlers);
  app.use(nodeListener(server));
  process.once("SIGTERM", () => {
    void app.close();
    void server.drain();
  });
  const port = Number(process.env["PORT"] ?? 3000);
  try {
    await app.listen(port);
    console.log(\`http://localhost:\${port}\`);
  } catch {
    // Nest has logged the error.
    process.exitCode = 1;
  }
}
void bootstrap();
`,
    "test/Greet.test.ts": listenerTest(".js"),
  },
};
