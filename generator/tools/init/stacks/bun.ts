import { compilerOptions, devScripts, memoryTest, nodeIgnored, type Stack, typescript } from "./shared.ts";

export const bun: Stack = {
  title: "Bun",
  recognizedBy: ["@types/bun", "bun-types"],
  adapter: "fetch",
  importExtension: ".ts",
  isModule: true,
  scripts: {
    ...devScripts,
    start: "bun main.ts",
    test: "ridlkit generate && bun test",
  },
  dependencies: {},
  devDependencies: { "@types/bun": "^1.3.0", ...typescript },
  compiler: compilerOptions(["bun"], ["*.ts", "handlers", "generated", "test"]),
  ignored: nodeIgnored,
  setupAction: "oven-sh/setup-bun@v2",
  files: {
    "main.ts": `import { fetchHandler } from "ridlkit-runtime/fetch";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers/handlers.ts";

const port = Number(Bun.env["PORT"] ?? 3000);
const { url } = Bun.serve({ port, fetch: fetchHandler(createServer(handlers)) });
console.log(url.origin);
`,
    "test/Greet.test.ts": memoryTest(".ts", 'import { test } from "bun:test";\n'),
  },
};
