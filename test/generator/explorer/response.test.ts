import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { type CallRequest, requestOf } from "../../../generator/explorer/page/call/request.ts";
import { parts } from "./contract.ts";

/** The part of a response that the page shows. */
interface ShownResponse {
  readonly status: number | undefined;
  readonly texts: readonly string[];
  readonly count: number;
  readonly file: { readonly name: string | undefined; readonly blob: Blob } | undefined;
  readonly state: string;
}

type Send = (
  request: CallRequest,
  options: {
    readonly isStream: boolean;
    readonly isFile: boolean;
    readonly signal: AbortSignal;
    readonly onChange: (response: ShownResponse) => void;
  },
) => Promise<ShownResponse>;

// Its module needs the types of browsers, which this test does not have.
const sendPath = "../../../generator/explorer/page/call/send.ts";

const { send } = (await import(sendPath)) as { readonly send: Send };

describe("a response", () => {
  const stop = new AbortController();

  async function response(
    answer: RequestListener,
    { isStream = false, isFile = false } = {},
  ): Promise<{ last: ShownResponse; states: readonly string[] }> {
    const server = createServer(answer).listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const states: string[] = [];
    const onChange = ({ state }: ShownResponse): void => void states.push(state);
    try {
      const request = { ...requestOf({ ...parts, keys: [] }), url };
      return { last: await send(request, { isStream, isFile, signal: stop.signal, onChange }), states };
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  const error = { error: "Gone", code: 7, msg: "gone", status: 410 };

  test("is a text", async () => {
    const { last, states } = await response((_req, res) => void res.end("{}"));
    expect(last).toMatchObject({ status: 200, texts: ["{}"], count: 1, failure: undefined, state: "done" });
    expect(states).toEqual(["sending", "sending", "done"]);
  });

  test.each<[number, string, object | undefined]>([
    [410, JSON.stringify(error), error],
    [200, JSON.stringify(error), undefined],
    [410, "<html>", undefined],
    [410, "null", undefined],
    [410, '{"error":"Gone"}', undefined],
    [410, '{"code":7}', undefined],
  ])("with status %i and the body %s is an error: %j", async (status, body, failure) => {
    const { last } = await response((_req, res) => void res.writeHead(status).end(body));
    expect(last).toMatchObject({ status, texts: [body], failure, state: "done" });
  });

  test("is a stream, of which the newest 200 items stay", async () => {
    const items = Array.from({ length: 201 }, (_, index) => `{"a":${index}}`);
    const { last, states } = await response((_req, res) => void res.end(`${items.join("\n\n")}`), {
      isStream: true,
    });
    expect([last.count, last.texts.length, last.texts[0], last.texts.at(-1)]).toEqual([
      201,
      200,
      '{"a":200}',
      '{"a":1}',
    ]);
    expect([states.includes("streaming"), last.state]).toEqual([true, "done"]);
  });

  test("is a stream that ends with an error", async () => {
    const lines = `{"a":1}\n${JSON.stringify({ webrpcError: error })}\n{"a":2}\n`;
    const { last } = await response((_req, res) => void res.end(lines), { isStream: true });
    expect(last).toMatchObject({ texts: ['{"a":1}'], count: 1, failure: error, state: "done" });
  });

  test("is an error in place of a stream or a file", async () => {
    const answer: RequestListener = (_req, res) => void res.writeHead(410).end(JSON.stringify(error));
    for (const kind of [{ isStream: true }, { isFile: true }])
      expect((await response(answer, kind)).last).toMatchObject({ failure: error, file: undefined });
  });

  test.each([
    ['attachment; filename="a b.png"', "a b.png"],
    ["attachment", undefined],
  ])("is a file with the disposition %s", async (disposition, name) => {
    const { last } = await response(
      (_req, res) => void res.writeHead(200, { "content-disposition": disposition }).end("xyz"),
      { isFile: true },
    );
    expect([last.file?.name, await last.file?.blob.text(), last.texts, last.count]).toEqual([
      name,
      "xyz",
      [],
      1,
    ]);
  });

  test("has a form with the JSON and the files", async () => {
    const received: FormData[] = [];
    const fetched = globalThis.fetch;
    globalThis.fetch = async (_url, init) => {
      received.push(init?.body as FormData);
      return new Response("{}");
    };
    try {
      const request = requestOf({
        ...parts,
        keys: [],
        body: undefined,
        files: [{ name: "f", file: new File(["x"], "a") }],
      });
      await send(request, { isStream: false, isFile: false, signal: stop.signal, onChange: () => undefined });
    } finally {
      globalThis.fetch = fetched;
    }
    expect([received[0]?.get("json"), (received[0]?.get("f") as File | undefined)?.name]).toEqual([
      "{}",
      "a",
    ]);
  });

  test("is stopped by the signal, and a host that does not respond is an error", async () => {
    const aborted = {
      isStream: false,
      isFile: false,
      signal: AbortSignal.abort(),
      onChange: () => undefined,
    };
    const request = { ...requestOf({ ...parts, keys: [] }), url: "http://127.0.0.1:1" };
    expect(await send(request, aborted)).toMatchObject({ state: "stopped", status: undefined });
    await expect(send(request, { ...aborted, signal: stop.signal })).rejects.toThrow();
  });
});
