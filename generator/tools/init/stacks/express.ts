import {
  listenerTest,
  listeningCode,
  nodeCompiler,
  nodeIgnored,
  nodePackages,
  nodeScripts,
  type Stack,
} from "./shared.ts";

export const express: Stack = {
  title: "Express",
  recognizedBy: ["express"],
  adapter: "express",
  importExtension: ".ts",
  isModule: true,
  scripts: nodeScripts,
  dependencies: { express: "^5.1.0" },
  devDependencies: { "@types/express": "^5.0.0", ...nodePackages },
  compiler: nodeCompiler,
  ignored: nodeIgnored,
  files: {
    "main.ts": `import express from "express";
import { nodeListener } from "ridlkit-runtime/node";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers/handlers.ts";

const server = createServer(handlers);
const port = Number(process.env["PORT"] ?? 3000);
const listening = express()
  .use(nodeListener(server))
  .get("/", (_req, res) => void res.send("hello"))
  .listen(port);
${listeningCode}`,
    "test/Greet.test.ts": listenerTest(".ts"),
  },
};
