/** Files in requests and responses of `ridlkit call`. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createServer, type Handlers } from "../../../../fixtures/files/generated-in-memory/server.ts";
import { type RunningServer, serveWith } from "../../../../support/adapters.ts";
import { type Folder, folder, type Outcome, ridlkit } from "../../../../support/program.ts";
import { recordingServer } from "./call-server.ts";

const schema = join(import.meta.dirname, "../../../../fixtures/files/schema.ridl");

/** Each returns the names, types and texts of its files. */
const handlers: Handlers = {
  Depot: {
    Store: async (_ctx, { title, owner, picture, thumbnail }) => ({
      title: `${title} of ${owner}`,
      stored: { type: picture.type, size: picture.size, sha256: await picture.text(), name: picture.name },
      folder: thumbnail === undefined ? "" : `${thumbnail.name} ${await thumbnail.text()}`,
    }),
    StoreMany: async (_ctx, { files }) => ({
      stored: await Promise.all(
        files.map(async (file) => ({ type: file.type, size: file.size, sha256: await file.text() })),
      ),
    }),
    Submit: (_ctx, form) => ({
      title: form.title,
      shelf: form.shelf,
      files: { [form.image.name]: form.image.size, pages: form.pages.length },
    }),
    Attach: (_ctx, { form, note }) => ({
      filed: {
        title: note,
        shelf: "TOP",
        files: form === undefined ? {} : { [form.image.name]: form.image.size },
      },
    }),
    Fetch: (ctx, { name }) => {
      if (name === "none") return ctx.errors.NoSuchFile();
      if (name === "empty") return new Blob([]);
      if (name === "broken") return { body: new Blob(["half"]).stream(), size: 900 };
      return { body: Buffer.from([0, 255, 10]), type: "image/png", name, disposition: "attachment" };
    },
    Turn: (_ctx, { source }) => source,
    Export: () => new Blob([]),
    Read: async function* (_ctx, { source, from }) {
      for (const line of (await source.text()).split("\n").slice(from)) yield { line };
    },
  },
};

let server: RunningServer;
beforeAll(async () => {
  server = await serveWith("node-http", createServer(handlers));
});
afterAll(() => server[Symbol.asyncDispose]());

let dir: Folder;
beforeEach(() => {
  dir = folder({ "me.png": "pixels", "a.txt": "one\ntwo", 'data/we"ird;name,.bin': "x" });
  return () => dir[Symbol.dispose]();
});

function call(method: string, request: object, ...words: readonly string[]): Promise<Outcome> {
  const args = ["call", method, JSON.stringify(request), "--schema", schema, "--url", server.url, ...words];
  return ridlkit(args, { cwd: dir.path });
}

describe("a file in a request", () => {
  test("is the value of its field; other text with @ is text", async () => {
    const { code, out, err } = await call("Store", { title: "@me.png", owner: "12", picture: "@me.png" });
    expect({ code, out: JSON.parse(out), err }).toEqual({
      code: 0,
      out: {
        title: "@me.png of 12",
        stored: { name: "me.png", type: "image/png", size: 6, sha256: "pixels" },
        folder: "",
      },
      err: "",
    });
  });

  test("is one of a list, or a field of a struct, or absent", async () => {
    const many = await call("StoreMany", { files: ["@a.txt", '@data/we"ird;name,.bin'] });
    expect(JSON.parse(many.out)).toEqual({
      stored: [
        { type: "text/plain", size: 7, sha256: "one\ntwo" },
        { type: "application/octet-stream", size: 1, sha256: "x" },
      ],
    });
    const one = await call("StoreMany", { files: "@a.txt" });
    expect(JSON.parse(one.out)).toMatchObject({ stored: [{ size: 7 }] });
    const form = { title: "t", shelf: "TOP", image: "@me.png" };
    const submitted = await call("Submit", { ...form, pages: ["@a.txt", "@a.txt"] });
    expect(JSON.parse(submitted.out)).toMatchObject({ files: { "me.png": 6, pages: 2 } });
    expect(JSON.parse((await call("Attach", { form, note: "n" })).out)).toMatchObject({
      filed: { title: "n", files: { "me.png": 6 } },
    });
    expect(JSON.parse((await call("Attach", { note: "n" })).out)).toMatchObject({ filed: { files: {} } });
  });

  test("and items of a stream", async () => {
    const { code, out } = await call("Read", { source: "@a.txt", from: 0 });
    expect({ code, out }).toEqual({ code: 0, out: '{"line":"one"}\n{"line":"two"}\n' });
  });

  test.each([
    [{ title: "t" }, '/picture: expected "@PATH" of a file, found nothing'],
    [{ title: "t", picture: "me.png" }, '/picture: expected "@PATH" of a file'],
    [{ title: "t", picture: 5 }, '/picture: expected "@PATH" of a file'],
    [{ title: "t", picture: "@" }, '/picture: expected "@PATH" of a file'],
    [{ title: "t", picture: "@no.png" }, '/picture: "no.png" cannot be read: it does not exist'],
    [{ title: "t", picture: "@data" }, '/picture: "data" cannot be read: it is not a regular file'],
    [{ title: "t", picture: ["@me.png"] }, '/picture: expected "@PATH" of a file'],
  ])("%j is invalid", async (request, message) => {
    const { code, err } = await call("Store", request);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`  ${message}\n`) });
  });

  test("of a field of a struct is required if the struct is present", async () => {
    const { code, err } = await call("Attach", { form: { title: "t", shelf: "TOP" }, note: "n" });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("  /form/image: expected") });
  });
});

