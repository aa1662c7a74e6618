import { posix, resolve } from "node:path";
import { compile } from "../../../language/compile.ts";
import { plain } from "../../../language/diagnostics/paint.ts";
import { renderDiagnostic } from "../../../language/diagnostics/render.ts";
import { counted } from "../../../language/diagnostics/tally.ts";
import { visible } from "../../../language/diagnostics/visible.ts";
import { DevServer } from "../../dev/dev-server.ts";
import { FileWatcher } from "../../dev/file-watcher.ts";
import type { MockedCall, MockOptions } from "../../mock/mock.ts";
import { delayForm, mockLimits, readDelay } from "../../mock/mock-controls.ts";
import { type Command, type CommandCall, defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../command-error.ts";
import { configNames } from "../config/config-file.ts";
import { forCode, type Schema } from "../config/schemas.ts";
import { historySource, schemaSource } from "../generate/watch.ts";
import { type OptionTable, schemaOptions } from "../options.ts";
import { reportCommandError, reportFindings } from "../output/report.ts";
import { listenFailure } from "../servers/failures.ts";
import { loadMock } from "../servers/load-mock.ts";
import { servedContract } from "../servers/served-contract.ts";
import { allowedCallers, busyPortText, callerOptions, lastPort } from "../servers/server-options.ts";

const mockOptions = {
  ...schemaOptions,
  port: {
    kind: "integer",
    max: 65_535,
    value: "N",
    description: "Port on loopback; default: 4010, or the next free one; 0: any free port",
  },
  ...callerOptions,
  seed: { kind: "integer", value: "N", description: "Seed of the responses; default: 1" },
  records: {
    kind: "integer",
    max: mockLimits.records,
    value: "N",
    description: "Initial records of each kind; default: 3",
  },
  delay: {
    kind: "text",
    value: "TIME",
    description: "Delay before each response, such as 50ms or 1.5s; default: none",
  },
  itemDelay: { kind: "text", value: "TIME", description: "Delay before each stream item; default: 500ms" },
  items: {
    kind: "integer",
    max: mockLimits.items,
    value: "N",
    description: "Number of stream items; default: 5",
  },
  errorRate: {
    kind: "text",
    value: "RATE",
    description: "Share of calls that fail, from 0 to 1; default: 0",
  },
  auth: {
    kind: "flag",
    description: "Require credentials for methods with @auth (default); --no-auth does not",
  },
  watch: { kind: "flag", description: "Reload the schema after each edit" },
} as const satisfies OptionTable;

type MockCall = CommandCall<typeof mockOptions>;

export const mock: Command = defineCommand({
  name: "mock",
  usage: "[options] [FILE]",
  description: `Runs the generated server with its validators. Responses use the examples of the schema (example =
…), and otherwise values that match its rules, formats and field names, such as email. If the
project has @faker-js/faker installed, names and places come from it. A response repeats values of
its request, such as an ID. The same request gets the same response.

Methods that are annotated with @create:Pet @get:Pet @list:Pet @update:Pet @delete:Pet store
records. @paging:"size,page" names the fields that select a page of a list, by number or cursor.
Other fields of the request filter the list.

A call can control its response with headers:
  Mock-Error: NotFound     return this error of the schema or the protocol
  Mock-Delay: 200ms        wait before the response, and before each item of a stream
  Mock-Seed: 5             use another seed
  Mock-Items: 10           number of stream items

With a history, calls of clients of kept versions are converted. A call is rejected if a function
that only you can write would convert it.

The page at "/" shows the contract and calls its methods: the explorer.

Methods with @auth return their error with status 401 (or 403) to calls without a credential. The
header is the one in "openapi.securitySchemes" of the configuration, or else a common one.
Programs and web pages of localhost can call the server; other pages and host names are rejected.

With --format json, each line is an event:
  { event: "serving", url, explorer, busyPort, methods, changed } { event: "invalid", changed }
  { event: "call", method, status, error, ms, cause }
  { ok, error, diagnostics }: findings, or an error of the command line`,
  options: mockOptions,
  takesOneSchema: true,
  jsonStream: "lines",
  examples: [
    { command: "ridlkit mock api.ridl", description: "Serve on port 4010" },
    {
      command: "ridlkit mock --watch --error-rate 0.1 --delay 50ms",
      description: "Be slow, and fail one call in ten",
    },
  ],
  async run(call) {
    const settings = settingsOf(call);
    if (typeof settings === "string") return call.refuse(settings);
    const [schema] = call.schemas;
    if (schema === undefined) return call.refuse("The configuration has no schema.");
    const guard = allowedCallers(call.options);
    if (typeof guard === "string") return call.refuse(guard);
    await using server = new DevServer(settings.port, guard, settings.lastPort);
    try {
      return await new MockSession(call, schema, settings, server).run();
    } catch (err) {
      const { syscall } = err as NodeJS.ErrnoException;
      const failure = syscall === "listen" ? listenFailure(err, settings.port) : undefined;
      if (failure === undefined) throw err;
      return call.refuse(failure);
    }
  },
});

type Settings = Omit<MockOptions, "onCall" | "credentialHeaders" | "texts"> & {
  readonly port: number;
  readonly lastPort: number;
};

/** Parses the options. Returns a message if one is invalid. */
function settingsOf({ options }: MockCall): Settings | string {
  const faults: string[] = [];
  const time = (name: "delay" | "itemDelay", typed: string, usual: number): number => {
    const text = options[name];
    const ms = text === undefined ? usual : readDelay(text);
    if (ms === undefined) faults.push(`--${typed} takes ${delayForm}; found "${text}".`);
    return ms ?? usual;
  };
  const rate = options.errorRate ?? "0";
  if (!/^(0|1|0?[.][0-9]{1,6}|1[.]0+)$/.test(rate))
    faults.push(`--error-rate takes a number from 0 to 1, such as 0.1; found "${rate}".`);
  const { port = 4010 } = options;
  const settings = {
    port,
    lastPort: lastPort(port, options.port),
    seed: options.seed ?? 1,
    records: options.records ?? 3,
    items: options.items ?? 5,
    delayMs: time("delay", "delay", 0),
    itemDelayMs: time("itemDelay", "item-delay", 500),
    errorRate: Number(rate),
    wantsCredentials: options.auth ?? true,
  };
  return faults[0] ?? settings;
}

/** Serves a schema until SIGINT or SIGTERM. */
class MockSession {
  readonly #call: MockCall;
  readonly #settings: Settings;
  readonly #server: DevServer;
  #schema: Schema;
  /** Whether a terminal still needs the first steps. */
  #isFirst = true;
  /** The files of the schema. */
  #sourcePaths: readonly string[] = [];

  constructor(call: MockCall, schema: Schema, settings: Settings, server: DevServer) {
    this.#call = call;
    this.#schema = schema;
    this.#settings = settings;
    this.#server = server;
  }

  async run(): Promise<ExitCode> {
    const stopping = new AbortController();
    const stop = (): void => stopping.abort();
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    try {
      if (this.#call.options.watch === true) await this.#watch(stopping.signal);
      else if (!(await this.#serve([]))) return exitCode.findings;
      else await aborted(stopping.signal);
      return exitCode.ok;
    } finally {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    }
  }

  async #watch(stop: AbortSignal): Promise<void> {
    const { cwd } = this.#call;
    const own = [schemaSource(this.#schema.path, cwd), ...configNames.map((name) => resolve(cwd, name))];
    await using changes = await FileWatcher.of(own, () => false);
    let since = Date.now();
    await this.#serve([]);
    for (;;) {
      changes.add([...own, ...this.#sourcePaths], since);
      const changed = await changes.next(stop);
      if (changed === undefined) return;
      since = Date.now();
      const again = await this.#call.reloadSchemas();
      if (again.error !== undefined) await reportCommandError(again.error, this.#call.report);
      this.#schema = again.value?.[0] ?? this.#schema;
      await this.#serve([...changed].map((path) => posix.relative(cwd, path)).sort());
    }
  }

  /** Returns whether the schema is served. On errors, which are reported, the previous version keeps running. */
  async #serve(changed: readonly string[]): Promise<boolean> {
    const { reader, report, cwd, terminal } = this.#call;
    const { diagnostics, result } = compile(this.#schema.path, reader, forCode(this.#schema));
    if (result === undefined) {
      reportFindings(report, diagnostics);
      const text = diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, plain)).join("\n");
      this.#server.report({ title: "The schema has errors", text, root: cwd });
      this.#logEvent(
        { event: "invalid", changed },
        `${visible(this.#schema.path)}: not served, because the schema has errors\n`,
      );
      return false;
    }
    this.#sourcePaths = [
      ...result.scopes.map(({ file }) => resolve(cwd, file.source.path)),
      ...historySource(this.#schema, cwd),
    ];
    const source = { schema: this.#schema, compiled: result, reader, cwd };
    const onCall = (one: MockedCall): void => this.#logCall(one);
    const { mock, diagnostics: ofHistory } = await loadMock(source, { ...this.#settings, onCall });
    if (ofHistory.length > 0) reportFindings(report, ofHistory);
    if (typeof mock === "string") {
      reportCommandError({ kind: "usage", message: mock, help: "ridlkit help mock" }, report);
      this.#logEvent({ event: "invalid", changed }, "");
      return false;
    }
    const command = `npx ridlkit mock ${this.#schema.path}`;
    const contract = servedContract(result, this.#schema, { command, isMock: true });
    await this.#server.swap({ ...mock, contract }, () => {});
    const { url, explorerUrl: explorer, busyPort } = this.#server;
    const { outPaint } = report;
    const methods = mock.plan.services.reduce((sum, service) => sum + service.methods.length, 0);
    const words = `${visible(this.#schema.path)}: ${outPaint.good("serving")} ${url}${busyPortText(busyPort)}, ${counted(methods, "method")}, seed ${this.#settings.seed}\n`;
    const isWanted = this.#isFirst && terminal.outIsTerminal && explorer !== undefined;
    this.#isFirst = false;
    const steps = isWanted ? contract.firstSteps(url, explorer, outPaint) : "";
    this.#logEvent({ event: "serving", url, explorer, busyPort, methods, changed }, `${steps}${words}`);
    return true;
  }

  #logCall({ method, status, error, ms, cause }: MockedCall): void {
    const { outPaint } = this.#call.report;
    const result = `${status}${error === undefined ? "" : ` ${error}`}`;
    const severity = status >= 500 ? "error" : "warning";
    const painted = status < 400 ? outPaint.good(result) : outPaint.severity(severity, result);
    const words = `${visible(method)} ${painted} ${ms} ms\n`;
    const why = cause === undefined ? "" : `  ${visible(cause)}\n`;
    this.#logEvent({ event: "call", method, status, error, ms, cause }, `${words}${why}`);
  }

  #logEvent(event: object, words: string): void {
    const { report, terminal } = this.#call;
    if (report.format === "json") terminal.out(`${JSON.stringify(event)}\n`);
    else if (!report.quiet) terminal.out(words);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
}
