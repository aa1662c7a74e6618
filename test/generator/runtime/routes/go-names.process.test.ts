/** `+ go.tag.json` names fields in paths, queries and forms, as in webrpc. JSON and TypeScript keep the name of `+ json`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { folder, ridlkit } from "../../../support/program.ts";
import { loadVersions, transportTo } from "../../../support/versions.ts";

const schema = `webrpc = v1
name = names
version = v1.0.0
basepath = /rpc

struct FindRequest
  - id: uint64
    + json = item
    + go.tag.json = item_id,omitempty
  - tags: []string
    + go.tag.json = tag
  - org: string
    + json = -
    + go.tag.json = org_id

struct FindResponse
  - seen: string

struct Upload
  - picture: file
    + json = photo
    + go.tag.json = image

service Items
  - Find(FindRequest) => (FindResponse)
    GET /{org_id}/items
  - Put(Upload) => (FindResponse)
`;

const request = { item: 5, tags: ["a", "b"], org: undefined, org_id: "acme" };
const url = "/rpc/acme/items?item_id=5&tag=a&tag=b";

const handlers = {
  find: (_ctx: unknown, req: object) => ({ seen: JSON.stringify(req) }),
  put: (_ctx: unknown, req: { readonly image?: unknown }) => ({ seen: Object.keys(req).join() }),
};

test("generated code", async () => {
  const [loaded] = await loadVersions([schema]);
  if (loaded === undefined) throw new Error("nothing was loaded");
  const server = loaded.createServer({ Items: { Find: handlers.find, Put: handlers.put } });
  const serve = transportTo(loaded, server);
  const sent: string[] = [];
  const transport = (input: string, init: RequestInit): Promise<Response> => {
    sent.push(input);
    return serve(input, init);
  };
  const Items = loaded.client["Items"];
  const client = Items && new Items({ url: "http://host", transport });
  expect(await client?.["find"]?.(request)).toEqual({
    seen: JSON.stringify({ org_id: "acme", item: 5, tags: ["a", "b"] }),
  });
  expect(await client?.["put"]?.({ image: new Blob(["a"]) })).toEqual({ seen: "image" });
  expect(sent[0]).toBe(`http://host${url}`);
  const missing = await serve("http://host/rpc/acme/items?item=5");
  expect(await missing.json()).toMatchObject({ cause: "missing query param 'item_id'" });
});

test("the file of the drop-in", async () => {
  using made = folder({ "names.ridl": schema });
  const args = ["-schema=names.ridl", "-target=typescript", "-client", "-server", "-out=t.ts", "-silent"];
  expect(await ridlkit(args, { cwd: made.path })).toMatchObject({ code: 0 });
  const { code } = await transform(readFileSync(join(made.path, "t.ts"), "utf8"), { loader: "ts" });
  const { Items, serveItemsRpc } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const sent: string[] = [];
  const fetch = (input: string, init: RequestInit): Promise<Response> => {
    sent.push(input);
    return serveItemsRpc(handlers, undefined, new Request(input, init));
  };
  const client = new Items("http://host", fetch);
  expect(JSON.parse((await client.find(request)).seen)).toEqual({
    item: 5,
    tags: ["a", "b"],
    org_id: "acme",
  });
  expect(await client.put({ image: new Blob(["a"]) })).toEqual({ seen: "image" });
  expect(sent[0]).toBe(`http://host${url}`);
});

test("the document of OpenAPI", async () => {
  using made = folder({ "names.ridl": schema });
  const { out } = await ridlkit(["-schema=names.ridl", "-target=openapi"], { cwd: made.path });
  expect([...out.matchAll(/- name: (\w+)\n\s+in: (\w+)/g)].map(([, name, place]) => [name, place])).toEqual([
    ["org_id", "path"],
    ["item_id", "query"],
    ["tag", "query"],
  ]);
  expect(out).toContain("image:");
});
