/** One JSON-RPC request over HTTP, and what of its response can be believed. */
import { hideSecretsOf, hideUrlSecrets } from "../../../base/url-secrets.ts";
import { NodeFault, ResponseTooLarge, RpcError } from "./faults.ts";
import { detailOf, detailOfBody, errorOf, idOf, parse, readBytes, textOf } from "./response.ts";

export interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** One question, or a list of them, which is answered by a list. */
export type RpcPayload = RpcCall | readonly RpcCall[];

/** The answer to one of the questions, by its id. */
export type ResponseTo = (id: number) => { readonly result: unknown } | RpcError | NodeFault;

export interface JsonRpcOptions {
  readonly url: string;
  /** One HTTP response, in milliseconds, until its last byte. */
  readonly responseTimeoutMs: number;
  /** Of one HTTP response. */
  readonly maxResponseBytes: number;
  /** Runs one HTTP request when it is its turn. Default: at once. */
  readonly schedule?: <Value>(request: () => Promise<Value>) => Promise<Value>;
}

interface Response {
  readonly status: number;
  /** Undefined: more than are read. */
  readonly bytes: Buffer | undefined;
}

/** Of the page that a gateway sends with a failure: its reason is in the first lines. */
const failureMaxBytes = 16_384;

/** Throws NodeFault, and RpcError where a response as a whole is one. */
export function openJsonRpc({
  url,
  responseTimeoutMs,
  maxResponseBytes,
  schedule = (request) => request(),
}: JsonRpcOptions): (asked: RpcPayload) => Promise<ResponseTo> {
  const { address, headers } = addressOf(url);
  const node = hideUrlSecrets(url);
  const hide = hideSecretsOf(url);
  const fault = (detail: string): NodeFault => new NodeFault(hide(detail), node);

  async function send(body: string): Promise<Response> {
    const ending = new AbortController();
    const { signal } = ending;
    const timer = setTimeout(() => ending.abort(), responseTimeoutMs);
    try {
      // A redirect leads to a node that the operator has not configured.
      const response = await fetch(address, { method: "POST", headers, body, signal, redirect: "error" });
      const { ok, status } = response;
      return { status, bytes: await readBytes(response, ok ? maxResponseBytes : failureMaxBytes, signal) };
    } catch (err) {
      throw fault(signal.aborted ? `no whole response within ${responseTimeoutMs} ms` : detailOf(err));
    } finally {
      clearTimeout(timer);
    }
  }

  function rpcError(answer: unknown, status: number): RpcError | undefined {
    const error = errorOf(answer);
    return error && new RpcError({ ...error, detail: hide(error.detail), status, node });
  }

  /** An error that concerns a whole list of questions has no id, or stands alone. It is the answer to none of them. */
  function refusal(answer: unknown): NodeFault | undefined {
    const error = errorOf(answer);
    return error && fault(`error ${error.code}: ${error.detail}`);
  }

  /** The list of answers. The status counts first: what a gateway sends with a failure is no answer of a node. */
  function listOf({ status, bytes }: Response, isList: boolean): readonly unknown[] {
    const isOk = status >= 200 && status < 300;
    if (bytes === undefined && isOk)
      throw new ResponseTooLarge(`its response is larger than ${maxResponseBytes} bytes`, node);
    const text = bytes === undefined ? "" : textOf(bytes);
    const parsed = parse(text);
    if (!isOk) throw rpcError([parsed].flat()[0], status) ?? fault(`HTTP ${status}: ${detailOfBody(text)}`);
    if (parsed === undefined) throw fault(`its response is no JSON: ${detailOfBody(text)}`);
    if (Array.isArray(parsed) === isList) return isList ? (parsed as readonly unknown[]) : [parsed];
    throw refusal(parsed) ?? fault(`its response is ${isList ? "no list" : "a list"}`);
  }

  function read(response: Response, asked: RpcPayload): ResponseTo {
    const questions = "id" in asked ? [asked] : asked;
    const list = listOf(response, !("id" in asked));
    const answers = new Map(list.map((answer) => [idOf(answer), answer]));
    if (list.length !== questions.length || questions.some(({ id }) => !answers.has(id)))
      throw refusal(answers.get(null)) ?? fault("its answers are not those to the questions");
    return (id) => answerIn(answers.get(id), response.status);
  }

  function answerIn(answer: unknown, status: number): ReturnType<ResponseTo> {
    const { result, error } = answer as { readonly result?: unknown; readonly error?: unknown };
    if (error !== undefined && error !== null)
      return rpcError(answer, status) ?? fault("an error in its response has no code or no message");
    return result === undefined ? fault("an answer in its response has no result") : { result };
  }

  return async (asked) => {
    const call = (question: RpcCall): object => ({ jsonrpc: "2.0", ...question });
    const body = JSON.stringify("id" in asked ? call(asked) : asked.map(call));
    return read(await schedule(() => send(body)), asked);
  };
}

/** A user in the address goes into a header: `fetch` refuses addresses that have one. */
function addressOf(url: string): { readonly address: string; readonly headers: Record<string, string> } {
  const parsed = new URL(url);
  const { username, password } = parsed;
  const headers = { "content-type": "application/json" };
  if (username === "" && password === "") return { address: url, headers };
  parsed.username = "";
  parsed.password = "";
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    address: parsed.href,
    headers: { ...headers, authorization: `Basic ${Buffer.from(user).toString("base64")}` },
  };
}
