/** Uploads and downloads, over every adapter and transport, on real sockets and a real disk. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Agent } from "undici";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client, Interceptor } from "../../../generator/runtime/src/client.ts";
import { type Issue, pointerOf } from "../../../generator/runtime/src/errors.ts";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import type { CallLog } from "../../../generator/runtime/src/options.ts";
import { memoryTransport } from "../../../generator/runtime/src/transport.ts";
import { undiciTransport } from "../../../generator/runtime/src/undici.ts";
import type { UploadedFile } from "../../../generator/runtime/src/uploaded-file-on-disk.ts";
import { maxGrowthMib, peaksOf } from "../../bench/files.ts";
import {
  attach,
  export$,
  fetch as fetchFile,
  read,
  store,
  storeMany,
  submit,
  turn,
} from "../../fixtures/files/generated/client.ts";
import { NoSuchFileError, WebrpcClientAbortedError } from "../../fixtures/files/generated/errors.ts";
import { createServer, type Handlers } from "../../fixtures/files/generated/server.ts";
import {
  type Filed,
  type FormReceived,
  type ReadRequest,
  Shelf,
  type Stored,
} from "../../fixtures/files/generated/types.ts";
import { adapterNames, serveWith } from "../../support/adapters.ts";
import { rawRequest } from "../../support/raw-http.ts";
import { stubTransport } from "../../support/stub-transport.ts";

const folder = await mkdtemp(join(tmpdir(), "files-test-"));
const dispatcher = new Agent();
afterAll(async () => {
  await dispatcher.destroy();
  await rm(folder, { recursive: true });
});

const logs: CallLog[] = [];
let freed = 0;
beforeEach(() => {
  logs.length = 0;
  freed = 0;
});

async function stored(file: UploadedFile): Promise<Stored> {
  const { name, type, size, path } = file;
  const [hash, hashOfStream] = [createHash("sha256"), createHash("sha256")];
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  for await (const chunk of file.stream()) hashOfStream.update(chunk);
  const sha256 = hash.digest("hex");
  const buffer = new Uint8Array(await file.arrayBuffer());
  expect(hashOfStream.digest("hex")).toBe(sha256);
  expect(createHash("sha256").update(buffer).digest("hex")).toBe(sha256);
  expect(await file.text()).toBe(new TextDecoder().decode(buffer));
  return { ...(name !== undefined && { name }), type, size, sha256 };
}

async function* lines(count: number, width = 0): AsyncGenerator<Uint8Array> {
  try {
    for (let line = 0; line < count; line++) yield Buffer.from(`line ${line}`.padEnd(width).concat("\n"));
  } finally {
    freed += 1;
  }
}

function filed({ title, shelf, image, pages }: FormReceived, extra?: number): Filed {
  const files = { image: image.size, ...(extra !== undefined && { extra }) };
  return {
    title,
    shelf,
    files: { ...files, ...Object.fromEntries(pages.map(({ size }, at) => [`page ${at}`, size])) },
  };
}

const nothingFiled = (title: string, extra = 0): Filed => ({ title, shelf: Shelf.bottom, files: { extra } });

const handlers: Handlers = {
  Depot: {
    Store: async (_ctx, { title, owner, picture, thumbnail }) => {
      if (title === "keep") await rename(picture.path, join(folder, "kept"));
      if (title === "fail") throw new Error("the disk of the handler");
      const small = thumbnail === undefined ? "" : ` and ${thumbnail.size}`;
      return {
        title: `${title} of ${owner ?? "nobody"}${small}`,
        stored: title === "keep" ? { type: "", size: picture.size, sha256: "" } : await stored(picture),
        folder: JSON.stringify(await readdir(folder)),
      };
    },
    StoreMany: async (_ctx, { files }) => ({ stored: await Promise.all(files.map(stored)) }),
    Submit: (_ctx, form) => filed(form),
    Attach: (_ctx, { form, note, extra }) => ({
      filed: form === undefined ? nothingFiled(note, extra?.size) : filed(form, extra?.size),
    }),
    Fetch: async (ctx, { name }) => {
      if (name === "none") return ctx.errors.NoSuchFile();
      if (name === "broken") return { body: lines(3), size: 900 };
      return { body: Buffer.from(`<b>${name}</b>`), type: "text/html", name, disposition: "attachment" };
    },
    Turn: (_ctx, { source }) => ({
      body: createReadStream(source.path),
      type: source.type,
      size: source.size,
    }),
    Read: async function* (_ctx, { source, from }) {
      let number = 0;
      const input = createReadStream(source.path);
      for await (const line of createInterface({ input })) if (number++ >= from) yield { line };
    },
    Export: (_ctx, { lines: count, wide }) => ({
      body: lines(count, wide ? 50_000 : 0),
      type: "text/plain",
      name: "lines.txt",
    }),
  },
};

const server = createServer(handlers, {
  uploads: { folder, fileMaxBytes: 1_000_000, filesMax: 3 },
  onResponse: (log) => logs.push(log),
});

/** Waits until no upload is in flight, then expects an empty upload folder. */
async function expectNothingLeft(): Promise<void> {
  await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]), { timeout: 120_000, interval: 10 });
}

