import { listeningCode, nodeCompiler, nodeIgnored, nodePackages, nodeScripts, type Stack } from "./shared.ts";

export const koa: Stack = {
  title: "Koa",
  recognizedBy: ["koa"],
  adapter: "koa",
  importExtension: ".ts",
  isModule: true,
  scripts: nodeScripts,
  dependencies: { koa: "^3.0.0" },
  devDependencies: { "@types/koa": "^3.0.0", ...nodePackages },
  compiler: nodeCompiler,
  ignored: nodeIgnored,
  files: {
    "main.ts": `import Koa from "koa";
import { koaMiddleware } from "ridlkit-runtime/koa";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers/handlers.ts";

const server = createServer(handlers);
const app = new Koa().use(koaMiddleware(server));
const port = Number(process.env["PORT"] ?? 3000);
const listening = app.listen(port);
${listeningCode}`,
    "test/Greet.test.ts": `import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import Koa from "koa";
import { koaMiddleware } from "ridlkit-runtime/koa";
import { Hello } from "../generated/client.ts";
import { createServer } from "../generated/server.ts";
import { handlers } from "../handlers/handlers.ts";

test("Greet greets its caller by name", async (t) => {
  const server = createServer(handlers, { checkResponses: true });
  const app = new Koa().use(koaMiddleware(server));
  const listening = app.listen(0, "127.0.0.1");
  t.after(() => listening.close());
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const { greeting } = await new Hello(\`http://127.0.0.1:\${port}\`).greet({ name: "Ann" });
  assert.equal(greeting, "Hello, Ann!");
});
`,
  },
};
