/** Uploads, as the core and both receivers share them. */
import type { BodyFault } from "./json.ts";

/** An argument that is a file. */
export interface FileField {
  readonly name: string;
  readonly isOptional?: true;
  readonly isList?: true;
}

/** Limits of uploads, and where uploads are stored. */
export interface UploadOptions {
  /** Largest file, in bytes. Default: 64 MiB on the disk, 8 MiB in memory. */
  readonly fileMaxBytes: number;
  /** Most files in one call. Default: 10 on the disk, 4 in memory. */
  readonly filesMax: number;
  /** Parent of the folders that hold the files of one call each. Default: the system's temporary folder. Ignored for files in memory. */
  readonly folder?: string;
}

/** The form of one call. */
export interface UploadCall extends UploadOptions {
  readonly contentType: string;
  readonly fields: readonly FileField[];
  /** Largest `json` part, in bytes. */
  readonly bodyMaxBytes: number;
}

export interface Upload {
  /** The `json` part: every argument that is not a file. Empty if the form has none. */
  readonly json: string;
  /** The files of each field: `UploadedFile` of the receiver in use. */
  readonly files: ReadonlyMap<string, readonly object[]>;
  /** Removes the files that the handler has not moved. */
  discard(): Promise<void>;
}

/** Stores the files of a form, on the disk or in memory. */
export interface UploadReceiver {
  readonly defaults: UploadOptions;
  /** Files are held in memory, so hosts that bound memory count them. */
  readonly isInMemory: boolean;
  /** Rejects only if the host fails, for example on a full disk. */
  readonly receive: (body: AsyncIterable<Uint8Array>, call: UploadCall) => Promise<Upload | BodyFault>;
}

/** Adds files to the request. Removes what a caller put in their place as JSON. */
export function addFiles(request: object, { files }: Upload, fields: readonly FileField[]): void {
  for (const { name, isList } of fields) {
    const received = files.get(name) ?? [];
    const value = isList ? received : received[0];
    Reflect.deleteProperty(request, name);
    if (value !== undefined)
      Object.defineProperty(request, name, { value, enumerable: true, writable: true });
  }
}
