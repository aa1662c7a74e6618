import {
  listenerTest,
  listeningCode,
  nodeCompiler,
  nodeIgnored,
  nodePackages,
  nodeScripts,
  type Stack,
} from "./shared.ts";

export const node: Stack = {
  title: "node:http",
  recognizedBy: [],
  adapter: "node",
  importExtension: ".ts",
  isModule: true,
  scripts: nodeScripts,
  dependencies: {},
  devDependencies: nodePackages,
  compiler: nodeCompiler,
  ignored: nodeIgnored,
  files: {
    "main.ts": `import { createServer as createHttpServer } from "node:http";
import { clientErrorListener, nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers/handlers.ts";

const server = createServer(handlers);
const port = Number(process.env["PORT"] ?? 3000);
const listening = createHttpServer(nodeListener(server))
  .on("clientError", clientErrorListener(server))
  .listen(port);
${listeningCode}`,
    "test/Greet.test.ts": listenerTest(".ts"),
  },
};
