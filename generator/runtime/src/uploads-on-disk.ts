import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import type { BodyFault } from "./json.ts";
import type { UploadCall, UploadReceiver } from "./options.ts";
import type { UploadedFile } from "./uploaded-file-on-disk.ts";
import {
  fieldsMax,
  formFaults,
  formMaxBytes,
  jsonPart,
  missingFiles,
  plainName,
  type Reception,
  receiveForm,
} from "./uploads.ts";

/*
 * Folders for uploaded files, one per call. Their names contain the process id, so that folders of killed processes can
 * be removed.
 */

const prefix = "ridlkit-upload-";

/**
 * Folders without a write for this long, in milliseconds, may be removed. A process in another container that shares
 * the parent folder looks dead, but writes more often.
 */
const staleAfterMs = 60 * 60 * 1000;

/** Parent folders that were already cleaned. */
const sweptParents = new Set<string>();

/**
 * Creates a folder for the files of a call. The first call per process also removes folders that killed processes left
 * behind.
 */
export function makeUploadFolder(parent: string): Promise<string> {
  if (!sweptParents.has(parent)) {
    sweptParents.add(parent);
    // Runs in the background. A folder that cannot be removed must not fail a call.
    removeStaleFolders(parent).catch(() => {});
  }
  return mkdtemp(join(parent, `${prefix}${process.pid}-`));
}

