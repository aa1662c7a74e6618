/** Generated clients read the lists of a mock page by page. */
import { expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { createMock } from "../../../../generator/tools/mock/mock.ts";
import { loadInMemory } from "../../../../generator/verify/in-memory/load.ts";
import { nextRequest } from "../../../../generator/verify/resources/resources.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const schema = `webrpc = v1
name = pets
version = v1.0.0
basepath = /rpc
${["ByNumber", "ByText", "ByOffset", "UpToTheEnd"].map((name) => `struct ${name}\n  - id: uint64\n`).join("")}
struct Span
  - number?: uint32
    + default = 1
  - size: uint32
struct Found
  - list: []ByNumber
  - hasMore: bool
struct After
  - next?: string
service Lists
  @get:ByNumber - A(id: uint64) => (a: ByNumber)
  @get:ByText - B(id: uint64) => (b: ByText)
  @get:ByOffset - C(id: uint64) => (c: ByOffset)
  @get:UpToTheEnd - E(id: uint64) => (e: UpToTheEnd)
  @list:ByNumber @paging:"span.size,span.number" - Numbers(span: Span) => (found: Found)
  @list:ByText @paging:"size,after,page.next" - Texts(size: uint32, after?: string) => (list: []ByText, page: After)
  @list:ByOffset @paging:"size,after,next" - Offsets(size: uint32, after?: uint64) => (list: []ByOffset, next: uint64)
  @list:UpToTheEnd @paging:"size,page" - Ends(size: uint32, page?: uint32) => (list: []UpToTheEnd)
`;

interface Page {
  readonly list: readonly unknown[];
}

test.each(["number", "bigint"] as const)("with 64-bit integers as %s", async (int64) => {
  const { result, diagnostics } = compile("api.ridl", memoryReader({ "api.ridl": schema }));
  expect(diagnostics).toEqual([]);
  if (result === undefined) return;
  const live = await loadInMemory({ ...result, int64 });
  const faults: unknown[] = [];
  const mock = createMock(live, {
    seed: 1,
    delayMs: 0,
    items: 1,
    itemDelayMs: 0,
    errorRate: 0,
    records: 5,
    wantsCredentials: false,
    credentialHeaders: new Map(),
    onCall: ({ cause }) => cause !== undefined && faults.push(cause),
  });
  const fetch = live.fetchHandler(mock.own["server"] as never);
  const sizes: Record<string, unknown> = {};
  for (const { name, path, paging } of live.plan.services[0]?.methods ?? []) {
    if (paging === undefined) continue;
    const found: number[] = [];
    let request: ReturnType<typeof nextRequest> = name === "Numbers" ? { span: { size: 2 } } : { size: 2 };
    while (request !== undefined && found.length < 9) {
      const body = JSON.stringify(request);
      const headers = { "content-type": "application/json" };
      const answer = await fetch(new Request(`http://m${path}`, { method: "POST", headers, body }));
      const response = (await answer.json()) as Page & { readonly found?: Page };
      const list = (response.found ?? response).list;
      found.push(list.length);
      request = nextRequest(paging, request, { response, entries: list.length });
    }
    sizes[name] = found;
  }
  const three = [2, 2, 1];
  expect(sizes).toEqual({
    Numbers: three,
    Texts: three,
    Offsets: three,
    Ends: [...three, 0],
  });
  expect(faults).toEqual([]);
});
