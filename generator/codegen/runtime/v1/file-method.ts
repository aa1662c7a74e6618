/** Methods that take files or return one. */
import type { Call, CallOptions, Client, MethodInfo, MethodTraits, Schema } from "./client.ts";
import { send } from "./client-send.ts";
import { readFile } from "./received-file.ts";
import { asForm, type FilePath, withoutFiles } from "./request-form.ts";
import type { Transport } from "./transport.ts";

/** How a method sends and receives files. */
export interface FileTraits extends MethodTraits {
  readonly files?: readonly FilePath[];
  readonly answersFile?: true;
}

/**
 * Creates the function of a method that takes files or returns one. Generated code calls this at module level, so it
 * must have no side effects.
 */
export function fileMethod<Called>(
  schema: Schema,
  service: string,
  name: string,
  { files = [], answersFile, ...traits }: FileTraits,
): Called {
  const info: MethodInfo = { ...traits, schema, service, name };
  function sendFiles(call: Call): Promise<unknown> {
    const { req = {}, client, signal } = call;
    const { transport = fetch } = client;
    const formTransport: Transport = (url, init) => {
      const prepared = files.length > 0 ? asForm(init, req, files) : init;
      return transport(url, answersFile ? { ...prepared, stream: true } : prepared);
    };
    const sent = { ...call, req: withoutFiles(req, files), client: { ...client, transport: formTransport } };
    return answersFile ? send(sent, (method, response) => readFile(method, response, signal)) : send(sent);
  }
  async function run(client: Client, req?: unknown, options?: CallOptions): Promise<unknown> {
    // How long a file transfer takes is unknown.
    const timeoutMs = options?.timeoutMs ?? client.timeoutMs ?? (files.length > 0 ? 0 : 30_000);
    const call: Call = { ...options, client, method: info, req, timeoutMs };
    return client.interceptor ? client.interceptor(call, sendFiles) : sendFiles(call);
  }
  run.info = info;
  return run as never;
}