async function removeStaleFolders(parent: string): Promise<void> {
  const startedAt = Date.now();
  for (const name of await readdir(parent)) {
    const pid = /^ridlkit-upload-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(parent, name);
    if (startedAt - (await lastWrittenAt(folder)) > staleAfterMs)
      await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Whether a folder's process is running. Containers reuse ids, so a folder with our own id may belong to an earlier
 * process: its age decides.
 */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: the process exists but belongs to another user.
    return (thrown as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Returns when a folder or one of its files was last written. A folder that cannot be read counts as new. */
async function lastWrittenAt(folder: string): Promise<number> {
  try {
    const paths = [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
    const times = await Promise.all(paths.map(async (path) => (await lstat(path)).mtimeMs));
    return Math.max(...times);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/* Receives files on disk. Each part is written while it arrives. The form is parsed by `@fastify/busboy`. */

/** Stores uploaded files on disk. */
export const uploadReceiver: UploadReceiver = {
  defaults: { fileMaxBytes: 64 * 1024 * 1024, filesMax: 10 },
  isInMemory: false,
  receive: (body, call) => receiveForm(body, call, (chunks) => storeForm(chunks, call)),
};

async function storeForm(
  body: AsyncIterable<Uint8Array>,
  call: UploadCall,
): Promise<DiskReception | BodyFault> {
  const reception = new DiskReception(call);
  const fault = await reception.read(body).catch(async (thrown) => {
    await reception.discard();
    throw thrown;
  });
  if (fault === undefined) return reception;
  await reception.discard();
  return fault;
}

class DiskFile implements UploadedFile {
  readonly name: string | undefined;
  readonly type: string;
  readonly size: number;
  readonly path: string;

  constructor({ name, type, size, path }: Pick<UploadedFile, "name" | "type" | "size" | "path">) {
    this.name = name;
    this.type = type;
    this.size = size;
    this.path = path;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer, byteOffset, byteLength } = await readFile(this.path);
    return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await readFile(this.path));
  }

  stream(): ReadableStream<Uint8Array> {
    return Readable.toWeb(createReadStream(this.path)) as ReadableStream<Uint8Array>;
  }
}

interface Part {
  readonly name: string;
  readonly file: Promise<UploadedFile>;
}

class DiskReception implements Reception {
  json = "";
  readonly files: Map<string, UploadedFile[]> = new Map();
  readonly #call: UploadCall;
  readonly #stopping = new AbortController();
  /** In the order of the form. */
  readonly #parts: Part[] = [];
  #fault: BodyFault | undefined;
  /** A failure of the host, such as a full disk. */
  #failure: Error | undefined;
  #folder: Promise<string> | undefined;

  constructor(call: UploadCall) {
    this.#call = call;
  }

  async discard(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    // A folder that cannot be removed must not fail a call.
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }

  /** Reads the form. Returns its error, once all writes have finished. */
  async read(body: AsyncIterable<Uint8Array>): Promise<BodyFault | undefined> {
    const parser = this.#parser();
    if (parser === undefined) return formFaults.noBoundary();
    try {
      await pipeline(this.#counted(body), parser, { signal: this.#stopping.signal });
    } catch (thrown) {
      this.#stop(formFaults.unreadable(thrown));
    }
    // Waits for pending writes, so that no file is written after its folder is removed.
    await Promise.allSettled(this.#parts.map(({ file }) => file));
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#fault !== undefined) return this.#fault;
    for (const { name, file } of this.#parts) {
      this.files.set(name, [...(this.files.get(name) ?? []), await file]);
    }
    return missingFiles(this.#call.fields, this.files);
  }

  #parser(): BusboyInstance | undefined {
    const { contentType, fileMaxBytes, filesMax, bodyMaxBytes } = this.#call;
    const known = new Map(this.#call.fields.map((field) => [field.name, field]));
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: { "content-type": contentType },
        limits: { fileSize: fileMaxBytes, files: filesMax, fieldSize: bodyMaxBytes, fields: fieldsMax },
        isPartAFile: (name = "", _type, fileName) =>
          name !== jsonPart && (known.has(name) || fileName !== undefined),
      });
    } catch {
      return undefined;
    }
    parser.on("file", (name, stream, fileName, _encoding, type) => {
      // The stream may fail before it is read.
      stream.on("error", () => {});
      const field = known.get(name);
      if (field === undefined) this.#stop(formFaults.unknownFile(name));
      else if (!field.isList && this.#parts.some((part) => part.name === name)) {
        this.#stop(formFaults.secondFile(name));
      } else this.#take(name, stream, { name: plainName(fileName), type });
    });
    parser.on("field", (name, text, _isNameCut, isCut) => {
      if (name !== jsonPart) return;
      if (isCut) this.#stop(formFaults.tooLargeJson(bodyMaxBytes));
      this.json = text;
    });
    parser.on("filesLimit", () => this.#stop(formFaults.tooManyFiles(filesMax)));
    parser.on("fieldsLimit", () => this.#stop(formFaults.tooManyFields()));
    return parser;
  }

  #take(name: string, stream: BusboyFileStream, about: Pick<UploadedFile, "name" | "type">): void {
    const path = this.#write(stream, this.#parts.length);
    path.catch(() => this.#stopping.abort());
    stream.on("limit", () => this.#stop(formFaults.tooLargeFile(name, this.#call.fileMaxBytes)));
    this.#parts.push({
      name,
      file: path.then((written) => new DiskFile({ ...about, size: stream.bytesRead, path: written })),
    });
  }

  /** Files are stored under numbers, because their names come from callers. */
  async #write(stream: BusboyFileStream, number: number): Promise<string> {
    const { signal } = this.#stopping;
    this.#folder ??= makeUploadFolder(this.#call.folder ?? tmpdir());
    const folder = await this.#folder.catch((thrown) => {
      this.#failure ??= thrown;
      throw thrown;
    });
    const path = join(folder, String(number));
    const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
    file.on("error", (thrown) => {
      if (!signal.aborted) this.#failure ??= thrown;
    });
    await pipeline(stream, file, { signal });
    return path;
  }

  /** Limits the body to the largest valid form. */
  async *#counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const maxBytes = formMaxBytes(this.#call);
    let length = 0;
    try {
      for await (const chunk of body) {
        length += chunk.byteLength;
        if (length > maxBytes) this.#stop(formFaults.tooLarge(maxBytes));
        if (this.#stopping.signal.aborted) return;
        yield chunk;
      }
    } catch {
      this.#stop(formFaults.connectionLost());
    }
  }

  /** Reports only the first error. The rest of the form is not read. */
  #stop(fault: BodyFault): void {
    this.#fault ??= fault;
    this.#stopping.abort();
  }
}
