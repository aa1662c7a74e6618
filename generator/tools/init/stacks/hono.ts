import { memoryTest, nodeCompiler, nodeIgnored, nodePackages, nodeScripts } from "./shared.ts";
import type { Stack } from "./stack.ts";

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
import { fetchHandler } from "./generated/runtime/v1/fetch.ts";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers/handlers.ts";

const api = fetchHandler(createServer(handlers));
const app = new Hono().all("/rpc/*", (c) => api(c.req.raw)).get("/", (c) => c.text("hello"));
serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000) }, ({ port }) =>
  console.log(\`http://127.0.0.1:\${port}\`),
);
`,
    "test/Greet.test.ts": memoryTest(".ts"),
  },
};
