import { filterModel } from "../../../codegen/plan/filter.ts";
import { type CompiledSchema, compile } from "../../../language/compile.ts";
import { counted } from "../../../language/diagnostics/tally.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { keptSuffix } from "../../../language/history-files.ts";
import { printExact } from "../../../verify/client/exact-json.ts";
import type { Finding } from "../../../verify/contract-test/call.ts";
import type { MethodWithoutSuccess } from "../../../verify/contract-test/coverage.ts";
import { printJson } from "../call/send.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { exitCode } from "../command-error.ts";
import { type Schema, wireSettings } from "../config/schemas.ts";
import {
  errorsText,
  explainUnreached,
  selectMethods,
  type UnreachedReport,
} from "../contract-test/select-methods.ts";
import { connectionError, curlOf, sendTo, type Target } from "../contract-test/send-calls.ts";
import { type OptionTable, schemaOptions } from "../options.ts";
import { reportFindings } from "../output/report.ts";
import { ProgressLine } from "../output/terminal.ts";
import { credentialHeaders } from "../servers/credential-headers.ts";
import { addressMessage, readAddress, readHeaders } from "../servers/server-options.ts";

const testOptions = {
  ...schemaOptions,
  url: {
    kind: "text",
    value: "URL",
    description: "Base URL of the server, without the basepath of the schema",
  },
  header: {
    kind: "texts",
    value: "NAME:VALUE",
    description: "Header for every call, such as an API key; repeatable",
  },
  recording: {
    kind: "text",
    value: "CALLS",
    description: "Check the calls of this recording instead of a server",
  },
  only: { kind: "names", value: "A,B", description: "Test only these services and methods" },
  skip: { kind: "names", value: "A,B", description: "Leave out these services and methods" },
  readOnly: { kind: "flag", description: "Call only methods with @readonly" },
  seed: { kind: "integer", value: "N", description: "Seed of the requests; default: 1" },
  seconds: { kind: "integer", value: "N", description: "Time limit for all calls; default: 60" },
  allowUnreached: {
    kind: "flag",
    description: "Exit with 0 even if methods were not reached",
  },
} as const satisfies OptionTable;

type TestVerbCall = CommandCall<typeof testOptions>;

export const test: Command = defineCommand({
  name: "test",
  usage: "--url URL | --recording CALLS [options] [FILE]",
  description: `Calls every method with valid requests, including values at their limits, and with requests that
break one rule each. Checks responses, errors and credentials. Methods with a route are called on
their route, with another verb, and on their default path. Creates, reads and deletes records
with methods that are annotated with @create:Pet @get:Pet @list:Pet @update:Pet @delete:Pet;
@paging:"size,page" names the fields that select a page of a list. Each finding comes with the
calls that reproduce it, as curl commands. The same seed makes the same calls.

Requests use the examples of the schema and the keys of records in earlier responses. A 401 or 403
that a @public method lists is a normal response. Methods such as Logout are called last, because
the server may refuse the credential after them.

--only and --skip take names and patterns: Shop, Shop.GetOrder, "*.Delete*".

The test leaves records behind. Use a test server, or --read-only.

Responses are validated by Ajv with the generated JSON Schema, including formats. A method is
unreached if all its calls were rejected, for example because credentials are missing, or if time
ran out. Unreached methods, and methods that only returned errors, are listed with the reason.

For a kept version of a history, such as history/v1.0.0.webrpc.json, calls are sent as by clients of
that version.

--recording makes no calls. It checks the calls in a file that createRecorder of the generated server
has written.

With --format json:
  { ok, seed, calls, findings: [{ rule, method, text, calls: [{ path, body, curl }] }],
    unreached: [{ method, reason, help }], onlyErrors: [{ method, errors: [{ name, status }] }] }
A call on a route also has its verb. It has no body if the values are in the path and the query.

The exit code is 1 if there are findings or unreached methods.`,
  options: testOptions,
  exclusiveOptions: [
    ["url", "recording"],
    ["only", "recording"],
    ["skip", "recording"],
  ],
  takesOneSchema: true,
  jsonStream: "out",
  examples: [
    { command: "ridlkit test --url http://127.0.0.1:4000 api.ridl", description: "Test a local server" },
    { command: "ridlkit test --url http://127.0.0.1:4000 --header X-Key:k", description: "Send a header" },
    {
      command: 'ridlkit test --url http://127.0.0.1:4000 --skip "Admin,*.Delete*"',
      description: "Leave out a service, and methods by a pattern",
    },
    { command: "ridlkit test --recording calls.ndjson api.ridl", description: "Check recorded calls" },
  ],
  async run(call) {
    const { options, schemas, reader, report } = call;
    const run = readTestOptions(call);
    if (typeof run === "string") return call.refuse(run);
    const [schema] = schemas;
    if (schema === undefined) return exitCode.usage;
    const { diagnostics, result } = compile(schema.path, reader, schema);
    if (result === undefined) {
      reportFindings(report, diagnostics);
      return exitCode.findings;
    }
    const { ir } = result;
    const target = {
      ...run,
      ...(schema.path.endsWith(keptSuffix) ? { webrpc: `${ir.name}@${ir.version}` } : {}),
    };
    const done =
      options.recording === undefined
        ? await callServer(result, schema, target, call)
        : await readCalls(result, schema, options.recording, call);
    if (typeof done === "string") return call.refuse(done);
    const isOk = done.found.length === 0 && (done.unreached.length === 0 || options.allowUnreached === true);
    printResult(done, { ...target, isOk }, call);
    return isOk ? exitCode.ok : exitCode.findings;
  },
});

