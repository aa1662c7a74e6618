/** Methods that take files and stream their response. */
import type { Client, MethodTraits, Schema } from "./client.ts";
import type { RpcError } from "./errors.ts";
import { asForm, type FilePath, withoutFiles } from "./request-form.ts";
import type { Stream, StreamOptions } from "./stream.ts";
import { type StreamMethod, streamMethod } from "./stream-method.ts";
import type { Transport } from "./transport.ts";

/** How a method that streams sends files. */
export interface FileStreamTraits extends MethodTraits {
  readonly files: readonly FilePath[];
}

/**
 * Creates the function of a method that takes files and streams. Generated code calls this at module level, so it must
 * have no side effects.
 */
export function fileStreamMethod<Called>(
  schema: Schema,
  service: string,
  name: string,
  { files, ...traits }: FileStreamTraits,
): Called {
  const method = streamMethod<StreamMethod<object, unknown, RpcError>>(schema, service, name, traits);
  function run(client: Client, req: object, options: StreamOptions<object> = {}): Stream<unknown, RpcError> {
    const { transport = fetch } = client;
    const { resume } = options;
    /** The request of the next connection, including its files. */
    let request = req;
    const formTransport: Transport = (url, init) => transport(url, asForm(init, request, files));
    const resumeWithoutFiles = (_first: object, last: unknown): object => {
      request = resume === undefined ? req : resume(req, last);
      return withoutFiles(request, files);
    };
    // How long a file transfer takes is unknown.
    const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? 0;
    const settings = { ...options, timeoutMs, resume: resumeWithoutFiles };
    return method({ ...client, transport: formTransport }, withoutFiles(req, files), settings);
  }
  run.info = method.info;
  return run as never;
}