const picture = new File(["\u00ff\u0000pixels"], 'dir/bïld ".png', { type: "image/png" });
const pictureHash = createHash("sha256").update("\u00ff\u0000pixels").digest("hex");

const transports: Readonly<Record<string, Partial<Client>>> = {
  fetch: {},
  undici: { transport: undiciTransport(dispatcher) },
  memory: {
    transport: memoryTransport((request) => fetchHandler(server)(request)),
  },
};

describe.each(adapterNames)("over %s", (adapter) => {
  test.each(Object.keys(transports))(
    "a file is there until the stream that reads it ends, by %s",
    async (name) => {
      await using running = await serveWith(adapter, server);
      const client = { url: running.url, ...transports[name] };
      const more = "more".repeat(40);
      // The server still reads when the caller leaves.
      const source = new Blob(["a\nb\nc\n", `${more}\n`.repeat(5_000)]);
      const seen: string[] = [];
      for await (const { line } of read(client, { source, from: 1 })) seen.push(line);
      expect([seen.length, ...seen.slice(0, 3)]).toEqual([5_002, "b", "c", more]);
      await expectNothingLeft();
      for await (const { line } of read(client, { source, from: 0 })) {
        expect(line).toBe("a");
        break;
      }
      await expectNothingLeft();
    },
  );

  test.each(Object.keys(transports))("files go in and out whole, by %s", async (name) => {
    await using running = await serveWith(adapter, server);
    const client = { url: running.url, ...transports[name] };
    const answer = await store(client, {
      title: "täg",
      owner: 2n ** 70n,
      picture,
      thumbnail: new Blob(["abc"]),
    });
    expect(answer).toMatchObject({
      title: `täg of ${2n ** 70n} and 3`,
      stored: { type: "image/png", size: 9, sha256: pictureHash },
    });
    expect(answer.stored.name).toMatch(/^bïld .*\.png$/);
    expect(JSON.parse(answer.folder)).toEqual([expect.stringMatching(/^ridlkit-upload-/)]);

    const many = await storeMany(client, { files: [picture, new Blob([]), new File(["c"], "c")] });
    expect(many.stored.map(({ size }) => size)).toEqual([9, 0, 1]);
    expect(await storeMany(client, { files: [] })).toEqual({ stored: [] });

    const form = { title: "t", shelf: Shelf.top, image: picture, pages: [new Blob(["ab"])] };
    const files = { image: 9, "page 0": 2 };
    expect(await submit(client, form)).toEqual({ title: "t", shelf: "TOP", files });
    expect(await attach(client, { form, note: "n" })).toEqual({ filed: { title: "t", shelf: "TOP", files } });

    const turned = await turn(client, { source: picture });
    expect(turned).toMatchObject({ type: "image/png", size: 9, name: undefined });
    expect(await new Response(turned.stream).text()).toBe("\u00ff\u0000pixels");

    const exported = await export$(client, { lines: 3, wide: false });
    expect(exported).toMatchObject({ type: "text/plain", size: undefined, name: "lines.txt" });
    expect(await new Response(exported.stream).text()).toBe("line 0\nline 1\nline 2\n");

    const page = await fetchFile(client, { name: 'seite "1" ä.html' });
    expect(page).toMatchObject({ type: "text/html", name: 'seite "1" ä.html' });
    await page.stream.cancel();
    await expect(fetchFile(client, { name: "none" })).rejects.toBeInstanceOf(NoSuchFileError);
    await expectNothingLeft();
    await vi.waitFor(() => expect(logs.length).toBe(9), { timeout: 120_000 });
    expect(logs.map(({ status }) => status)).toEqual([
      200,
      200,
      200,
      200,
      200,
      200,
      200,
      expect.any(Number),
      expect.any(Number),
    ]);
  });

  test("a file above the limit is rejected with its name, and nothing is left on disk", async () => {
    await using running = await serveWith(adapter, server);
    for (const settings of [transports["fetch"], transports["undici"]]) {
      const client = { url: running.url, ...settings };
      const large = { title: "large", picture: new Blob([new Uint8Array(3_000_000)]) };
      await expect(store(client, large)).rejects.toMatchObject({
        name: "WebrpcBadRequest",
        cause: "/picture: expected a file of at most 1000000 bytes, found a larger file",
        issues: [{ path: ["picture"] }],
      });
      const exact = { title: "exact", picture: new Blob([new Uint8Array(1_000_000)]) };
      expect((await store(client, exact)).stored.size).toBe(1_000_000);
      const four = { files: [picture, picture, picture, picture] };
      await expect(storeMany(client, four)).rejects.toMatchObject({ cause: "more than 3 files" });
    }
    await expectNothingLeft();
  });

  test("a missing file, an extra file and a body that is not a form are rejected", async () => {
    await using running = await serveWith(adapter, server);
    const client = { url: running.url };
    const none = { title: "none", picture: undefined as never };
    await expect(store(client, none)).rejects.toMatchObject({
      cause: "/picture: expected a file, found nothing",
      issues: [
        {
          message: "expected a file, found nothing",
          path: ["picture"],
          expected: "a file",
          found: "nothing",
        },
      ],
    });
    await expect(store(client, { picture } as never)).rejects.toMatchObject({
      cause: "/title: expected text, found nothing",
      issues: [{ path: ["title"] }],
    });
    const rows: readonly (readonly [body: string, type: string, cause: string])[] = [
      ["{}", "application/json", "Content-Type must be multipart/form-data"],
      ["{}", "multipart/form-data; x=y", "the form has no boundary"],
      ["{}", "multipart/form-data; boundary=b", "the form cannot be read"],
      [
        part("picture", "a") + part("picture", "b") + end,
        form,
        "/picture: expected one file, found more than one",
      ],
      [part("other", "a") + end, form, "/other: expected no file with this name, found a file"],
      [part("picture", "a"), form, "the form cannot be read"],
      [part("picture", "a").slice(0, -6), form, "the form cannot be read"],
    ];
    for (const [body, type, cause] of rows) {
      const answer = await rawRequest(running.port, { path, body, headers: { "Content-Type": type } });
      expect(answer.status, cause).toBe(400);
      const error = JSON.parse(answer.body) as { readonly issues?: readonly Issue[] };
      expect(error).toMatchObject({ code: -4, cause: expect.stringContaining(cause) });
      const pointers = error.issues?.map(({ path: steps }) => pointerOf(steps));
      expect(pointers).toEqual(cause.startsWith("/") ? [cause.split(":")[0]] : undefined);
    }
    await expectNothingLeft();
  });

  test("JSON in place of a file is rejected", async () => {
    await using running = await serveWith(adapter, server);
    const fields = JSON.stringify({ title: "t", thumbnail: { path: "/etc/passwd", size: 1 } });
    const body = `--b\r\nContent-Disposition: form-data; name="json"\r\n\r\n${fields}\r\n${part("picture", "a")}${end}`;
    const answer = await rawRequest(running.port, { path, body, headers: { "Content-Type": form } });
    expect(JSON.parse(answer.body)).toMatchObject({ title: "t of nobody" });
  });

  test("aborted uploads leave nothing on disk", async () => {
    await using running = await serveWith(adapter, server);
    const leaving = new AbortController();
    const slow = new Blob([new Uint8Array(900_000)]);
    const call = store({ url: running.url }, { title: "left", picture: slow }, { signal: leaving.signal });
    leaving.abort();
    await expect(call).rejects.toBeInstanceOf(WebrpcClientAbortedError);
    // Sends half of a form, then disconnects.
    const socket = connect(running.port, "127.0.0.1");
    const half = part("picture", "x".repeat(100_000));
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: t\r\nContent-Type: ${form}\r\nContent-Length: 900000\r\n\r\n${half}`,
    );
    await vi.waitFor(async () => expect(await readdir(folder)).not.toEqual([]), { timeout: 120_000 });
    socket.destroy();
    await expectNothingLeft();
  });

  test("a failing handler leaves nothing on disk, except files that it moved", async () => {
    await using running = await serveWith(adapter, server);
    await expect(store({ url: running.url }, { title: "fail", picture })).rejects.toMatchObject({ code: -7 });
    await store({ url: running.url }, { title: "keep", picture });
    expect(await readFile(join(folder, "kept"), "utf8")).toBe("\u00ff\u0000pixels");
    await rm(join(folder, "kept"));
    await expectNothingLeft();
  });

  test("an abandoned download is released, and an interrupted one fails", async () => {
    await using running = await serveWith(adapter, server);
    const endless = await export$({ url: running.url }, { lines: 500_000, wide: true });
    const reader = endless.stream.getReader();
    await reader.read();
    await reader.cancel();
    const aborting = new AbortController();
    const { stream } = await export$(
      { url: running.url },
      { lines: 500_000, wide: true },
      { signal: aborting.signal },
    );
    aborting.abort();
    await expect(new Response(stream).text()).rejects.toThrow();
    await vi.waitFor(() => expect(freed).toBe(2), { timeout: 120_000 });
    const broken = await fetchFile({ url: running.url }, { name: "broken" });
    await expect(new Response(broken.stream).text()).rejects.toThrow();
    await expect.poll(() => logs.at(-1)?.error?.code).toBe(-7);
  });
});

test("a file of 150 MB is streamed without being held in memory", async () => {
  const { serverGrowth, clientGrowth } = await peaksOf(150);
  expect(serverGrowth).toBeLessThan(maxGrowthMib);
  expect(clientGrowth).toBeLessThan(maxGrowthMib);
});

test("an unwritable folder is an error of the server", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  const broken = createServer(handlers, { uploads: { folder: file } });
  await using running = await serveWith("node-http", broken);
  await expect(store({ url: running.url }, { title: "t", picture })).rejects.toMatchObject({ code: -7 });
  await rm(file);
});

test("an upload has no timeout unless its caller sets one", async () => {
  const seen: number[] = [];
  const interceptor: Interceptor = async (call) => void seen.push(call.timeoutMs);
  await store({ url: "", interceptor }, { title: "t", picture });
  await fetchFile({ url: "", interceptor }, { name: "t" });
  expect(seen).toEqual([0, 30_000]);
  const never = () => new Promise<never>(() => {});
  const call = store({ url: "http://never", transport: never }, { title: "t", picture }, { timeoutMs: 1 });
  await expect(call).rejects.toMatchObject({ code: -1, cause: "timeout" });
});

const path = "/rpc/Depot/Store";
const form = "multipart/form-data; boundary=b";
const end = "--b--\r\n";

function part(name: string, text: string): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n\r\n${text}\r\n`;
}

test("a stream with a file sends the file again when it reconnects", async () => {
  const forms: FormData[] = [];
  const transport = stubTransport(async ({ body }) => {
    forms.push(body as unknown as FormData);
    const text = forms.length === 1 ? '{"line":"a"}\n{"li' : '{"line":"b"}\n';
    return { status: 200, body: new Response(text).body ?? "" };
  });
  const lines: string[] = [];
  const resume = (req: ReadRequest): ReadRequest => ({ ...req, from: lines.length });
  const options = { reconnect: { firstMs: 1 }, resume };
  for await (const { line } of read(
    { url: "", transport },
    { source: new Blob(["a\nb\n"]), from: 0 },
    options,
  ))
    lines.push(line);
  expect(lines).toEqual(["a", "b"]);
  expect(forms.map((form) => form.get("json"))).toEqual([
    '{"source":null,"from":0}',
    '{"source":null,"from":1}',
  ]);
  expect(await Promise.all(forms.map((form) => (form.get("source") as File).text()))).toEqual([
    "a\nb\n",
    "a\nb\n",
  ]);
});
