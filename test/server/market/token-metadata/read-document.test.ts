import { expect, test } from "vitest";
import type { Document, DocumentRequest } from "../../../../server/base/outbound/document.ts";
import { readingLimits } from "../../../../server/market/token-metadata/limits.ts";
import {
  type ReadDocumentDependencies,
  readDataUri,
  readDocument,
} from "../../../../server/market/token-metadata/parse-document.ts";

const { signal } = new AbortController();

/** Reads the metadata at a URL whose server sends a response. */
async function read(url: string, response: Partial<Document> = {}) {
  const requests: DocumentRequest[] = [];
  const outbound = {
    read: async (request: DocumentRequest): Promise<Document> => {
      requests.push(request);
      return { status: 200, mediaType: "application/json", body: Buffer.from('{"name":"a"}'), ...response };
    },
  };
  const dependencies = { outbound, limits: readingLimits, signal };
  const found = await readDocument(dependencies as unknown as ReadDocumentDependencies, url).then(
    ({ name }) => name,
    (err: Error) => err.message,
  );
  return { found, requests };
}

test("a document is read within the limits", async () => {
  const { found, requests } = await read("https://gateway.example/Qm/a");
  expect(found).toBe("a");
  expect(requests).toEqual([
    {
      url: "https://gateway.example/Qm/a",
      maxMs: 10_000,
      maxBytes: 1_048_576,
      maxRedirects: 3,
      accept: "application/json",
      signal,
    },
  ]);
});

const base64 = Buffer.from('{"name":"b"}').toString("base64");

test.each([
  ['data:,{"name":"b"}', "b"],
  ['data:application/json;utf8,{"name":"100%ab"}', "100%ab"],
  ['data:application/json;utf8,{"name":"50% #1"}', "50% #1"],
  ["data:application/json,%7B%22name%22:%22%C3%A9%ff%22%7D", "é%ff"],
  [`data:application/json;charset=utf-8;base64,${base64}`, "b"],
  [`data:text/html;base64,${base64.replaceAll("=", "%3D")}`, "b"],
])("%s is read as %j", (uri, name) => {
  expect(readDataUri(uri)).toMatchObject({ name });
});

test.each([
  [199, "the server of the URI responded with status 199"],
  [200, "a"],
  [299, "a"],
  [300, "the server of the URI responded with status 300"],
])("a response with status %i is read as %j", async (status, found) => {
  expect((await read("https://a.example/", { status })).found).toBe(found);
});

test.each([
  ["text/plain", "a"],
  ["text/html", "a"],
  ["image/png", "a"],
  ["", "a"],
])("a response with the type %s is read as %j", async (mediaType, found) => {
  expect((await read("https://a.example/", { mediaType })).found).toBe(found);
});

test.each([
  ["image/png", "\x89PNG", 'the document is not JSON; its type is "image/png"'],
  ["x".repeat(81), "", `the document is not JSON; its type is "${"x".repeat(80)}"`],
  ["text/html", "<html>", 'the document is an HTML page, not JSON; its type is "text/html"'],
  ["application/json", "{", "the document is not JSON"],
])("a response with the type %s and the body %j is rejected: %s", async (mediaType, body, reason) => {
  expect((await read("https://a.example/", { mediaType, body: Buffer.from(body) })).found).toBe(reason);
});
