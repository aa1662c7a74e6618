/** Uploads in memory, and the rules of forms, which both receivers share. */
import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Client } from "../../../generator/runtime/src/client.ts";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import type { ArrivingBody } from "../../../generator/runtime/src/options.ts";
import { memoryTransport } from "../../../generator/runtime/src/transport.ts";
import type { UploadedFile } from "../../../generator/runtime/src/uploaded-file.ts";
import { uploadReceiver } from "../../../generator/runtime/src/uploads-on-disk.ts";
import { attach, read, store, storeMany, submit, turn } from "../../fixtures/files/generated/client.ts";
import * as onDisk from "../../fixtures/files/generated/server.ts";
import { type Filed, Shelf } from "../../fixtures/files/generated/types.ts";
import { createServer, type Handlers } from "../../fixtures/files/generated-in-memory/server.ts";
import type { FormReceived } from "../../fixtures/files/generated-in-memory/types.ts";

const folder = await mkdtemp(join(tmpdir(), "forms-test-"));
afterAll(() => rm(folder, { recursive: true }));

async function stored(file: File) {
  const sha256 = createHash("sha256")
    .update(Buffer.from(await file.arrayBuffer()))
    .digest("hex");
  return { name: file.name, type: file.type, size: file.size, sha256 };
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
    Store: async (_ctx, { title, picture, thumbnail }) => ({
      title: `${title} and ${thumbnail?.size ?? "none"}`,
      stored: await stored(picture),
      folder: "",
    }),
    StoreMany: async (_ctx, { files }) => ({ stored: await Promise.all(files.map(stored)) }),
    Submit: (_ctx, form) => filed(form),
    Attach: (_ctx, { form, note, extra }) => ({
      filed: form === undefined ? nothingFiled(note, extra?.size) : filed(form, extra?.size),
    }),
    Fetch: () => new Blob([]),
    Turn: (_ctx, { source }) => source,
    Read: async function* (_ctx, { source, from }) {
      for (const line of (await source.text()).split("\n").slice(from)) yield { line };
    },
    Export: () => new Blob([]),
  },
};

const watched: ArrivingBody[] = [];
const uploads = { fileMaxBytes: 1_000_000, filesMax: 3, folder };
const serve = fetchHandler(
  createServer(handlers, {
    uploads,
    limits: { bodyMaxBytes: 200 },
    watchBody: (body) => {
      watched.push(body);
      return { arrived() {}, ended() {} };
    },
  }),
);
const client: Client = { url: "http://memory", transport: memoryTransport(serve) };
const picture = new File(["\u00ff\u0000pixels"], "dir/b\u00efld.png", { type: "image/png" });

test("an option stores files on disk, with the limits of that receiver", async () => {
  const seen: unknown[] = [];
  const StoreMany: Handlers["Depot"]["StoreMany"] = (_ctx, { files }) => {
    for (const file of files as readonly UploadedFile[]) seen.push(file.path?.startsWith(folder));
    return { stored: [] };
  };
  const options = { uploads: { receiver: uploadReceiver, folder } };
  const server = createServer({ Depot: { ...handlers.Depot, StoreMany } }, options);
  const onNode: Client = { url: "http://memory", transport: memoryTransport(fetchHandler(server)) };
  await storeMany(onNode, { files: Array(10).fill(picture) });
  expect(seen).toEqual(Array(10).fill(true));
  await expect(storeMany(onNode, { files: Array(11).fill(picture) })).rejects.toMatchObject({
    cause: "more than 10 files",
  });
});

