/** A file to be written. Its path is relative to the output folder and uses "/". */
export interface EmittedFile {
  readonly path: string;
  readonly text: string;
}
