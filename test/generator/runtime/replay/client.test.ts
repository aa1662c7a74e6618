/** Streams with `@resume`: what clients send after a lost connection. */
import { describe, expect, test } from "vitest";
import type { Client } from "../../../../generator/runtime/src/client.ts";
import type { StreamOptions } from "../../../../generator/runtime/src/client-streams.ts";
import type { RpcError } from "../../../../generator/runtime/src/errors.ts";
import { beat, count, watch } from "../../../fixtures/feeds/generated/client.ts";
import * as wide from "../../../fixtures/feeds/generated-bigint/client.ts";
import { stubTransport } from "../../../support/stub-transport.ts";

/** A connection: its start position, its items, and whether it breaks. */
interface Connection {
  readonly start?: string;
  readonly lines: readonly object[];
  readonly isCut?: boolean;
}

/** A server that follows a script, and the requests that it got. */
function scripted(connections: readonly (Connection | "refused")[]) {
  const requests: unknown[] = [];
  const transport = stubTransport(async ({ body }) => {
    const connection = connections[requests.length];
    requests.push(JSON.parse(String(body)));
    if (connection === undefined || connection === "refused") throw new Error("connection refused");
    const { start, lines, isCut = false } = connection;
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const parts = [new TextEncoder().encode(`\n${text}`)];
    return {
      status: 200,
      headers: start === undefined ? undefined : { "Stream-Position": start },
      body: new ReadableStream<Uint8Array>({
        pull(controller) {
          const part = parts.shift();
          if (part !== undefined) controller.enqueue(part);
          else if (isCut) controller.error(new Error("connection reset"));
          else controller.close();
        },
      }),
    };
  });
  const client: Client = { url: "http://feeds.example", transport };
  return { client, requests };
}

const quick: Pick<StreamOptions, "reconnect"> = { reconnect: { firstMs: 0 } };

async function read<Item>(stream: AsyncIterable<Item>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

const news = (id: string) => ({ id, text: `news ${id}` });

describe("after a lost connection", () => {
  test("the request has the id of the last item", async () => {
    const { client, requests } = scripted([
      { lines: [news("a"), news("b")], isCut: true },
      { lines: [news("c")], isCut: true },
      "refused",
      { lines: [], isCut: true },
      { lines: [news("d")] },
    ]);
    const items = await read(watch(client, { feed: "x" }, quick));
    expect(items).toEqual(["a", "b", "c", "d"].map(news));
    expect(requests).toEqual([
      { feed: "x" },
      { feed: "x", after: "b" },
      { feed: "x", after: "c" },
      { feed: "x", after: "c" },
      { feed: "x", after: "c" },
    ]);
  });

  test("without an item, the request has the position where the first connection started", async () => {
    const { client, requests } = scripted([
      { start: "s", lines: [], isCut: true },
      { start: "other", lines: [], isCut: true },
      { lines: [news("a")], isCut: true },
      { start: "a", lines: [] },
    ]);
    await read(watch(client, { feed: "x" }, quick));
    expect(requests).toEqual([
      { feed: "x" },
      { feed: "x", after: "s" },
      { feed: "x", after: "s" },
      { feed: "x", after: "a" },
    ]);
  });

  test("without an item and a position, the same request is sent again", async () => {
    const { client, requests } = scripted([{ lines: [], isCut: true }, { lines: [] }]);
    await read(watch(client, { feed: "x", after: "p" }, quick));
    expect(requests).toEqual([
      { feed: "x", after: "p" },
      { feed: "x", after: "p" },
    ]);
  });

  test("fields in structs are set, and the others are kept", async () => {
    const script = [
      { start: "4", lines: [], isCut: true },
      { lines: [{ tick: { number: 5 } }], isCut: true },
      { lines: [] },
    ];
    const { client, requests } = scripted(script);
    await read(count(client, { start: { quiet: true } }, quick));
    expect(requests).toEqual([
      { start: { quiet: true } },
      { start: { quiet: true, after: 4 } },
      { start: { quiet: true, after: 5 } },
    ]);
    const bigints = scripted(script);
    await read(wide.count(bigints.client, {}, quick));
    expect(bigints.requests).toEqual([{}, { start: { after: 4 } }, { start: { after: 5 } }]);
  });

  test("the option resume takes precedence", async () => {
    const { client, requests } = scripted([{ start: "s", lines: [news("a")], isCut: true }, { lines: [] }]);
    await read(
      watch(client, { feed: "x" }, { ...quick, resume: (req, last) => ({ ...req, after: `${last?.id}!` }) }),
    );
    expect(requests[1]).toEqual({ feed: "x", after: "a!" });
  });
});

test("a gap is final", async () => {
  const gap = { error: "FeedGap", code: 2, msg: "items are missing", status: 410 };
  const { client, requests } = scripted([
    { lines: [news("a")], isCut: true },
    { lines: [{ webrpcError: gap }] },
    { lines: [news("c")] },
  ]);
  const seen: string[] = [];
  const stream = watch(client, { feed: "x" }, quick);
  const reading = (async () => {
    for await (const { id } of stream) seen.push(id);
  })();
  const error = await reading.catch((thrown: RpcError) => thrown);
  expect(error).toMatchObject({ name: "FeedGap", code: 2, status: 410 });
  expect(seen).toEqual(["a"]);
  expect(requests.length).toBe(2);
});

test("two reads of a method do not share a position", async () => {
  const { client, requests } = scripted([
    { start: "s", lines: [] },
    { lines: [], isCut: true },
    { lines: [] },
  ]);
  await read(watch(client, { feed: "x" }, quick));
  await read(watch(client, { feed: "x" }, quick));
  expect(requests[2]).toEqual({ feed: "x" });
});

test("only annotated methods are marked", () => {
  expect([watch.resumes, count.resumes, Object.hasOwn(beat, "resumes")]).toEqual([true, true, false]);
});