describe("files that are fields of a struct", () => {
  const form = { title: "t", shelf: Shelf.top, image: picture };

  test("are in the struct that the handler receives", async () => {
    const pages = [new Blob(["a"]), new Blob(["bc"])];
    const all = { image: 9, "page 0": 1, "page 1": 2 };
    expect(await submit(client, { ...form, pages })).toEqual({ title: "t", shelf: "TOP", files: all });
    expect(await submit(client, form)).toEqual({ title: "t", shelf: "TOP", files: { image: 9 } });
    expect(await attach(client, { form, note: "n", extra: new Blob(["abc"]) })).toEqual({
      filed: { title: "t", shelf: "TOP", files: { image: 9, extra: 3 } },
    });
    expect(await attach(client, { note: "n" })).toEqual({
      filed: { title: "n", shelf: "bottom", files: { extra: 0 } },
    });
  });

  test("are null in the JSON of the form, which comes first", async () => {
    const sent: unknown[] = [];
    const transport: Client["transport"] = (_url, { body }) => {
      const parts = [...(body as FormData)];
      sent.push([JSON.parse(String(parts[0]?.[1])), ...parts.map(([name]) => name)]);
      return Promise.resolve(Response.json({ filed: {} }));
    };
    const pages = [new Blob(["a"]), new Blob(["b"])];
    await attach({ ...client, transport }, { form: { ...form, pages }, note: "n" });
    await attach({ ...client, transport }, { note: "n" });
    await storeMany({ ...client, transport }, { files: pages }).catch(() => {});
    const fields = { title: "t", shelf: "TOP", image: null, pages: [null, null] };
    expect(sent).toEqual([
      [{ form: fields, note: "n", extra: null }, "json", "image", "pages", "pages"],
      [{ note: "n", extra: null }, "json"],
      [{ files: [null, null] }, "json", "files", "files"],
    ]);
  });

  test.each<[json: object, files: readonly string[], issues: unknown]>([
    [{ title: "t", shelf: "TOP", image: null, pages: [null] }, ["image", "pages"], undefined],
    [{ title: "t", shelf: 0 }, ["image"], undefined],
    [{ title: "t", shelf: "top" }, ["image"], [["shelf"]]],
    [{ title: "t", shelf: "TOP", image: "x" }, [], [["image"]]],
  ])("of a form by hand: %j", async (json, files, issues) => {
    expect(await issuesOf("Submit", json, files)).toEqual(issues);
  });

  test.each<[json: object, files: readonly string[], issues: unknown]>([
    [{ note: "n", form: { title: "t", shelf: "TOP" } }, ["image"], undefined],
    [{ note: "n", form: { title: "t", shelf: "TOP" } }, [], [["form", "image"]]],
    [{ note: "n" }, ["image"], undefined],
    [{ note: "n", form: null }, ["image", "pages"], undefined],
    [{ note: "n", form: 1 }, ["image"], [["form"]]],
  ])("of an argument by hand: %j", async (json, files, issues) => {
    expect(await issuesOf("Attach", json, files)).toEqual(issues);
  });

  async function issuesOf(method: string, json: object, files: readonly string[]): Promise<unknown> {
    const body = new FormData();
    body.append("json", JSON.stringify(json));
    for (const name of files) body.append(name, new Blob(["abc"]), "a.txt");
    const response = await serve(new Request(`http://x/rpc/Depot/${method}`, { method: "POST", body }));
    const answer = (await response.json()) as { issues?: readonly { path: unknown }[] };
    return answer.issues?.map(({ path }) => path);
  }
});

test("handlers receive complete File objects", async () => {
  const answer = await store(client, { title: "t", picture, thumbnail: new Blob(["abc"]) });
  const sha256 = createHash("sha256").update("\u00ff\u0000pixels").digest("hex");
  expect(answer).toEqual({
    title: "t and 3",
    stored: { name: "b\u00efld.png", type: "image/png", size: 9, sha256 },
    folder: "",
  });
  const many = await storeMany(client, { files: [picture, new Blob([]), new File(["c"], "c")] });
  expect(many.stored.map(({ name, size }) => [name, size])).toEqual([
    ["b\u00efld.png", 9],
    ["blob", 0],
    ["c", 1],
  ]);
  expect(await storeMany(client, { files: [] })).toEqual({ stored: [] });
  const turned = await turn(client, { source: picture });
  expect(turned).toMatchObject({ type: "image/png", size: 9 });
  expect(await new Response(turned.stream).text()).toBe("\u00ff\u0000pixels");
  const lines: string[] = [];
  for await (const { line } of read(client, { source: new Blob(["a\nb\nc"]), from: 1 })) lines.push(line);
  expect(lines).toEqual(["b", "c"]);
  expect(await readdir(folder)).toEqual([]);
});

test("files in memory count toward the memory limit of bodies", async () => {
  watched.length = 0;
  await store(client, { title: "t", picture });
  expect(watched.map(({ hasFiles }) => hasFiles)).toEqual([false]);
});

test("the defaults allow files of 8 MiB and four files", async () => {
  const byDefault: Client = {
    url: "http://memory",
    transport: memoryTransport(fetchHandler(createServer(handlers))),
  };
  const size = 8 * 1024 * 1024;
  const largest = { title: "t", picture: new Blob([new Uint8Array(size)]) };
  expect((await store(byDefault, largest)).stored.size).toBe(size);
  const larger = { title: "t", picture: new Blob([new Uint8Array(size + 1)]) };
  await expect(store(byDefault, larger)).rejects.toMatchObject({
    cause: `/picture: expected a file of at most ${size} bytes, found a larger file`,
  });
  const four = [picture, picture, picture, picture];
  expect((await storeMany(byDefault, { files: four })).stored).toHaveLength(4);
  await expect(storeMany(byDefault, { files: [...four, picture] })).rejects.toMatchObject({
    cause: "more than 4 files",
  });
});

const diskHandlers: onDisk.Handlers = {
  Depot: {
    ...handlers.Depot,
    Store: (_ctx, { title, picture: { name, type, size }, thumbnail }) => ({
      title: `${title} and ${thumbnail?.size ?? "none"}`,
      stored: { ...(name !== undefined && { name }), type, size, sha256: "" },
      folder: "",
    }),
    StoreMany: () => ({ stored: [] }),
    Submit: () => nothingFiled(""),
    Attach: () => ({ filed: nothingFiled("") }),
    Turn: () => new Blob([]),
    Read: async function* () {},
  },
};
const serveFromDisk = fetchHandler(
  onDisk.createServer(diskHandlers, { uploads, limits: { bodyMaxBytes: 200 } }),
);

