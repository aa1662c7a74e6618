/** What the core and the receiver of files know of each other. Nothing here reads files. */
import type { BodyFault } from "./json.ts";
import type { UploadedFile } from "./uploaded-file.ts";

/** An argument that is a file. */
export interface FileField {
  readonly name: string;
  readonly isOptional?: true;
  readonly isList?: true;
}

/** Bounds of uploads, and where they go. */
export interface UploadOptions {
  /** Largest file that is taken, in bytes. Default 64 MiB. */
  readonly fileMaxBytes: number;
  /** Most files in one call. Default 10. */
  readonly filesMax: number;
  /** Where files lie while a call lasts, each call's in a folder of its own. Default: the system's folder for temporary files. */
  readonly folder?: string;
}

export const defaultUploadOptions: UploadOptions = { fileMaxBytes: 64 * 1024 * 1024, filesMax: 10 };

/** What is to be received. */
export interface UploadCall extends UploadOptions {
  readonly contentType: string;
  readonly fields: readonly FileField[];
  /** Of the part with the arguments that are no files, in bytes. */
  readonly bodyMaxBytes: number;
}

export interface Upload {
  /** JSON text of the arguments that are no files; empty if there is none. */
  readonly json: string;
  readonly files: ReadonlyMap<string, readonly UploadedFile[]>;
  /** Removes the files that nobody has moved. */
  discard(): Promise<void>;
}

/** Takes a form as it arrives. Rejects only by a fault of the host, as a full disk. */
export type ReceiveUpload = (
  body: AsyncIterable<Uint8Array>,
  call: UploadCall,
) => Promise<Upload | BodyFault>;

/** Puts files where the handler looks for them. What a caller wrote there as JSON is no file and goes. */
export function addFiles(request: object, { files }: Upload, fields: readonly FileField[]): void {
  for (const { name, isList } of fields) {
    const received = files.get(name) ?? [];
    const value = isList ? received : received[0];
    Reflect.deleteProperty(request, name);
    if (value !== undefined)
      Object.defineProperty(request, name, { value, enumerable: true, writable: true });
  }
}
