/** Uploads: types shared by the server and both receivers. */
import type { BodyRefusal, WatchedCall } from "./body-watcher.ts";
import type { BodyFault } from "./json.ts";

/** An argument that is a file, or a field of an argument. */
export interface FileField {
  readonly name: string;
  readonly isOptional?: true;
  readonly isList?: true;
  /** The argument whose field it is. */
  readonly within?: string;
}

/** Limits and storage of uploads. */
export interface UploadOptions {
  /** Largest file in bytes. Default: 64 MiB on disk, 8 MiB in memory. */
  readonly fileMaxBytes: number;
  /** Maximum number of files per call. Default: 10 on disk, 4 in memory. */
  readonly filesMax: number;
  /**
   * Parent of the folders for uploaded files; each call has its own folder. Default: the system's temporary folder.
   * Ignored if files are kept in memory.
   */
  readonly folder?: string;
}

/** The form of one call. */
export interface UploadCall extends UploadOptions, WatchedCall {
  readonly contentType: string;
  readonly fields: readonly FileField[];
  /** Largest `json` part, in bytes. */
  readonly bodyMaxBytes: number;
}

/** The received form of one call. */
export interface Upload {
  /** The `json` part: all arguments that are not files. Empty if the form has none. */
  readonly json: string;
  /** Adds the files to the request, replacing JSON values of the same names. Reports required files that are missing. */
  addTo(request: object): BodyFault | undefined;
  /** Deletes the files that the handler has not moved. */
  discard(): Promise<void>;
}

/** Stores the files of a form, on disk or in memory. */
export interface UploadReceiver {
  readonly defaults: UploadOptions;
  /** Whether files are kept in memory. If so, hosts count them when they limit memory. */
  readonly isInMemory: boolean;
  /** Reads a form. Rejects only if the host fails, for example because the disk is full. */
  readonly receive: (body: AsyncIterable<Uint8Array>, call: UploadCall) => Promise<Upload | BodyRefusal>;
}
