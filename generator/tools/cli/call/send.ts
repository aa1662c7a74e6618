import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import { type GivenOptions, resolveOptions } from "../../../codegen/options.ts";
import { buildPlan } from "../../../codegen/plan/build.ts";
import { filterModel } from "../../../codegen/plan/filter.ts";
import type { Plan, PlannedMethod, PlannedService } from "../../../codegen/plan/plan.ts";
import { shouldUseColor } from "../../../language/diagnostics/paint.ts";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { writeReason } from "../../../language/diagnostics/system-reason.ts";
import { visible, visibleJson } from "../../../language/diagnostics/visible.ts";
import type { Model } from "../../../language/model/model.ts";
import { streamLost } from "../../../runtime/src/protocol-error-table.ts";
import { printExact, requestOf } from "../../../verify/client/exact-json.ts";
import {
  byGet,
  type CallOptions,
  type Client,
  checkRequest,
  type MethodClient,
  methodClient,
  type ReceivedFile,
  type RequestFault,
  RpcError,
  type TransportInit,
  unknownFields,
} from "../../../verify/client/method-client.ts";
import { didYouMean, type ExitCode, exitCode } from "../command-error.ts";
import { ProgressLine, shellQuote } from "../output/terminal.ts";
import type { Terminal } from "../process-context.ts";
import { connectionFailure, noResponseText } from "../servers/failures.ts";
import { fullName, type HttpRequest, type MethodName, type ResponseHead, sendHttp } from "./contract.ts";
import { curlCommand } from "./curl.ts";
import {
  type CallCall,
  type CallSettings,
  type Credential,
  credentialVariables,
  isHeader,
} from "./settings.ts";

/** A call whose command line is valid. */
export interface CallInput {
  readonly planned: PlannedCall;
  /** JSON of the request. */
  readonly text: string;
  readonly settings: CallSettings;
  readonly credentials: readonly Credential[];
}

/** Checks and sends a request, and prints the response. Or prints the call as a curl command. */
export async function send(input: CallInput, call: CallCall): Promise<ExitCode> {
  const { planned, text, settings, credentials } = input;
  const { options, cwd, terminal } = call;
  const { plan, service, method } = planned;
  const name = fullName({ service: service.name, method: method.name });
  const bad = credentials.find(({ header, prefix, value }) => !isHeader(header, prefix + value));
  if (bad !== undefined)
    return call.refuse(`${bad.variable} contains characters that are not allowed in a header.`);
  const key = options.idempotencyKey;
  if (key !== undefined && !/^[ -~]{1,255}$/.test(key))
    return call.refuse("--idempotency-key takes 1 to 255 printable ASCII characters.");
  if (method.fileOutput && options.output === undefined && options.curl !== true) {
    if (call.report.format === "json" || terminal.outIsTerminal)
      return call.refuse(`The response of ${name} is a file: name one with --output FILE.`);
  }
  const fault = options.check === false ? undefined : checkRequest(plan, method, text);
  if (fault !== undefined) return rejectRequest(fault, name, call);
  if (options.check !== false && !call.report.quiet) warnAboutFields(input, call);
  const opened = await openRequest(input, cwd);
  if ("lines" in opened) return rejectRequest(opened, name, call);
  const ready: ReadyCall = {
    ...settings,
    client: methodClient(plan, service, method),
    request: opened.request,
    headers: withCredentials(settings.headers, credentials),
    idempotencyKey: key,
    isGet: options.get === true,
    name,
    advice: (error) => adviceFor(error, planned, credentials.length > 0),
  };
  if (options.curl) return printCommand(ready, { credentials, filePaths: opened.paths }, call);
  await using output = outputTo(options.output, call);
  try {
    const progress = new ProgressLine(call.report);
    const style = styleOf(call, output.isTerminal);
    return await performCall(ready, { output, err: terminal.err, progress, style });
  } catch (err) {
    if (!(err instanceof OutputError)) throw err;
    return call.refuse(err.message);
  }
}

async function printCommand(
  ready: ReadyCall,
  { credentials, filePaths }: Pick<CurlOutput, "credentials" | "filePaths">,
  { options, terminal }: CallCall,
): Promise<ExitCode> {
  try {
    terminal.out(`${await printCurl(ready, { credentials, filePaths, output: options.output })}\n`);
    return exitCode.ok;
  } catch (err) {
    if (!(err instanceof RpcError)) throw err;
    terminal.err(
      errorLines(err)
        .map((line) => `${visible(line)}\n`)
        .join(""),
    );
    return exitCode.findings;
  }
}

