/** Reads a form while the host watches how much has arrived. */
import type { BodyRefusal, BodyWatcher, WatchedCall } from "./body-watcher.ts";
import { BodyFault } from "./json.ts";
import { hasOwn } from "./own-property.ts";
import type { FileField, Upload, UploadCall } from "./upload.ts";
import { isMissing, missing } from "./upload-form.ts";

/** The received form of one call. */
export interface Reception {
  /** The `json` part: all arguments that are not files. Empty if the form has none. */
  readonly json: string;
  /** The files of each field. */
  readonly files: ReadonlyMap<string, readonly object[]>;
  /** Deletes the files that the handler has not moved. */
  discard(): Promise<void>;
}

/** Reads a form with `read`, unless the host rejects it meanwhile. */
export async function receiveForm(
  body: AsyncIterable<Uint8Array>,
  call: UploadCall,
  read: (chunks: AsyncIterable<Uint8Array>) => Promise<Reception | BodyFault>,
): Promise<Upload | BodyRefusal> {
  const chunks = new WatchedChunks(body, call);
  const received = await read(chunks);
  if (received instanceof BodyFault) return chunks.refusal ?? received;
  if (chunks.refusal !== undefined) {
    received.discard();
    return chunks.refusal;
  }
  return {
    json: received.json,
    addTo: (request) => addFiles(request, received, call),
    discard: () => received.discard(),
  };
}

/** Adds files to the request, replacing JSON values of the same names. Files of an absent argument are ignored. */
function addFiles(request: object, { files }: Reception, { fields }: UploadCall): BodyFault | undefined {
  const lacking: FileField[] = [];
  for (const field of fields) {
    const { name, isList, within } = field;
    const holder = within === undefined ? request : argumentOf(request, within);
    if (holder === undefined) continue;
    if (within !== undefined && isMissing(field, files)) lacking.push(field);
    const received = files.get(name) ?? [];
    const value = isList ? received : received[0];
    Reflect.deleteProperty(holder, name);
    if (value !== undefined) Object.defineProperty(holder, name, { value, enumerable: true, writable: true });
  }
  return missing(lacking);
}

function argumentOf(request: object, name: string): object | undefined {
  const value: unknown = hasOwn(request, name) ? request[name as never] : undefined;
  return typeof value === "object" && value !== null ? value : undefined;
}

/** The chunks of a form, reported to the watcher as its receiver reads them. */
class WatchedChunks implements AsyncIterable<Uint8Array> {
  /** Why reading stopped early. */
  refusal: BodyRefusal | undefined;
  readonly #chunks: AsyncIterable<Uint8Array>;
  readonly #watcher: BodyWatcher | undefined;
  /** Stops waiting for the next chunk. */
  #stopWaiting = (): void => {};

  constructor(chunks: AsyncIterable<Uint8Array>, call: WatchedCall) {
    this.#chunks = chunks;
    this.#watcher = call.watchBody((refusal) => {
      this.refusal = refusal;
      this.#stopWaiting();
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const chunks = this.#chunks[Symbol.asyncIterator]();
    try {
      while (this.refusal === undefined) {
        const { done, value } = await this.#next(chunks);
        if (done === true) return;
        this.#watcher?.arrived(value.byteLength);
        yield value;
      }
    } finally {
      this.#watcher?.ended();
      // Not awaited: a stalled sender would block the reader of this form.
      chunks.return?.().catch(() => {});
    }
  }

  /** Creates one promise per chunk. A single promise in `Promise.race` would keep all chunks in memory. */
  #next(chunks: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array, undefined>> {
    return new Promise((resolve, reject) => {
      this.#stopWaiting = () => resolve({ done: true, value: undefined });
      chunks.next().then(resolve, reject);
    });
  }
}
