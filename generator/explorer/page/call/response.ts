/** A response, complete or still arriving. */
import type { Failure } from "./advice.ts";

export interface CallResponse {
  /** Undefined before the response starts. */
  readonly status: number | undefined;
  readonly headers: readonly (readonly [string, string])[];
  /** The body as received; for a stream the newest items, each as JSON. */
  readonly texts: readonly string[];
  /** Number of all items received. */
  readonly count: number;
  readonly file: ReceivedFile | undefined;
  readonly failure: Failure | undefined;
  readonly tookMs: number;
  readonly state: "sending" | "streaming" | "done" | "stopped";
}

/** A response that is a file. */
export interface ReceivedFile {
  /** Undefined if the server gives no name, or hides it from pages of other origins. */
  readonly name: string | undefined;
  readonly blob: Blob;
}
