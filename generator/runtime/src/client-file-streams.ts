import type { Client, MethodTraits, Schema } from "./client.ts";
import { asForm, type FilePath, withoutFiles } from "./client-files.ts";
import { type Stream, type StreamMethod, type StreamOptions, streamMethod } from "./client-streams.ts";
import type { RpcError } from "./errors.ts";
import type { Transport } from "./transport.ts";

/** How a method that streams sends files. */
interface FileStreamTraits extends MethodTraits {
  readonly files: readonly FilePath[];
}

/** Creates the function of a method that takes files and streams. */
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
