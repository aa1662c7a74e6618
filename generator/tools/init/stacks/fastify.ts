import { listenerTest, nodeCompiler, nodeIgnored, nodePackages, nodeScripts, type Stack } from "./shared.ts";

export const fastify: Stack = {
  title: "Fastify",
  recognizedBy: ["fastify"],
  adapter: "fastify",
  importExtension: ".ts",
  isModule: true,
  scripts: nodeScripts,
  dependencies: { fastify: "^5.6.0" },
  devDependencies: nodePackages,
  compiler: nodeCompiler,
  ignored: nodeIgnored,
  files: {
    "main.ts": `import fastify from "fastify";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers/handlers.ts";

const app = fastify();
const server = createServer(handlers);
const listener = nodeListener(server);
app.register(async (api) => {
  // The generated server reads the body.
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("*", (_request, _payload, done) => done(null));
  api.all("/rpc/*", (request, reply) => {
    reply.hijack();
    listener(request.raw, reply.raw);
  });
});
const port = Number(process.env["PORT"] ?? 3000);
app.listen({ port }, (error) => {
  if (error === null) return console.log(\`http://localhost:\${port}\`);
  console.error(\`Cannot listen on port \${port}: \${error.message}\`);
  process.exitCode = 1;
});
process.once("SIGTERM", async () => {
  void app.close();
  await server.drain();
});
`,
    "test/Greet.test.ts": listenerTest(".ts"),
  },
};
