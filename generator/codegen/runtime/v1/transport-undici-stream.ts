import { readBounded } from "./bounded-text.ts";
import {
  type DispatchController,
  DispatchedRequest,
  type DispatchHandler,
  firstOf,
  type UndiciHeaders,
} from "./undici-dispatcher.ts";

/** Bytes buffered before the connection is paused. */
const bufferedBytes = 64 * 1024;

/** A response that is read while it arrives. Reads from the connection only as fast as its consumer. */
export class StreamedResponse extends DispatchedRequest implements DispatchHandler {
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;

  onResponseStart(controller: DispatchController, status: number, headers: UndiciHeaders): void {
    const body = new ReadableStream<Uint8Array>(
      {
        start: (own) => {
          this.#body = own;
        },
        pull: () => controller.resume(),
        cancel: this.abort,
      },
      new ByteLengthQueuingStrategy({ highWaterMark: bufferedBytes }),
    );
    this.resolve({
      status,
      headers: { get: (name) => firstOf(headers[name]) },
      text: () => readBounded(body, this.maxBytes),
      body,
    });
  }

  onResponseData(controller: DispatchController, chunk: Uint8Array): void {
    this.#body?.enqueue(chunk);
    if ((this.#body?.desiredSize ?? 1) <= 0) controller.pause();
  }

  onResponseEnd(): void {
    this.ended();
    this.#body?.close();
  }

  onResponseError(_controller: DispatchController, error: Error): void {
    this.ended();
    if (this.#body === undefined) this.reject(error);
    else this.#body.error(error);
  }
}