describe("a response that is a file", () => {
  test("is written to a file, and described", async () => {
    const { code, out, err } = await call("Fetch", { name: "a.png" }, "-o", "out.png");
    expect({ code, out, err }).toEqual({ code: 0, out: "", err: "a.png: image/png, 3 bytes\n" });
    expect([...readFileSync(join(dir.path, "out.png"))]).toEqual([0, 255, 10]);
    const document = await call("Fetch", { name: "a.png" }, "-o", "out.png", "--format", "json");
    expect(JSON.parse(document.err)).toMatchObject({
      ok: true,
      status: 200,
      file: { name: "a.png", type: "image/png", bytes: 3, path: "out.png" },
    });
  });

  test("may be empty", async () => {
    writeFileSync(join(dir.path, "out"), "old");
    const { code, err } = await call("Fetch", { name: "empty" }, "-o", "out");
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining("0 bytes") });
    expect(readFileSync(join(dir.path, "out"), "utf8")).toBe("");
  });

  test("leaves an existing file if there is an error", async () => {
    const { code, err } = await call("Fetch", { name: "none" }, "-o", "me.png");
    expect({ code, err }).toEqual({ code: 1, err: "NoSuchFile (code 1, HTTP 404): no such file\n" });
    expect(readFileSync(join(dir.path, "me.png"), "utf8")).toBe("pixels");
  });

  test("that breaks off ends with exit code 4", async () => {
    const { code, err } = await call("Fetch", { name: "broken" }, "-o", "out");
    expect({ code, err }).toEqual({
      code: 4,
      err: expect.stringMatching(/^ridlkit: The connection broke off: .+\n$/),
    });
  });

  test("needs a name for a document", async () => {
    const { code, out } = await call("Fetch", { name: "a" }, "--format", "json");
    expect({ code, out }).toEqual({
      code: 2,
      out: expect.stringContaining("The response of Depot.Fetch is a file: name one with --output FILE."),
    });
  });

  test("cannot replace a folder", async () => {
    mkdirSync(join(dir.path, "out"));
    const { code, err } = await call("Fetch", { name: "a" }, "-o", "out");
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('"out" cannot be written: it is a directory'),
    });
  });
});

test("a server that rejects a form early is reported", async () => {
  await using closing = await recordingServer((response) =>
    response
      .writeHead(413, { "Content-Type": "application/json" })
      .end('{"error":"TooLarge","code":-4,"msg":"too large"}'),
  );
  const request = '{"title":"t","picture":"@me.png"}';
  const args = ["call", "Store", request, "--schema", schema, "--url", closing.url];
  const { code, err } = await ridlkit(args, { cwd: dir.path });
  expect({ code, err }).toEqual({ code: 1, err: "TooLarge (code -4, HTTP 413): too large\n" });
});
