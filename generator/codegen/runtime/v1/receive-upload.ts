/** Receives files: a form's parts go to the disk as they arrive, and the form is parsed by `@fastify/busboy`. */
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { issue, issuesOfAll } from "./issue.ts";
import { BodyFault } from "./json.ts";
import type { ReceiveUpload, Upload, UploadCall } from "./upload.ts";
import { makeUploadFolder } from "./upload-folder.ts";
import type { UploadedFile } from "./uploaded-file.ts";

/** Name of the part that holds the arguments that are no files. */
const jsonPart = "json";

/** Parts beside the files. One is read; others are let pass as unknown fields of JSON are. */
const fieldsMax = 16;

/** For the heads of the parts and what a form may have around them. */
const framingMaxBytes = 256 * 1024;

export const receiveUpload: ReceiveUpload = async (body, call) => {
  const reception = new Reception(call);
  const fault = await reception.read(body).catch(async (thrown) => {
    await reception.discard();
    throw thrown;
  });
  if (fault === undefined) return reception;
  await reception.discard();
  return fault;
};

interface Part {
  readonly name: string;
  readonly file: Promise<UploadedFile>;
}

class Reception implements Upload {
  json = "";
  readonly files: Map<string, UploadedFile[]> = new Map();
  readonly #call: UploadCall;
  readonly #stopping = new AbortController();
  /** In the order of the form. */
  readonly #parts: Part[] = [];
  #fault: BodyFault | undefined;
  /** What the host itself could not do. */
  #failure: Error | undefined;
  #folder: Promise<string> | undefined;

  constructor(call: UploadCall) {
    this.#call = call;
  }

  async discard(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    // What cannot be removed fails nobody's call.
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }

  /** Answers what is wrong with the form, once nothing is written any more. */
  async read(body: AsyncIterable<Uint8Array>): Promise<BodyFault | undefined> {
    const parser = this.#parser();
    if (parser === undefined) return new BodyFault("the form has no boundary");
    try {
      await pipeline(this.#counted(body), parser, { signal: this.#stopping.signal });
    } catch (thrown) {
      this.#fail(`the form cannot be read: ${thrown instanceof Error ? thrown.message : "it is broken"}`);
    }
    // What is still written is waited for, so that nothing comes after the folder has gone.
    await Promise.allSettled(this.#parts.map(({ file }) => file));
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#fault !== undefined) return this.#fault;
    for (const { name, file } of this.#parts) {
      this.files.set(name, [...(this.files.get(name) ?? []), await file]);
    }
    return this.#missing();
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
      // It may break off before anybody reads it.
      stream.on("error", () => {});
      const field = known.get(name);
      if (field === undefined) this.#refuse(name, "no file of that name", "a file");
      else if (!field.isList && this.#parts.some((part) => part.name === name)) {
        this.#refuse(name, "one file", "more than one");
      } else this.#take(name, stream, { name: plainName(fileName), type });
    });
    parser.on("field", (name, text, _isNameCut, isCut) => {
      if (name !== jsonPart) return;
      if (isCut) this.#fail(`/${jsonPart}: larger than ${bodyMaxBytes} bytes`);
      this.json = text;
    });
    parser.on("filesLimit", () => this.#fail(`more than ${filesMax} files`));
    parser.on("fieldsLimit", () => this.#fail(`more than ${fieldsMax} parts that are no files`));
    return parser;
  }

  #take(name: string, stream: BusboyFileStream, about: Pick<UploadedFile, "name" | "type">): void {
    const path = this.#write(stream, this.#parts.length);
    path.catch(() => this.#stopping.abort());
    stream.on("limit", () =>
      this.#refuse(name, `a file of at most ${this.#call.fileMaxBytes} bytes`, "a larger one"),
    );
    this.#parts.push({
      name,
      file: path.then((written) => ({ ...about, size: stream.bytesRead, path: written })),
    });
  }

  /** Files have numbers: names are their senders'. */
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

  /** Everything that a form may hold, and no more. */
  async *#counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { fileMaxBytes, filesMax, bodyMaxBytes } = this.#call;
    const maxBytes = fileMaxBytes * filesMax + bodyMaxBytes * fieldsMax + framingMaxBytes;
    let length = 0;
    try {
      for await (const chunk of body) {
        length += chunk.byteLength;
        if (length > maxBytes) this.#fail(`the body is larger than ${maxBytes} bytes`);
        if (this.#stopping.signal.aborted) return;
        yield chunk;
      }
    } catch {
      this.#fail("the connection ended before the body did");
    }
  }

  #fail(reason: string): void {
    this.#stop(new BodyFault(reason));
  }

  /** The same for a fault of one field. */
  #refuse(name: string, expected: string, found: string): void {
    this.#stop(BodyFault.of(issuesOfAll([issue([name], expected, found)])));
  }

  /** Only the first fault is reported: the rest of the form is not read. */
  #stop(fault: BodyFault): void {
    this.#fault ??= fault;
    this.#stopping.abort();
  }

  #missing(): BodyFault | undefined {
    const issues = this.#call.fields
      .filter(({ name, isOptional, isList }) => !isOptional && !isList && !this.files.has(name))
      .map(({ name }) => issue([name], "a file", "nothing"));
    return issues.length === 0 ? undefined : BodyFault.of(issuesOfAll(issues));
  }
}

/** Most characters of a file's name: as many as file systems take. */
const nameMaxLength = 255;

/** Without folders, and without signs that a terminal or a page would take for more than text. */
function plainName(name: string | undefined): string | undefined {
  const last = name?.split(/[\\/]/).at(-1) ?? "";
  const plain = last.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "");
  return plain === "" ? undefined : plain.slice(0, nameMaxLength);
}
