/** The texts of a project that starts with one command. */

export const schemaText = `webrpc = v1
name = hello
version = v1
basepath = /rpc

# Greets whoever calls.
service Hello
  - Greet(name: string) => (greeting: string)
`;

export const configText = `{
  "schemas": [{ "name": "hello", "entry": "schema/hello.ridl", "out": "generated", "handlers": "handlers" }]
}
`;

/** As \`ridlkit scaffold\` writes them, with an answer. */
export const handlerText = `import type { HelloHandlers } from "../../generated/server.ts";

export const greet: HelloHandlers["Greet"] = async (_ctx, req) => {
  return { greeting: \`Hello, \${req.name}!\` };
};
`;

export const handlersText = `import type { Handlers } from "../generated/server.ts";
import { greet } from "./Hello/Greet.ts";

/** Hand it to \`createServer\`. */
export const handlers: Handlers = {
  Hello: {
    Greet: greet,
  },
};
`;

export const mainText = `import type { AddressInfo } from "node:net";
import Koa from "koa";
import { koaMiddleware } from "./generated/runtime/v1/koa.ts";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers/handlers.ts";

const server = createServer(handlers);
const app = new Koa().use(koaMiddleware(server));
const listening = app.listen(Number(process.env["PORT"] ?? 3000));
listening.once("listening", () => {
  const { port } = listening.address() as AddressInfo;
  console.log(\`http://127.0.0.1:\${port}\`);
});
process.once("SIGTERM", async () => {
  listening.close();
  await server.drain();
});
`;

export const testText = `import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import Koa from "koa";
import { Hello } from "../generated/client.ts";
import { koaMiddleware } from "../generated/runtime/v1/koa.ts";
import { createServer } from "../generated/server.ts";
import { handlers } from "../handlers/handlers.ts";

test("Greet greets its caller by name", async (t) => {
  const app = new Koa().use(koaMiddleware(createServer(handlers)));
  const listening = app.listen(0, "127.0.0.1");
  t.after(() => listening.close());
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const { greeting } = await new Hello(\`http://127.0.0.1:\${port}\`).greet({ name: "Ann" });
  assert.equal(greeting, "Hello, Ann!");
});
`;

export const compilerText = `{
  "compilerOptions": {
    "target": "es2022",
    "types": ["node"],
    "module": "nodenext",
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "skipLibCheck": true
  },
  "include": ["*.ts", "handlers", "generated", "test"]
}
`;

export const workflowText = `name: generated code is up to date
on: [push, pull_request]
jobs:
  ridlkit:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npm install
      - run: npx ridlkit lint --format github
      - run: npx ridlkit check
`;
