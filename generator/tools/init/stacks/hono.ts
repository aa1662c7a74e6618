import {
  listeningCode,
  memoryTest,
  nodeCompiler,
  nodeIgnored,
  nodePackages,
  nodeScripts,
  type Stack,
} from "./shared.ts";

export const hono: Stack = {
  title: "Hono",
  recognizedBy: ["hono"],
  adapter: "hono",
  importExtension: ".ts",
  isModule: true,
  scripts: nodeScripts,
  dependencies: { "@hono/node-server": "^2.0.0", hono: "^4.10.0" },
  devDependencies: nodePackages,
  compiler: nodeCompiler,
  ignored: nodeIgnored,
  files: {
    "main.ts": `import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { fetchHandler } from "ridlkit-runtime/fetch";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers/handlers.ts";

const server = createServer(handlers);
const api = fetchHandler(server);
const app = new Hono().all("/rpc/*", (c) => api(c.req.raw)).get("/", (c) => c.text("hello"));
const port = Number(process.env["PORT"] ?? 3000);
const listening = serve({ fetch: app.fetch, port });
${listeningCode}`,
    "test/Greet.test.ts": memoryTest(".ts"),
  },
};
