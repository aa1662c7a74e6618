import { expect, test } from "vitest";
import type { Document, DocumentRequest } from "../../../../server/base/outbound/document.ts";
import { readingLimits } from "../../../../server/market/token-metadata/limits.ts";
import {
  type ReadDocumentDependencies,
  readDocument,
} from "../../../../server/market/token-metadata/read-document.ts";

import { sourceOf } from "../../../../server/market/token-metadata/token-uri.ts";

const { signal } = new AbortController();

/** Reads the metadata at a URI whose server sends a response. */
async function read(uri: string, response: Partial<Document> = {}) {
  const requests: DocumentRequest[] = [];
  const outbound = {
    read: async (request: DocumentRequest): Promise<Document> => {
      requests.push(request);
      return { status: 200, mediaType: "application/json", body: Buffer.from('{"name":"a"}'), ...response };
    },
  };
  const dependencies = { outbound, limits: readingLimits, signal };
  const source = sourceOf(uri, { tokenId: 5n, ipfsGateway: "https://gateway.example/" });
  const found = await readDocument(dependencies as unknown as ReadDocumentDependencies, source).then(
    ({ name }) => name,
    (err: Error) => err.message,
  );
  return { found, requests };
}

test("a document is read within the limits", async () => {
  const { found, requests } = await read("ipfs://Qm/a");
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

test("a data: URI is read without a request", async () => {
  expect(await read('data:,{"name":"b"}')).toEqual({ found: "b", requests: [] });
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
  ["text/html", 'the server of the URI responded with "text/html", not JSON'],
  ["x".repeat(81), `the server of the URI responded with "${"x".repeat(80)}", not JSON`],
])("a response with the type %s is read as %j", async (mediaType, found) => {
  expect((await read("https://a.example/", { mediaType })).found).toBe(found);
});