async function openRequest(
  { planned: { method }, text }: CallInput,
  cwd: string,
): Promise<{ readonly request: object; readonly paths: readonly string[] } | RequestFault> {
  const request = requestOf(text);
  if (method.files.length === 0) return { request, paths: [] };
  const { openFiles } = await import("./arguments.ts");
  const opened = await openFiles(request, method.files, cwd);
  return "request" in opened ? opened : { lines: opened, issues: [] };
}

/** The types of the generated client report such a field, and servers ignore it. */
function warnAboutFields({ planned: { plan, method }, text }: CallInput, { terminal }: CallCall): void {
  for (const { pointer, name, known } of unknownFields(plan.finder, method, text)) {
    const hint = didYouMean(suggest(name, known));
    terminal.err(
      `${visible(`ridlkit: The contract has no field ${pointer}, so servers ignore it.${hint}`)}\n`,
    );
  }
}

/** Headers of the command line replace credentials of the environment. */
function withCredentials(
  headers: CallSettings["headers"],
  credentials: readonly Credential[],
): CallSettings["headers"] {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const added = credentials.filter(({ header }) => !given.has(header.toLowerCase()));
  return {
    ...Object.fromEntries(added.map(({ header, prefix, value }) => [header, prefix + value])),
    ...headers,
  };
}

function styleOf({ options, env, report }: CallCall, isTerminal: boolean): ResultStyle {
  const isDocument = report.format === "json";
  return {
    isPretty: options.pretty ?? (isTerminal && !isDocument),
    isColored: shouldUseColor(env, options.color, isTerminal),
    isDocument,
    includesHead: options.include === true,
    isQuiet: report.quiet,
    path: options.output,
  };
}

function adviceFor(error: RpcError, { method }: PlannedCall, hasCredential: boolean): string | undefined {
  if (error.code === -2 && error.side === "server")
    return "The server does not have this method: check --url and the schema version of the server.";
  if ((error.status !== 401 && error.status !== 403) || hasCredential) return undefined;
  const variables = credentialVariables(method.annotations.get("auth"));
  return `No credential was sent: set ${variables.join(" and ")}, or pass --header 'NAME: VALUE'.`;
}

/** Reports a request that does not match the contract. */
function rejectRequest({ lines, issues }: RequestFault, name: string, call: CallCall): ExitCode {
  const { terminal, report } = call;
  if (report.format === "json") {
    const error = { name: "InvalidRequest", code: -4, message: lines.join("; "), issues };
    terminal.out(`${JSON.stringify({ ok: false, error })}\n`);
  } else {
    const text = lines.map((line) => `  ${visible(line)}\n`).join("");
    const advice = call.options.check === false ? "" : " To send it as it is, use --no-check.";
    terminal.err(`ridlkit: The request does not match ${visible(name)}, and was not sent.${advice}\n${text}`);
  }
  return exitCode.findings;
}

/** A call that is ready to be sent. */
export interface ReadyCall {
  readonly client: MethodClient;
  readonly request: object;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In milliseconds. */
  readonly timeoutMs: number | undefined;
  readonly idempotencyKey: string | undefined;
  readonly isGet: boolean;
  /** `Shop.GetOrder`, for messages. */
  readonly name: string;
  /** Follows the report of errors with these HTTP statuses. */
  readonly advice: (error: RpcError) => string | undefined;
}

/** How the result is printed. */
export interface ResultStyle extends JsonStyle {
  /** One JSON document for a program, with status and headers. */
  readonly isDocument: boolean;
  readonly includesHead: boolean;
  readonly isQuiet: boolean;
  /** Path of the file that the output is written to. */
  readonly path: string | undefined;
}

export interface Printer {
  readonly output: Output;
  readonly err: (text: string) => void;
  readonly progress: ProgressLine;
  readonly style: ResultStyle;
}

/** Sends a call and prints its result. Throws `OutputError`. */
function performCall(call: ReadyCall, printer: Printer): Promise<ExitCode> {
  return new Performance(call, printer).run();
}

class Performance {
  readonly #call: ReadyCall;
  readonly #printer: Printer;
  readonly #stopping = new AbortController();
  #head: ResponseHead | undefined;
  /** Why the connection failed. The error of the client has only its text. */
  #connectionError: unknown;

  constructor(call: ReadyCall, printer: Printer) {
    this.#call = call;
    this.#printer = printer;
  }

