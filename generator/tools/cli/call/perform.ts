import { visible } from "../../../language/diagnostics/visible.ts";
import { printExact } from "../../../verify/client/exact-json.ts";
import {
  byGet,
  type CallOptions,
  type Client,
  type MethodClient,
  type ReceivedFile,
  RpcError,
} from "../../../verify/client/method-client.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { ProgressLine } from "../output/progress.ts";
import { connectionFailure, noResponseText } from "../servers/connection-failure.ts";
import { errorJson, errorLines, exitCodeOf } from "./failure.ts";
import { type HttpRequest, type ResponseHead, sendHttp } from "./http-transport.ts";
import { type JsonStyle, printJson } from "./json-output.ts";
import type { Output } from "./output.ts";

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
export function performCall(call: ReadyCall, printer: Printer): Promise<ExitCode> {
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
      throw new RpcError({ name: "WebrpcStreamLost", code: -9, status: 0, msg: "stream lost", cause: "" });
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
    const text = JSON.stringify({ ...fields, status, headers: Object.fromEntries(headers) });
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
    if (error.cause === "time-out")
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
