/** An uploaded file. It stays on the server's disk until its handler has ended. */
export interface UploadedFile {
  /**
   * File name sent by the caller, without folders; undefined if none was sent. It is not verified: do not use it as a
   * path.
   */
  readonly name: string | undefined;
  /** Media type from the caller, such as `image/png`. It is not verified. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Where the file is stored. Move or copy it to keep it. */
  readonly path: string;
}
