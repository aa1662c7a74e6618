/** A method that takes files and streams, as a function. */
import type { Client, MethodTraits, Schema } from "./client.ts";
import type { RpcError } from "./errors.ts";
import { asForm, type Files, withoutFiles } from "./request-form.ts";
import type { Stream, StreamOptions } from "./stream.ts";
import { type StreamMethod, streamMethod } from "./stream-method.ts";
import type { Transport } from "./transport.ts";

export interface FileStreamTraits extends MethodTraits {
  /** Names of the arguments that are files. */
  readonly files: readonly string[];
}

/** Makes the function of a method. Has no effect besides: generated code calls it once for each at its top. */
export function fileStreamMethod<Req, Item, Err extends RpcError>(
  schema: Schema,
  service: string,
  name: string,
  { files, ...traits }: FileStreamTraits,
): StreamMethod<Req, Item, Err> {
  const method = streamMethod<object, Item, Err>(schema, service, name, traits);
  function run(client: Client, req: object, options: StreamOptions<object, Item> = {}): Stream<Item, Err> {
    const { transport = fetch } = client;
    const { resume } = options;
    /** What the next connection asks for, files and all. */
    let asked = req;
    const fitted: Transport = (url, init) => transport(url, asForm(init, asked as Files, files));
    const resumed = (_first: object, last: Item | undefined): object => {
      asked = resume === undefined ? req : resume(req, last);
      return withoutFiles(asked, files);
    };
    // How long a file takes is nobody's guess.
    const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? 0;
    const settings = { ...options, timeoutMs, resume: resumed };
    return method({ ...client, transport: fitted }, withoutFiles(req, files), settings);
  }
  run.info = method.info;
  return run as never;
}
