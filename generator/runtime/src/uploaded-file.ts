/** An uploaded file, on disk or in memory: its functions read it in both cases. */
export interface UploadedFile {
  /**
   * File name sent by the caller, without folders; undefined or empty if none was sent. It is not verified: do not use it
   * as a path.
   */
  readonly name: string | undefined;
  /** Media type from the caller, such as `image/png`. It is not verified. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Where the file is stored until its handler has ended. Undefined if the file is in memory. */
  readonly path?: string;
  arrayBuffer(): Promise<ArrayBuffer>;
  /** Decodes UTF-8. */
  text(): Promise<string>;
  stream(): ReadableStream<Uint8Array>;
}