const form = "multipart/form-data; boundary=b";
const end = "--b--\r\n";
const json = field("json", '{"title":"t"}');
const framingMaxBytes = 256 * 1024;
const formMaxBytes = 3 * 1_000_000 + 16 * 200 + framingMaxBytes;

function file(name: string, text: string, headers = ""): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n${headers}\r\n${text}\r\n`;
}

function field(name: string, text: string): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
}

/** JSON text of the given size. */
function titleOf(bytes: number): string {
  return JSON.stringify({ title: "t".repeat(bytes - '{"title":""}'.length) });
}

interface Row {
  readonly about: string;
  readonly body: string;
  readonly type?: string;
  /** Undefined if the form is valid. */
  readonly cause?: string;
}

const rows: readonly Row[] = [
  { about: "one file", body: json + file("picture", "a") + end },
  { about: "a quoted boundary", body: json + file("picture", "a") + end, type: form.replace("=b", '="b"') },
  { about: "no line break behind the form", body: `${json}${file("picture", "a")}--b--` },
  { about: "an unknown field", body: json + field("other", "a") + file("picture", "a") + end },
  { about: "a name with folders", body: json + file("picture", "a").replace('"f"', '"../../e/f"') + end },
  { about: "a media type", body: json + file("picture", "a", "Content-Type: image/png\r\n") + end },
  { about: "an empty file", body: json + file("picture", "") + end },
  { about: "a file behind its arguments", body: file("picture", "a") + json + end },
  { about: "a file that looks like a boundary", body: json + file("picture", "\r\n--c\r\n--") + end },
  {
    about: "JSON in the place of a file",
    body: `${field("json", '{"title":"t","thumbnail":{"path":"/etc/passwd","size":1}}')}${file("picture", "a")}${end}`,
  },
  {
    about: "no form",
    body: "{}",
    type: "application/json",
    cause: "Content-Type must be multipart/form-data",
  },
  { about: "no boundary", body: "{}", type: "multipart/form-data; x=y", cause: "the form has no boundary" },
  { about: "no parts", body: "{}", cause: "the form cannot be read" },
  { about: "a missing file", body: json + end, cause: "/picture: expected a file, found nothing" },
  {
    about: "two files for one",
    body: json + file("picture", "a") + file("picture", "b") + end,
    cause: "/picture: expected one file, found more than one",
  },
  {
    about: "an unknown file",
    body: json + file("other", "a") + end,
    cause: "/other: expected no file with this name, found a file",
  },
  { about: "no end", body: json + file("picture", "a"), cause: "the form cannot be read" },
  {
    about: "an end within a part",
    body: json + file("picture", "a").slice(0, -6),
    cause: "the form cannot be read",
  },
  { about: "the largest file", body: json + file("picture", "x".repeat(1_000_000)) + end },
  {
    about: "a larger file",
    body: json + file("picture", "x".repeat(1_000_001)) + end,
    cause: "/picture: expected a file of at most 1000000 bytes, found a larger file",
  },
  { about: "the largest arguments", body: field("json", titleOf(200)) + file("picture", "a") + end },
  {
    about: "larger arguments",
    body: field("json", titleOf(201)) + file("picture", "a") + end,
    cause: "/json: larger than 200 bytes",
  },
  { about: "the most files", body: json + file("picture", "a") + file("thumbnail", "b") + end },
  { about: "the most fields", body: json + field("other", "a").repeat(15) + file("picture", "a") + end },
  {
    about: "more fields",
    body: json + field("other", "a").repeat(16) + file("picture", "a") + end,
    cause: "more than 16 parts that are not files",
  },
  { about: "the largest form", body: (json + file("picture", "a") + end).padEnd(formMaxBytes) },
  {
    about: "a larger form",
    body: (json + file("picture", "a") + end).padEnd(formMaxBytes + 1),
    cause: `the body is larger than ${formMaxBytes} bytes`,
  },
];

describe.each([
  ["memory", serve],
  ["disk", serveFromDisk],
] as const)("a form received by %s", (_name, handle) => {
  test.each(rows)("$about", async ({ body, type = form, cause }) => {
    const response = await handle(
      new Request("http://t/rpc/Depot/Store", { method: "POST", body, headers: { "Content-Type": type } }),
    );
    const answer = (await response.json()) as object;
    if (cause === undefined) {
      expect(answer).toMatchObject({
        stored: { type: expect.stringMatching(/^(image\/png|application\/octet-stream|text\/plain)$/) },
      });
      if ("name" in answer) expect(answer.name).toBe("f");
    } else expect(answer).toMatchObject({ code: -4, cause: expect.stringContaining(cause) });
  });

  test("too many files are rejected", async () => {
    const body = file("files", "a").repeat(4) + end;
    const headers = { "Content-Type": form };
    const four = await handle(new Request("http://t/rpc/Depot/StoreMany", { method: "POST", body, headers }));
    expect(await four.json()).toMatchObject({ cause: "more than 3 files" });
    const three = file("files", "a").repeat(3) + end;
    const answer = await handle(
      new Request("http://t/rpc/Depot/StoreMany", { method: "POST", body: three, headers }),
    );
    expect(answer.status).toBe(200);
  });
});
