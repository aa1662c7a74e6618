import { Worker } from "node:worker_threads";

/** Ends the process and prints the input if one input takes too long: an endless loop cannot be stopped from within. */
const stallMs = 10_000;
/** Size limit of the printed input, in bytes. */
const shownBytes = 64 * 1024;

export interface Watchdog extends Disposable {
  /** Must be called before each input. */
  look(input: string): void;
}

export function startWatchdog(): Watchdog {
  const shared = new SharedArrayBuffer(8 + shownBytes);
  const state = new Int32Array(shared, 0, 2);
  const shown = new Uint8Array(shared, 8);
  const worker = new Worker(watching, { eval: true, workerData: { shared, stallMs } });
  worker.unref();
  return {
    look(input: string): void {
      state[1] = encoder.encodeInto(input, shown).written;
      Atomics.add(state, 0, 1);
    },
    [Symbol.dispose](): void {
      void worker.terminate();
    },
  };
}

const encoder = new TextEncoder();

/** Plain JavaScript, so that it runs under both tsx and vitest. */
const watching = `
  const { writeSync } = require("node:fs");
  const { workerData: { shared, stallMs } } = require("node:worker_threads");
  const state = new Int32Array(shared, 0, 2);
  let last = 0;
  setInterval(() => {
    const count = Atomics.load(state, 0);
    if (count !== 0 && count === last) {
      const text = Buffer.from(new Uint8Array(shared, 8, state[1])).toString();
      writeSync(2, "\\nno end within " + stallMs + " ms: " + JSON.stringify(text) + "\\n");
      process.kill(process.pid, "SIGKILL");
    }
    last = count;
  }, stallMs);
`;
