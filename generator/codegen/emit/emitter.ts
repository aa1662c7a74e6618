/** A file to be written, its path relative to the output folder, with "/". */
export interface EmittedFile {
  readonly path: string;
  readonly text: string;
}
