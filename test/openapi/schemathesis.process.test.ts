/** Schemathesis calls mocks of schemas with routes as their documents describe. */
import { expect, test } from "vitest";
import { compile } from "../../generator/language/compile.ts";
import { DevServer } from "../../generator/tools/dev/dev-server.ts";
import { createMock } from "../../generator/tools/mock/mock.ts";
import { loadInMemory } from "../../generator/verify/in-memory/load.ts";
import { routedShelf } from "../generator/verify/contract-test/shelf-schema.ts";
import { memoryReader } from "../support/memory-reader.ts";
import { openapiText, routedSchemas } from "./documents.ts";
import { isInstalled, lenient, type Report, runSchemathesis, timeout } from "./schemathesis.ts";

/** They expect 405 for PUT /items/reset, and no PUT in `Allow`, but that is a call of PUT /items/{id}. */
const overlapping = ["unsupported_method", "allow_header_conformance"];

/** Without annotations of records, a mock stores none: what was deleted is still there. */
const withoutRecords = ["use_after_free", "ensure_resource_availability"];

/** Serves a mock, and tests it with the document. `change` makes the document wrong. */
async function findings(
  schema: string,
  excluded: readonly string[],
  change: (document: string) => string = (document) => document,
): Promise<Report> {
  const { result } = compile("api.ridl", memoryReader({ "api.ridl": schema }));
  if (result === undefined) throw new Error("the schema has errors");
  const settings = { seed: 1, delayMs: 0, items: 3, itemDelayMs: 0, errorRate: 0, records: 3 };
  const mock = createMock(await loadInMemory(result), {
    ...settings,
    wantsCredentials: false,
    credentialHeaders: new Map(),
    onCall: () => {},
  });
  await using host = new DevServer(0);
  await host.swap(mock, () => {});
  const document = change(openapiText(schema, "number", { format: "json" }));
  return await runSchemathesis(document, { url: host.url, phases: "coverage,fuzzing,stateful", excluded });
}

test.runIf(isInstalled)("nothing is found", { timeout }, async () => {
  const { code, out } = await findings(routedShelf, [lenient]);
  expect([code, out]).toEqual([0, expect.stringMatching(/Tested: 5/)]);
});

test.runIf(isInstalled)("nothing is found where routes overlap", { timeout }, async () => {
  const { code, out } = await findings(routedSchemas.items, [lenient, ...overlapping, ...withoutRecords]);
  expect([code, out]).toEqual([0, expect.stringMatching(/Tested: 16/)]);
});

test.runIf(isInstalled)("a document that promises too much is found", { timeout }, async () => {
  const { code, out } = await findings(routedShelf, [lenient], (document) =>
    document.replaceAll(/"required": \[\s*"book"/g, '"required": ["more", "book"'),
  );
  expect([code, out]).toEqual([1, expect.stringContaining('"more" is a required property')]);
});
