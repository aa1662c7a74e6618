/** A method that takes files or answers one, as a function. */
import type { Call, CallOptions, Client, MethodInfo, MethodTraits, Schema } from "./client.ts";
import { send } from "./client-send.ts";
import type { RpcError } from "./errors.ts";
import type { Method } from "./method.ts";
import { readFile } from "./received-file.ts";
import { asForm, type Files, withoutFiles } from "./request-form.ts";
import type { Transport } from "./transport.ts";

export interface FileTraits extends MethodTraits {
  /** Names of the arguments that are files. */
  readonly files?: readonly string[];
  readonly answersFile?: true;
}

/** Makes the function of a method. Has no effect besides: generated code calls it once for each at its top. */
export function fileMethod<Req, Res, Err extends RpcError>(
  schema: Schema,
  service: string,
  name: string,
  { files = [], answersFile, ...traits }: FileTraits,
): Method<Req, Res, Err> {
  const info: MethodInfo = { ...traits, schema, service, name };
  function sendFiles(call: Call): Promise<unknown> {
    const { req = {}, client, signal } = call;
    const { transport = fetch } = client;
    const fitted: Transport = (url, init) => {
      const fit = files.length > 0 ? asForm(init, req as Files, files) : init;
      return transport(url, answersFile ? { ...fit, stream: true } : fit);
    };
    const sent = { ...call, req: withoutFiles(req, files), client: { ...client, transport: fitted } };
    return answersFile ? send(sent, (method, response) => readFile(method, response, signal)) : send(sent);
  }
  async function run(client: Client, req?: unknown, options?: CallOptions): Promise<unknown> {
    // How long a file takes is nobody's guess.
    const timeoutMs = options?.timeoutMs ?? client.timeoutMs ?? (files.length > 0 ? 0 : 30_000);
    const call: Call = { ...options, client, method: info, req, timeoutMs };
    return client.interceptor ? client.interceptor(call, sendFiles) : sendFiles(call);
  }
  run.info = info;
  return run as never;
}