/** Parses the options. Returns a message if one is invalid. */
function readTestOptions({
  options,
}: TestVerbCall): (Target & { readonly seed: number; readonly seconds: number }) | string {
  const numbers = { seed: options.seed ?? 1, seconds: options.seconds ?? 60 };
  if (options.recording !== undefined) return { ...numbers, address: "$URL", credentials: {} };
  const address = options.url === undefined ? undefined : readAddress(options.url);
  if (options.url !== undefined && address === undefined) return addressMessage("--url", options.url);
  if (address === undefined)
    return "Missing server: use --url http://HOST:PORT, or --recording FILE to check recorded calls.";
  const credentials = readHeaders(options.header ?? []);
  if (credentials === undefined) return "--header takes NAME:VALUE, such as X-Access-Key:abc.";
  return { ...numbers, address, credentials };
}

interface TestOutcome {
  readonly found: readonly Finding[];
  readonly calls: number;
  readonly unreached: readonly UnreachedReport[];
  readonly onlyErrors: readonly MethodWithoutSuccess[];
}

async function callServer(
  { model, ir }: CompiledSchema,
  schema: Schema,
  run: Target & { readonly seed: number; readonly seconds: number },
  { options, report }: TestVerbCall,
): Promise<TestOutcome | string> {
  const reason = await connectionError(run);
  if (reason !== undefined) return reason;
  const { createPlan } = await import("../../../codegen/generate.ts");
  const { emitJsonSchema } = await import("../../../codegen/emit/json-schema/index.ts");
  const { Suite } = await import("../../../verify/contract-test/suite.ts");
  const { ResponseValidator } = await import("../../../verify/responses/response-validator.ts");
  const plan = createPlan(filterModel(model, schema.filter), ir, {
    ...wireSettings(schema),
    schemaFile: schema.path,
  });
  const isSelected = selectMethods(plan, options);
  if (typeof isSelected === "string") return isSelected;
  const jsonSchema = JSON.parse(emitJsonSchema(plan)[0]?.text ?? "{}");
  const end = performance.now() + run.seconds * 1_000;
  const leftMs = (): number => end - performance.now();
  using progress = new ProgressLine(report);
  const suite = new Suite(
    {
      plan,
      responses: await ResponseValidator.of(jsonSchema, { checksFormats: true }),
      send: sendTo(run, leftMs),
    },
    {
      seed: run.seed,
      count: 30,
      readOnly: options.readOnly ?? false,
      isSelected,
      sendsCredentials: Object.keys(run.credentials).length > 0,
      isTimeUp: () => leftMs() < 0,
      onProgress: ({ calls, done, methods }) =>
        progress.update(`${done} of ${counted(methods, "method")}, ${counted(calls, "call")}`),
    },
  );
  const found = await suite.run();
  if (suite.foreignReason !== undefined)
    return `${visible(run.address)} does not serve this API: ${suite.foreignReason}. Check --url.`;
  const { unreached, onlyErrors } = suite.coverage;
  const { sessionEndedBy } = suite;
  const about = { plan, credentialHeaders: credentialHeaders(schema), target: run, sessionEndedBy };
  return {
    found,
    calls: suite.calls,
    unreached: unreached.map((one) => explainUnreached(one, about)),
    onlyErrors,
  };
}

