/** What the types of streams and files must reject, on both sides. Checked by `npm run types`. */
import { openAsBlob } from "node:fs";
import type { UploadedFile } from "../../generator/runtime/src/uploaded-file.ts";
import { fetch as fetchFile, store, storeMany } from "../fixtures/files/generated/client.ts";
import type { DepotHandlers } from "../fixtures/files/generated/server.ts";
import type { DepotHandlers as InMemory } from "../fixtures/files/generated-in-memory/server.ts";
import { tail, watch } from "../fixtures/wire/generated/client.ts";
import type { WireHandlers } from "../fixtures/wire/generated/server.ts";

const client = { url: "http://localhost" };
const query = { feed: "a", from: 0, count: 1 };
const tick = { sequence: 1, amount: 1n, at: "" };

// Items have their type, and errors include those that the method declares. Any call may lose its stream.
for await (const { amount } of watch(client, query)) amount satisfies bigint;
// @ts-expect-error a stream is no promise of an item
(await watch(client, query)).amount;
// @ts-expect-error lines is missing
tail(client, {});
watch(client, query, { resume: (req, last) => ({ ...req, from: last?.sequence ?? req.from }) });
// @ts-expect-error a resumed request has the fields of the request
watch(client, query, { resume: () => ({ feed: 1 }) });

export const yields: WireHandlers["Watch"] = async function* (ctx) {
  yield tick;
  return ctx.errors.Broken();
};
// @ts-expect-error an item has all fields
export const yieldsLess: WireHandlers["Watch"] = async function* () {
  yield { sequence: 1 };
};
// @ts-expect-error a stream is no single item
export const answersOne: WireHandlers["Watch"] = async () => tick;

// A caller sends blobs, and a handler receives files.
const picture = new Blob([]);
await store(client, { title: "t", picture });
await storeMany(client, { files: [picture, await openAsBlob("a")] });
// @ts-expect-error picture is missing
store(client, { title: "t" });
// @ts-expect-error a path is no file
store(client, { title: "t", picture: "a.png" });
(await fetchFile(client, { name: "a" })).stream satisfies ReadableStream<Uint8Array>;

export const keeps: DepotHandlers["Store"] = (_ctx, { title, picture: { path, size }, thumbnail }) => {
  // @ts-expect-error an optional file may not be there
  thumbnail.path;
  return { title: path, stored: { type: "", size, sha256: title }, folder: "" };
};
export const answersBlob: DepotHandlers["Fetch"] = () => openAsBlob("a");
export const answersBytes: DepotHandlers["Fetch"] = () => ({ body: new Uint8Array(), type: "image/png" });
export const refuses: DepotHandlers["Fetch"] = (ctx) => ctx.errors.NoSuchFile();
// @ts-expect-error JSON is no file
export const answersJson: DepotHandlers["Fetch"] = () => ({ name: "a" });

// One handler serves the outputs of all adapters, if it reads files by their functions.
interface AnyUpload {
  readonly title: string;
  readonly picture: UploadedFile;
}
const keepsAnywhere = async (_ctx: object, { title, picture }: AnyUpload) => {
  // @ts-expect-error in memory, a file has no path
  picture.path satisfies string;
  return { title, stored: { type: "", size: 0, sha256: await picture.text() }, folder: "" };
};
keepsAnywhere satisfies DepotHandlers["Store"] & InMemory["Store"];
