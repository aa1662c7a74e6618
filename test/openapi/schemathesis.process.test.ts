/** Schemathesis, a tester of APIs by another maker, calls mocks of schemas with routes as their documents describe. */
import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { compile } from "../../generator/language/compile.ts";
import { DevServer } from "../../generator/tools/dev/dev-server.ts";
import { createMock } from "../../generator/tools/mock/mock.ts";
import { loadLive } from "../../generator/verify/live/load.ts";
import { routedShelf } from "../generator/verify/contract-test/shelf-schema.ts";
import { memoryReader } from "../support/memory-reader.ts";
import { folder } from "../support/program.ts";
import { openapiText, routedSchemas } from "./documents.ts";

const { CI, SCHEMATHESIS } = process.env;
const program = SCHEMATHESIS ?? fileURLToPath(new URL(".venv/bin/schemathesis", import.meta.url));
const isInstalled = existsSync(program);
if (!isInstalled && CI === "true") throw new Error(`not there: ${program}`);
if (!isInstalled) console.log(`Schemathesis is left out: ${program} not there; .ci/run installs it.`);

/** Milliseconds for some hundred calls, on a machine that does other work. */
const timeout = 600_000;

/** Servers read `null` as an empty list, and ignore the body of a method without fields: Go clients send both. */
const lenient = "negative_data_rejection";

/** They expect 405 for PUT /items/reset, and no PUT in `Allow`, but that is a call of PUT /items/{id}. */
const overlapping = ["unsupported_method", "allow_header_conformance"];

/** Without annotations of records, a mock stores none: what was deleted is still there. */
const withoutRecords = ["use_after_free", "ensure_resource_availability"];

interface Report {
  readonly code: number;
  readonly out: string;
}

/** Serves a mock, and tests it with the document. `change` makes the document wrong. */
async function findings(
  schema: string,
  excluded: readonly string[],
  change: (document: string) => string = (document) => document,
): Promise<Report> {
  const { result } = compile("api.ridl", memoryReader({ "api.ridl": schema }));
  if (result === undefined) throw new Error("the schema has errors");
  const settings = { seed: 1, delayMs: 0, items: 3, itemDelayMs: 0, errorRate: 0, records: 3 };
  const mock = createMock(await loadLive(result, process.cwd()), {
    ...settings,
    wantsCredentials: false,
    credentialHeaders: new Map(),
    onCall: () => {},
  });
  await using host = await DevServer.open(0);
  await host.swap(mock, () => {});
  using made = folder({});
  writeFileSync(join(made.path, "openapi.json"), change(openapiText(schema, "number", { form: "json" })));
  const options = {
    url: host.url,
    checks: "all",
    "exclude-checks": excluded.join(","),
    phases: "coverage,fuzzing,stateful",
    "max-examples": "5",
    // Servers reject NUL, which many databases cannot store.
    "generation-allow-x00": "false",
  };
  const flags = Object.entries(options).map(([flag, value]) => `--${flag}=${value}`);
  const args = ["run", "openapi.json", ...flags, "--generation-deterministic", "--no-color"];
  return await promisify(execFile)(program, args, { cwd: made.path, maxBuffer: 1 << 26 }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (failure: { readonly code: number; readonly stdout: string }) => ({
      code: failure.code,
      out: failure.stdout,
    }),
  );
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
