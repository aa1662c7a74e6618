import { MaxPartsExceededError, type MultipartPart, parseMultipart } from "@remix-run/multipart-parser";
import { BodyFault } from "./json.ts";
import type { UploadCall, UploadReceiver } from "./options.ts";
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

/* Receives files in memory, for platforms without a disk. The form is parsed by `@remix-run/multipart-parser`. */

/** Keeps uploaded files in memory. */
export const uploadReceiver: UploadReceiver = {
  // A form is held in memory twice while it is parsed: 64 MiB of the 128 MiB that Cloudflare gives a Worker.
  defaults: { fileMaxBytes: 8 * 1024 * 1024, filesMax: 4 },
  isInMemory: true,
  receive: (body, call) => receiveForm(body, call, (chunks) => keepForm(chunks, call)),
};

async function keepForm(body: AsyncIterable<Uint8Array>, call: UploadCall): Promise<Reception | BodyFault> {
  const boundary = boundaryOf(call.contentType);
  if (boundary === undefined) return formFaults.noBoundary();
  const form = await readForm(body, formMaxBytes(call));
  return form instanceof BodyFault ? form : parseForm(form, boundary, call);
}

function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  return quoted ?? plain;
}

async function readForm(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | BodyFault> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.byteLength;
      if (length > maxBytes) return formFaults.tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch {
    return formFaults.connectionLost();
  }
  const form = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    form.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return form;
}

/**
 * Parses the complete form at once: the parser rejects a line break after the form if it arrives as a separate chunk.
 */
function parseForm(form: Uint8Array, boundary: string, call: UploadCall): Reception | BodyFault {
  const { filesMax } = call;
  const maxParts = filesMax + fieldsMax;
  const limits = { boundary, maxParts, maxFileSize: form.byteLength, maxTotalSize: form.byteLength };
  const reception = new MemoryReception(call);
  try {
    for (const part of parseMultipart(form, limits)) {
      const fault = reception.add(part);
      if (fault !== undefined) return fault;
    }
  } catch (thrown) {
    if (thrown instanceof MaxPartsExceededError) return formFaults.tooManyFiles(filesMax);
    return formFaults.unreadable(thrown);
  }
  return missingFiles(call.fields, reception.files) ?? reception;
}

class MemoryReception implements Reception {
  json = "";
  readonly files: Map<string, File[]> = new Map();
  readonly #call: UploadCall;
  #fileCount = 0;
  #fieldCount = 0;

  constructor(call: UploadCall) {
    this.#call = call;
  }

  async discard(): Promise<void> {
    this.files.clear();
  }

  add(part: MultipartPart): BodyFault | undefined {
    const { name = "", filename } = part;
    const isKnown = this.#call.fields.some((field) => field.name === name);
    if (name !== jsonPart && (isKnown || filename !== undefined)) return this.#addFile(name, part);
    this.#fieldCount += 1;
    if (this.#fieldCount > fieldsMax) return formFaults.tooManyFields();
    if (name !== jsonPart) return undefined;
    if (part.size > this.#call.bodyMaxBytes) return formFaults.tooLargeJson(this.#call.bodyMaxBytes);
    this.json = part.text;
    return undefined;
  }

  #addFile(name: string, { content, filename, mediaType, size }: MultipartPart): BodyFault | undefined {
    const { fields, fileMaxBytes, filesMax } = this.#call;
    const field = fields.find((each) => each.name === name);
    const files = this.files.get(name) ?? [];
    this.#fileCount += 1;
    if (this.#fileCount > filesMax) return formFaults.tooManyFiles(filesMax);
    if (field === undefined) return formFaults.unknownFile(name);
    if (!field.isList && files.length > 0) return formFaults.secondFile(name);
    if (size > fileMaxBytes) return formFaults.tooLargeFile(name, fileMaxBytes);
    const type = mediaType ?? "application/octet-stream";
    const file = new File(content as ConstructorParameters<typeof File>[0], plainName(filename) ?? "", {
      type,
    });
    this.files.set(name, [...files, file]);
    return undefined;
  }
}
