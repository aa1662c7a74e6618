/** Schemathesis calls a host of the platform as its document describes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { emitOpenapi } from "../../generator/codegen/emit/openapi/index.ts";
import { type AttackedHost, startAttackedHost } from "../support/attacked-host.ts";
import { platformPlan } from "../support/platform-plan.ts";
import type { Document } from "./documents.ts";
import { isInstalled, lenient, runSchemathesis, timeout } from "./schemathesis.ts";

let attacked: AttackedHost;

beforeAll(async () => {
  // A busy machine must not make the host reject calls.
  if (isInstalled) attacked = await startAttackedHost(["--networks", "polygon", "--max-lag-ms", "60000"]);
});
afterAll(() => attacked?.[Symbol.asyncDispose]());

const excluded = [
  lenient,
  // A valid request may name a network that the host does not serve, which is InvalidArgument with status 400.
  "positive_data_acceptance",
  // A missing secret key is PermissionDenied, with status 403: the access key has identified the caller.
  "missing_required_header",
];

/** The document with the paths of some services. Version 3.2 describes reads by QUERY. */
function documentOf(services: readonly string[]): string {
  const securitySchemes = {
    accessKey: { type: "apiKey", in: "header", name: "X-Access-Key" },
    secretKey: { type: "http", scheme: "bearer" },
  };
  const [file] = emitOpenapi(platformPlan(), { format: "json", version: "3.2", securitySchemes });
  const { paths, ...others } = JSON.parse(file?.text ?? "") as Document;
  const own = Object.entries(paths).filter(([path]) => services.includes(path.split("/")[2] ?? ""));
  return JSON.stringify({ ...others, paths: Object.fromEntries(own) });
}

/** The phase "coverage" takes a second for each operation, so a single service has it. */
test.runIf(isInstalled).each([
  ["Marketplace", "/polygon", "fuzzing", 72],
  ["Metadata", "", "coverage,fuzzing", 23],
  ["Indexer", "/polygon", "fuzzing", 22],
  ["API", "", "fuzzing", 6],
  ["Builder", "", "fuzzing", 4],
])("nothing is found in %s", { timeout }, async (service, prefix, phases, operations) => {
  const url = `${attacked.host.url}${prefix}`;
  const { headers } = attacked;
  const { code, out } = await runSchemathesis(documentOf([service]), { url, phases, excluded, headers });
  expect(code, out).toBe(0);
  expect(out).toContain(`Tested: ${operations}\n`);
});
