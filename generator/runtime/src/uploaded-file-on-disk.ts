import type { UploadedFile as AnyFile } from "./uploaded-file.ts";

/** An uploaded file. It stays on the server's disk until its handler has ended. */
export interface UploadedFile extends AnyFile {
  /** Where the file is stored. Move or copy it to keep it. */
  readonly path: string;
}
