import { expect, test } from "vitest";
import { compile } from "../../../generator/language/compile.ts";
import { loadInMemory } from "../../../generator/verify/in-memory/load.ts";
import { memoryReader } from "../../support/memory-reader.ts";

const text = `webrpc = v1
name = t
version = v1
basepath = /rpc
error 1 Gone "gone" HTTP 410
error 2 Busy "busy" HTTP 503
service S
  - Get() errors Gone
  - Any()
  @noErrors
  - Ping()
`;

interface Context {
  readonly errors: Readonly<Record<string, () => Error>>;
}

test("ctx.errors has the listed errors, all errors, or none", async () => {
  const { result } = compile("api.ridl", memoryReader({ "api.ridl": text }));
  if (result === undefined) throw new Error("the schema has a fault");
  const live = await loadInMemory({ model: result.model, ir: result.ir });
  const seen: Record<string, readonly string[]> = {};
  const handler = (name: string) => (ctx: Context) => {
    seen[name] = Object.keys(ctx.errors);
  };
  const handlers = { S: { Get: handler("Get"), Any: handler("Any"), Ping: handler("Ping") } };
  let isBusy = false;
  const guard = ({ errors }: Context): Error | undefined => (isBusy ? errors["Busy"]?.() : undefined);
  const handle = live.fetchHandler(live.createServer(handlers, { guards: [guard] }));
  const call = async (method: string): Promise<number> => {
    const headers = { "content-type": "application/json" };
    const url = `http://localhost/rpc/S/${method}`;
    return (await handle(new Request(url, { method: "POST", headers, body: "{}" }))).status;
  };
  for (const name of ["Get", "Any", "Ping"]) expect(await call(name)).toBe(200);
  expect(seen).toEqual({ Get: ["Gone"], Any: ["Gone", "Busy"], Ping: [] });
  // Hooks may raise errors that no method lists, for every method.
  isBusy = true;
  expect(await call("Ping")).toBe(503);
});
