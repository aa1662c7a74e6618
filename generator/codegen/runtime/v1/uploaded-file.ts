/** A file that came with a call. It lies on the host's disk until its handler has ended. */
export interface UploadedFile {
  /** As its sender calls it, without folders; undefined if it was not said. It is somebody's word and no name for a file of yours. */
  readonly name: string | undefined;
  /** Media type as its sender claims: `image/png`. Nobody has looked. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Where it lies. Move or copy it from there to keep it. */
  readonly path: string;
}