  async run(): Promise<ExitCode> {
    const { client, request } = this.#call;
    const options: CallOptions = {
      signal: this.#stopping.signal,
      ...(this.#call.idempotencyKey !== undefined && { idempotencyKey: this.#call.idempotencyKey }),
    };
    try {
      switch (client.kind) {
        case "value":
          await this.#printValue(printExact(await client.call(this.#client(), request, options)));
          break;
        case "file":
          await this.#printFile(await client.call(this.#client(), request, options));
          break;
        case "stream":
          await this.#printItems(client.call(this.#client(), request, options));
      }
      return exitCode.ok;
    } catch (err) {
      if (!(err instanceof RpcError)) throw err;
      return this.#fail(err);
    }
  }

  #client(): Client {
    const { address, headers, timeoutMs, isGet } = this.#call;
    return {
      url: address,
      headers: () => headers,
      transport: (url, init) => this.#send(url, init),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(isGet && { reads: byGet }),
    };
  }

  async #send(url: string, init: HttpRequest) {
    try {
      const response = await sendHttp(url, init);
      this.#head = response.head;
      const { includesHead, isDocument } = this.#printer.style;
      if (includesHead && !isDocument) this.#printer.err(headText(response.head));
      return response;
    } catch (err) {
      this.#connectionError = err;
      throw err;
    }
  }

  async #printValue(json: string): Promise<void> {
    const { output, style } = this.#printer;
    if (style.isDocument) await this.#printDocument({ ok: true }, `"response":${json}`);
    else await output.write(`${printJson(json, style)}\n`);
  }

  /** One line for each item, written as it arrives. */
  async #printItems(items: AsyncIterable<object>): Promise<void> {
    const { output, style } = this.#printer;
    const stop = (): void => this.#stopping.abort("stopped");
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    try {
      for await (const item of items) {
        const json = printJson(printExact(item), { ...style, isPretty: false });
        const isRead = await output.write(style.isDocument ? `{"item":${json}}\n` : `${json}\n`);
        if (!isRead) return;
      }
      if (style.isDocument) await this.#printDocument({ ok: true });
    } catch (err) {
      if (!this.#stopping.signal.aborted) throw err;
    } finally {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    }
  }

  async #printFile({ name, type, stream }: ReceivedFile): Promise<void> {
    const { output, progress, style, err } = this.#printer;
    let bytes = 0;
    try {
      for await (const chunk of stream) {
        bytes += chunk.length;
        progress.update(`${name ?? "File"}: ${(bytes / 1_000_000).toFixed(1)} MB`);
        if (!(await output.write(chunk))) return;
      }
      // An empty file is created, too.
      if (bytes === 0) await output.write("");
    } catch (thrown) {
      if (!(thrown instanceof Error) || thrown.name === "OutputError") throw thrown;
      this.#connectionError = thrown;
      throw new RpcError({ ...streamLost, status: 0, cause: "" });
    } finally {
      progress.clear();
    }
    const file = { name, type, bytes, path: style.path };
    if (style.isDocument) await this.#printDocument({ ok: true, file });
    else if (!style.isQuiet) err(`${visible(`${name ?? "File"}: ${type}, ${bytes} bytes`)}\n`);
  }

  /** Prints a document on one line. `member`: JSON that is added as it is. */
  async #printDocument(fields: object, member?: string): Promise<void> {
    const { output, style, err } = this.#printer;
    const { status, headers = [] } = this.#head ?? {};
    const text = printExact({ ...fields, status, headers: Object.fromEntries(headers) });
    const json = member === undefined ? text : `${text.slice(0, -1)},${member}}`;
    const line = `${printJson(json, style)}\n`;
    // The output is the file of the response.
    if (style.path !== undefined) err(line);
    else await output.write(line);
  }

  async #fail(error: RpcError): Promise<ExitCode> {
    const { err, style } = this.#printer;
    const code = exitCodeOf(error);
    if (style.isDocument) {
      await this.#printDocument({ ok: false, error: { ...errorJson(error), cause: this.#reason(error) } });
      return code;
    }
    const lines = code === exitCode.noResponse ? [this.#noResponse(error)] : errorLines(error);
    const advice = this.#call.advice(error);
    err([...lines, ...(advice === undefined ? [] : [advice])].map((line) => `${visible(line)}\n`).join(""));
    return code;
  }

  #reason({ cause }: RpcError): string | undefined {
    if (this.#connectionError === undefined) return cause;
    return connectionFailure(this.#connectionError, this.#call.address).reason;
  }

  #noResponse(error: RpcError): string {
    const { name, address, timeoutMs = 30_000 } = this.#call;
    if (error.cause === "timeout")
      return `ridlkit: No response from ${address} within ${timeoutMs / 1_000} s. Allow more time with --timeout.`;
    if (error.code === -1 && this.#head !== undefined)
      return `ridlkit: The connection to ${address} broke off before the response was complete.`;
    if (error.code === -1)
      return `ridlkit: ${noResponseText(address, this.#connectionError ?? new Error(error.cause))}`;
    const reason = this.#reason(error);
    if (error.code === -9) return `ridlkit: The connection broke off: ${reason}.`;
    const { status = 0, headers = [] } = this.#head ?? {};
    const [, location] = headers.find(([header]) => header.toLowerCase() === "location") ?? [];
    if (status >= 300 && status < 400 && location !== undefined)
      return `ridlkit: ${address} redirects to ${location}. Use that address as --url.`;
    return `ridlkit: The response to ${name} does not follow the protocol (HTTP ${status}): ${reason}`;
  }
}

