import { issue, toIssues } from "./errors.ts";
import { BodyFault, hasOwn } from "./json.ts";
import type { BodyRefusal, BodyWatcher, FileField, Upload, UploadCall, WatchedCall } from "./options.ts";

/* Rules for forms with files, shared by both receivers. Imports neither of their packages. */

/** Name of the part with all arguments that are not files. */
export const jsonPart = "json";

/** Maximum number of parts that are not files. Only `json` is read; others are ignored like unknown fields of JSON. */
export const fieldsMax = 16;

/** Allowance for part headers and boundaries. */
const framingMaxBytes = 256 * 1024;

/** Returns the largest valid form size, in bytes. */
export function formMaxBytes({ fileMaxBytes, filesMax, bodyMaxBytes }: UploadCall): number {
  return fileMaxBytes * filesMax + bodyMaxBytes * fieldsMax + framingMaxBytes;
}

/** All errors of a form. */
export const formFaults = {
  noBoundary: (): BodyFault => new BodyFault("the form has no boundary"),
  unreadable: (thrown: unknown): BodyFault =>
    new BodyFault(
      `the form cannot be read: ${thrown instanceof Error ? thrown.message : "it is incomplete"}`,
    ),
  connectionLost: (): BodyFault => new BodyFault("the connection closed before the body was complete"),
  tooLarge: (maxBytes: number): BodyFault => BodyFault.tooLarge(maxBytes),
  tooLargeJson: (maxBytes: number): BodyFault =>
    new BodyFault(`/${jsonPart}: larger than ${maxBytes} bytes`, undefined, 413),
  tooManyFiles: (filesMax: number): BodyFault => new BodyFault(`more than ${filesMax} files`),
  tooManyFields: (): BodyFault => new BodyFault(`more than ${fieldsMax} parts that are not files`),
  unknownFile: (name: string): BodyFault => fieldFault(name, "no file with this name", "a file"),
  secondFile: (name: string): BodyFault => fieldFault(name, "one file", "more than one"),
  tooLargeFile: (name: string, maxBytes: number): BodyFault =>
    fieldFault(name, `a file of at most ${maxBytes} bytes`, "a larger file", 413),
};

function fieldFault(name: string, expected: string, found: string, status?: number): BodyFault {
  return BodyFault.of(toIssues([issue([name], expected, found)]), status);
}

/** Reports required files that the form lacks. Whether the argument of a field is present is not known yet. */
export function missingFiles(
  fields: readonly FileField[],
  files: ReadonlyMap<string, unknown>,
): BodyFault | undefined {
  return missing(fields.filter((field) => field.within === undefined && isMissing(field, files)));
}

export function isMissing(
  { name, isOptional, isList }: FileField,
  files: ReadonlyMap<string, unknown>,
): boolean {
  return !isOptional && !isList && !files.has(name);
}

export function missing(fields: readonly FileField[]): BodyFault | undefined {
  const issues = fields.map(({ name, within }) =>
    issue(within === undefined ? [name] : [within, name], "a file", "nothing"),
  );
  return issues.length === 0 ? undefined : BodyFault.of(toIssues(issues));
}

/** Longest file name in common file systems, in characters. */
const nameMaxLength = 255;

/** Returns a file name without folders, control characters, and characters that change the text direction. */
export function plainName(name: string | undefined): string | undefined {
  const last = name?.split(/[\\/]/).pop() ?? "";
  const plain = last.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "");
  return plain === "" ? undefined : plain.slice(0, nameMaxLength);
}

/* Reads a form while the host watches how much has arrived. */

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