async function readCalls(
  { model, ir }: CompiledSchema,
  schema: Schema,
  path: string,
  { cwd, report }: TestVerbCall,
): Promise<TestOutcome | string> {
  const { readRecordingFile } = await import("../breaking/replaying.ts");
  const calls = readRecordingFile(path, cwd);
  if (typeof calls === "string") return calls;
  if (calls.length === 0) return `"${path}" contains no calls, so there is nothing to check.`;
  using progress = new ProgressLine(report);
  progress.show(`Checking ${counted(calls.length, "call")}`);
  const { loadInMemory } = await import("../../../verify/in-memory/load.ts");
  const { ResponseValidator } = await import("../../../verify/responses/response-validator.ts");
  const { checkRecordedCalls } = await import("../../../verify/contract-test/recorded-calls.ts");
  const { requestChecker } = await import("../../../verify/contract-test/checkers.ts");
  const loaded = await loadInMemory({
    model: filterModel(model, schema.filter),
    ir,
    ...wireSettings(schema),
  });
  const responses = await ResponseValidator.of(loaded.jsonSchema, { checksFormats: true });
  const found = await checkRecordedCalls({
    plan: loaded.plan,
    responses,
    calls,
    allows: requestChecker(loaded),
  });
  return { found, calls: calls.length, unreached: [], onlyErrors: [] };
}

interface Run extends Target {
  readonly seed: number;
  readonly isOk: boolean;
}

function printResult(
  { found, calls, unreached, onlyErrors }: TestOutcome,
  run: Run,
  { report, terminal }: TestVerbCall,
): void {
  const { errPaint, outPaint } = report;
  const { seed, isOk } = run;
  if (report.format !== "text") {
    const findings = found.map(({ rule, method, message, calls: shown }) => ({
      rule,
      method,
      text: message,
      calls: shown.map((each) => ({ ...each, curl: curlOf(each, run, rule) })),
    }));
    const document = { ok: isOk, seed, calls, findings, unreached, onlyErrors };
    const style = { isPretty: true, isColored: false };
    terminal.out(`${printJson(printExact(document), style)}\n`);
    return;
  }
  for (const { rule, method, message, calls: shown } of found) {
    const lines = shown.map((each) => `    ${visible(curlOf(each, run, rule))}\n`);
    const head = `${errPaint.severity("error", `${method} [${rule}]`)}${errPaint.strong(`: ${visible(message)}`)}`;
    terminal.err(`${head}\n${lines.join("")}\n`);
  }
  for (const [index, { method, reason, help }] of unreached.entries()) {
    terminal.err(`${errPaint.severity("warning", `${method} was not reached`)}: ${visible(reason)}\n`);
    // Many methods may have the same reason.
    if (unreached[index + 1]?.help !== help) terminal.err(`    ${visible(help)}\n`);
  }
  if (report.quiet) return;
  for (const { method, errors } of onlyErrors)
    terminal.err(
      `${errPaint.severity("warning", `${method} returned only errors`)}: ${visible(errorsText(errors))}\n`,
    );
  const also = unreached.length === 0 ? "" : `, ${counted(unreached.length, "unreached method")}`;
  const verdict = `${counted(found.length, "finding")}${also}`;
  const shown = isOk ? outPaint.good(verdict) : outPaint.severity("error", verdict);
  terminal.out(`${counted(calls, "call")} (--seed ${seed}): ${shown}\n`);
}