function headText({ status, statusText, headers }: ResponseHead): string {
  const lines = [
    `HTTP ${status} ${statusText}`.trimEnd(),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.map(visible).join("\n")}\n\n`;
}

/** A method with the plan of everything that it uses. */
export interface PlannedCall {
  readonly plan: Plan;
  readonly service: PlannedService;
  readonly method: PlannedMethod;
}

/** Plans a single method: the plan of a large schema takes longer than the call. */
export function planCall(
  model: Model,
  name: MethodName,
  protocolErrors?: GivenOptions["protocolErrors"],
): PlannedCall | undefined {
  const services = model.services
    .filter((service) => service.name === name.service)
    .map((service) => ({
      ...service,
      methods: service.methods.filter((method) => method.name === name.method),
    }));
  const plan = buildPlan(
    filterModel({ ...model, services }, { services: [name.service], methodTreeShake: true }),
    // All integers of the contract, with every digit.
    resolveOptions({ protocolErrors, int64: "bigint" }),
  );
  const [service] = plan.services;
  const [method] = service?.methods ?? [];
  return service && method && { plan, service, method };
}

/** The error of a call, as programs read it. */
export interface ErrorJson {
  readonly name: string;
  readonly code: number;
  readonly message: string;
  readonly cause: string | undefined;
  readonly issues: RpcError["issues"];
  readonly data: unknown;
  readonly retryAfter: string | undefined;
}

export function errorJson({ name, code, msg, cause, issues, data, retryAfter }: RpcError): ErrorJson {
  return { name, code, message: msg, cause, issues, data, retryAfter: retryAfter ?? undefined };
}

/** 1 for an error that the server returned or that the request has, 4 if no usable response came. */
export function exitCodeOf({ side, code }: RpcError): ExitCode {
  const isAnswered = side === "server" || (side === "client" && code !== -8);
  return isAnswered ? exitCode.findings : exitCode.noResponse;
}

/** The lines about an error that a server returned. */
export function errorLines({
  name,
  code,
  status,
  msg,
  cause,
  issues,
  data,
  retryAfter,
}: RpcError): readonly string[] {
  const http = status === 0 ? "" : `, HTTP ${status}`;
  const lines = (issues ?? []).map(({ path, message }) => `  /${path.join("/")}: ${message}`);
  return [
    `${name} (code ${code}${http}): ${msg}`,
    // Issues repeat the cause, value by value.
    ...(lines.length > 0 ? lines : cause === undefined ? [] : [`  cause: ${cause}`]),
    ...(data === undefined ? [] : dataLines(data)),
    ...(retryAfter ? [`  retry after: ${retryAfter}`] : []),
  ];
}

function dataLines(data: unknown): readonly string[] {
  const json = printJson(printExact(data), { isPretty: true, isColored: false });
  return `data: ${json}`.split("\n").map((line) => `  ${line}`);
}

/** Where a response is written: standard output, or a file. */
export interface Output extends AsyncDisposable {
  readonly isTerminal: boolean;
  /** Resolves to false if the reader of the output is gone. Throws `OutputError`. */
  write(chunk: string | Uint8Array): Promise<boolean>;
}

/** The file of the output cannot be written. */
class OutputError extends Error {
  override readonly name = "OutputError";
}

function outputTo(
  path: string | undefined,
  { cwd, terminal }: { readonly cwd: string; readonly terminal: Terminal },
): Output {
  return path === undefined ? standardOutput(terminal) : new OutputFile(path, cwd);
}

function standardOutput(terminal: Terminal): Output {
  return {
    isTerminal: terminal.outIsTerminal,
    write: (chunk) => terminal.write(chunk),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Opened on the first write, so that a failed call leaves an existing file as it is. */
class OutputFile implements Output {
  readonly isTerminal = false;
  readonly #path: string;
  readonly #cwd: string;
  #file: FileHandle | undefined;

  constructor(path: string, cwd: string) {
    this.#path = path;
    this.#cwd = cwd;
  }

  async write(chunk: string | Uint8Array): Promise<boolean> {
    try {
      this.#file ??= await open(resolve(this.#cwd, this.#path), "w");
      await this.#file.writeFile(chunk);
      return true;
    } catch (err) {
      throw new OutputError(`"${this.#path}" cannot be written: ${writeReason(err)}.`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }
}

/** How JSON is printed. */
export interface JsonStyle {
  readonly isPretty: boolean;
  readonly isColored: boolean;
}

/** The start of a string, a bracket, a comma, a colon, or a number or literal. */
const token = /["{}[\],:]|[^\s{}[\],:"]+/g;

/** Prints valid JSON without changing its values: numbers keep every digit, and objects their order. */
export function printJson(json: string, { isPretty, isColored }: JsonStyle): string {
  const tokens = tokensOf(visibleJson(json));
  const paint = isColored ? colored : plain;
  if (!isPretty && !isColored) return tokens.join("");
  let text = "";
  let depth = 0;
  const line = (): string => (isPretty ? `\n${"  ".repeat(depth)}` : "");
  for (const [index, each] of tokens.entries()) {
    const next = tokens[index + 1];
    if (each === "{" || each === "[") {
      depth++;
      text += next === "}" || next === "]" ? each : each + line();
    } else if (each === "}" || each === "]") {
      depth--;
      const isEmpty = tokens[index - 1] === "{" || tokens[index - 1] === "[";
      text += isEmpty ? each : line() + each;
    } else if (each === ",") text += each + line();
    else if (each === ":") text += isPretty ? ": " : each;
    else text += paint(each, next === ":");
  }
  return text;
}

function plain(text: string): string {
  return text;
}

/** Bold names, green text, yellow numbers and literals. */
function colored(text: string, isName: boolean): string {
  const codes = isName ? "1;34" : text.startsWith('"') ? "32" : "33";
  return `\u001b[${codes}m${text}\u001b[0m`;
}

function tokensOf(json: string): readonly string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let found = token.exec(json); found !== null; found = token.exec(json)) {
    if (found[0] === '"') token.lastIndex = stringEnd(json, found.index);
    tokens.push(json.slice(found.index, token.lastIndex));
  }
  return tokens;
}

/** The end of a string. A regular expression would need a stack as deep as the string is long. */
function stringEnd(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let first = quote;
    while (json[first - 1] === "\\") first--;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  return json.length;
}

export interface CurlOutput {
  readonly credentials: readonly Credential[];
  readonly filePaths: readonly string[];
  /** The file for the response. */
  readonly output: string | undefined;
}

/** Prints the request that a call would send as a curl command. Sends nothing. Throws an `RpcError` for an invalid request. */
async function printCurl(call: ReadyCall, { credentials, filePaths, output }: CurlOutput): Promise<string> {
  const { url, init } = await capture(call);
  const used = credentials.filter(({ header, prefix, value }) => call.headers[header] === prefix + value);
  const options = [
    ...(call.client.kind === "stream" ? ["-N"] : []),
    ...(call.timeoutMs === undefined || call.timeoutMs === 0
      ? []
      : ["--max-time", `${call.timeoutMs / 1_000}`]),
    ...(output === undefined ? [] : ["-o", shellQuote(output)]),
  ];
  return curlCommand({ url, init, credentials: used, filePaths, options });
}

/** Runs a call up to its request. */
async function capture({ client, request, ...call }: ReadyCall) {
  let sent: { readonly url: string; readonly init: TransportInit } | undefined;
  const catching: Client = {
    url: call.address,
    headers: () => call.headers,
    // The name of the client's version is of no use to people.
    webrpcHeader: false,
    transport: async (url, init) => {
      sent = { url, init };
      throw new Error("not sent");
    },
    ...(call.isGet && { reads: byGet }),
  };
  const options = call.idempotencyKey === undefined ? {} : { idempotencyKey: call.idempotencyKey };
  try {
    if (client.kind === "stream") for await (const _item of client.call(catching, request, options));
    else await client.call(catching, request, options);
  } catch (err) {
    if (sent === undefined) throw err;
  }
  if (sent === undefined) throw new Error("the client sent no request");
  return sent;
}
