import { compile } from "../../compile.ts";
import type { Finding, Send, TestCall } from "../../contract-test/call.ts";
import { counted } from "../../diagnostics/tally.ts";
import { visible, visibleJson } from "../../diagnostics/visible.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { type OptionTable, schemaOptions } from "../options.ts";
import { usageText } from "../refusal.ts";
import { reportFindings } from "../report.ts";
import { type Call, defineVerb, type Verb } from "../verb.ts";

const testOptions = {
  ...schemaOptions,
  url: { kind: "text", value: "URL", says: "the server, without the schema's own path" },
  header: {
    kind: "names",
    value: "NAME:VALUE",
    says: "sent with each call, as keys; may be given several times",
  },
  readOnly: { kind: "flag", says: "call methods that are @readonly only" },
  seed: { kind: "text", value: "N", says: "of what is sent; default 1" },
  seconds: { kind: "text", value: "N", says: "time for all calls; default 60" },
} as const satisfies OptionTable;

type TestVerbCall = Call<typeof testOptions>;

/** Holds a server to the contract by calling it. */
export const test: Verb = defineVerb({
  name: "test",
  says: "call a server, and tell where it does not keep to the schema",
  usage: "--url URL [options] [FILE]",
  about: `Calls each method with requests that the schema allows, at its bounds, and with requests that
break one rule each; looks at answers, errors and credentials; and follows records through the
methods that keep them: @create:Pet @get:Pet @list:Pet @update:Pet @delete:Pet say which, and
@paging:"size,page" names the fields of the request that cut a list. What is told comes with at
most three calls that show it, as curl. It leaves records behind: use a server that is there for
tests, or --read-only. The same seed makes the same calls.
With --format json:
  { ok, seed, calls, findings: [{ law, method, words, calls: [{ path, body, curl }] }] }
The exit code is 1 if there is something to tell.`,
  options: testOptions,
  exclusive: [],
  several: false,
  documentOn: "out",
  examples: [
    { command: "ridlkit test --url http://127.0.0.1:4000 api.ridl", says: "a server here" },
    { command: "ridlkit test --url http://127.0.0.1:4000 --header X-Key:k", says: "with a key" },
  ],
  async run(call) {
    const { options, schemas, reader, report } = call;
    const address = options.url === undefined ? undefined : addressOf(options.url);
    if (address === undefined) return refuse("Which server? Give --url http://HOST:PORT", call);
    const [seed, seconds] = [options.seed ?? "1", options.seconds ?? "60"];
    const bad = [seed, seconds].find((text) => !/^[0-9]{1,9}$/.test(text));
    if (bad !== undefined) return refuse(`A whole number is wanted, found "${bad}".`, call);
    const headers = (options.header ?? []).map((text) => /^([^:\s]+):\s*(.+)$/.exec(text));
    if (headers.some((header) => header === null)) return refuse("A header is NAME:VALUE.", call);
    const [schema] = schemas;
    if (schema === undefined) return exitCode.usage;
    const { diagnostics, result } = compile(schema.path, reader, schema);
    if (result === undefined) {
      await reportFindings(report, diagnostics);
      return exitCode.findings;
    }
    const credentials = Object.fromEntries(headers.map((header) => [header?.[1] ?? "", header?.[2] ?? ""]));
    const { planOf } = await import("../../generate.ts");
    const { emitJsonSchema } = await import("../../emit/json-schema/index.ts");
    const { Suite } = await import("../../contract-test/suite.ts");
    const { AnswerJudge } = await import("../../replay/answers.ts");
    const { filterModel } = await import("../../plan/filter.ts");
    const plan = planOf(filterModel(result.model, schema.filter), result.ir, { schemaFile: schema.path });
    const jsonSchema = JSON.parse(emitJsonSchema(plan)[0]?.text ?? "{}");
    const end = performance.now() + Number(seconds) * 1_000;
    const suite = new Suite(
      { plan, answers: await AnswerJudge.of(jsonSchema), send: sendTo(address, credentials) },
      {
        seed: Number(seed),
        count: 30,
        readOnly: options.readOnly ?? false,
        isOver: () => performance.now() > end,
        onProgress: (done, methods) => {
          if (call.terminal.errIsTerminal) call.terminal.err(`\r${done} of ${methods} methods`);
        },
      },
    );
    const found = await suite.run();
    if (call.terminal.errIsTerminal) call.terminal.err("\r");
    tell(found, { seed: Number(seed), calls: suite.calls, address, credentials }, call);
    return found.length === 0 ? exitCode.ok : exitCode.findings;
  },
});

interface Run {
  readonly seed: number;
  readonly calls: number;
  readonly address: string;
  readonly credentials: Readonly<Record<string, string>>;
}

function tell(found: readonly Finding[], run: Run, { report, terminal }: TestVerbCall): void {
  const { seed, calls } = run;
  if (report.format !== "text") {
    const findings = found.map((one) => ({
      ...one,
      calls: one.calls.map((each) => ({ ...each, curl: curlOf(each, run) })),
    }));
    terminal.out(
      `${visibleJson(JSON.stringify({ ok: found.length === 0, seed, calls, findings }, null, 2))}\n`,
    );
    return;
  }
  for (const { law, method, words, calls: shown } of found) {
    const lines = shown.map((each) => `    ${visible(curlOf(each, run))}\n`);
    terminal.err(`${method} [${law}]: ${visible(words)}\n${lines.join("")}\n`);
  }
  if (!report.quiet)
    terminal.out(`${counted(calls, "call")} with seed ${seed}: ${counted(found.length, "finding")}\n`);
}

/** With the names of the headers and not their values: what is shown lands in logs. */
function curlOf({ path, body, withoutCredentials }: TestCall, { address, credentials }: Run): string {
  const names = withoutCredentials === true ? [] : Object.keys(credentials);
  const keys = names
    .map((name) => ` -H "${name}: $${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}"`)
    .join("");
  const text = JSON.stringify(body).replaceAll("'", "'\\''");
  return `curl -s ${address}${path} -H 'content-type: application/json'${keys} -d '${text}'`;
}

function addressOf(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text);
    return /^https?:$/.test(protocol) ? href.replace(/\/+$/, "") : undefined;
  } catch {
    return undefined;
  }
}

/** Longest that one call may take, in milliseconds. */
const callTimeoutMs = 10_000;

function sendTo(address: string, credentials: Readonly<Record<string, string>>): Send {
  return async ({ path, body, withoutCredentials }) => {
    const headers = {
      "content-type": "application/json",
      ...(withoutCredentials === true ? {} : credentials),
    };
    try {
      const response = await fetch(`${address}${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
        redirect: "manual",
        signal: AbortSignal.timeout(callTimeoutMs),
      });
      const text = await response.text();
      return { status: response.status, text, contentType: response.headers.get("content-type") ?? "" };
    } catch (err) {
      const { cause, message } = err as Error & { readonly cause?: Error };
      return { status: 0, text: cause?.message ?? message, contentType: "" };
    }
  };
}

function refuse(message: string, { terminal }: TestVerbCall): ExitCode {
  terminal.err(usageText(message, "ridlkit help test"));
  return exitCode.usage;
}
