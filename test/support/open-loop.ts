/** Load that does not wait for answers: requests are sent when they are due, however slow the server is. */
import { connect, type Socket } from "node:net";

export interface LoadOptions {
  readonly port: number;
  readonly requestsPerSecond: number;
  readonly durationMs: number;
  /** The bytes of the request of that number. */
  readonly request: (index: number) => Buffer;
  /** Opened before the first request is due, and again where the server closes one. A request that finds none free waits, and its wait counts. */
  readonly connections: number;
}

export interface LoadResult {
  /** Milliseconds from when a request was to be sent to the end of its answer, by HTTP status. A sender that is late is not counted: it is no fault of the server's. */
  readonly latencies: ReadonlyMap<number, readonly number[]>;
  /** Requests that were sent in full and never answered. */
  readonly lost: number;
  /** Requests that found nobody listening, so that nothing of them was sent. */
  readonly notSent: number;
}

/** A POST with a JSON body, as bytes. */
export function postBytes(
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const all = { Host: "test", "Content-Type": "application/json", ...headers };
  const lines = Object.entries({ ...all, "Content-Length": String(Buffer.byteLength(body)) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}

/** Until the server has taken all new connections, in milliseconds. */
const acceptMs = 300;

export function openLoop(options: LoadOptions): Promise<LoadResult> {
  return new OpenLoop(options).run();
}

interface Line {
  readonly socket: Socket;
  sentAt: number | undefined;
  /** Of an answer that has begun and does not say yet what it is. */
  head: Buffer;
  answer: Answer | undefined;
}

interface Answer {
  readonly status: number;
  readonly closes: boolean;
  /** Bytes that are to come. */
  left: number;
}

class OpenLoop {
  readonly #options: LoadOptions;
  readonly #latencies = new Map<number, number[]>();
  readonly #free: Line[] = [];
  readonly #waiting: number[] = [];
  #open = 0;
  #sent = 0;
  #unanswered = 0;
  #lost = 0;
  #notSent = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  async run(): Promise<LoadResult> {
    const { requestsPerSecond, durationMs, connections } = this.#options;
    // Node takes one connection a turn: those that come at once, and at the start of a load, would wait for many long turns.
    await Promise.all(Array.from({ length: connections }, () => this.#connect()));
    await new Promise((resolve) => setTimeout(resolve, acceptMs));
    const startedAt = performance.now();
    const count = Math.floor((requestsPerSecond * durationMs) / 1_000);
    for (let due = 0; due < count; ) {
      const now = performance.now() - startedAt;
      for (; due < count && (due * 1_000) / requestsPerSecond <= now; due++) this.#send(performance.now());
      const nextMs = (due * 1_000) / requestsPerSecond - (performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, Math.max(1, nextMs)));
    }
    for (let ms = 0; ms < 15_000 && this.#unanswered > 0; ms += 5)
      await new Promise((resolve) => setTimeout(resolve, 5));
    this.#lost += this.#unanswered;
    for (const { socket } of this.#free) socket.destroy();
    return { latencies: this.#latencies, lost: this.#lost, notSent: this.#notSent };
  }

  #send(sentAt: number): void {
    // In turn, so that no connection is quiet for long.
    const line = this.#free.shift();
    this.#unanswered++;
    if (line !== undefined) this.#write(line, sentAt);
    else if (this.#open < this.#options.connections) void this.#connect(sentAt);
    else this.#waiting.push(sentAt);
  }

  /** With the request that waits for it, or for one that comes; done when it is known whether somebody listens. */
  #connect(sentAt?: number): Promise<void> {
    this.#open++;
    const socket = connect(this.#options.port, "127.0.0.1");
    const line: Line = { socket, sentAt: undefined, head: Buffer.alloc(0), answer: undefined };
    let isWaitedFor = sentAt !== undefined;
    socket.setNoDelay(true);
    socket.on("connect", () => {
      isWaitedFor = false;
      if (sentAt === undefined) this.#free.push(line);
      else this.#write(line, sentAt);
    });
    socket.on("data", (chunk: Buffer) => this.#receive(line, chunk));
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#open--;
      const index = this.#free.indexOf(line);
      if (index !== -1) this.#free.splice(index, 1);
      if (isWaitedFor) this.#notSent++;
      else if (line.sentAt !== undefined) this.#lost++;
      if (isWaitedFor || line.sentAt !== undefined) this.#unanswered--;
      const next = this.#waiting.shift();
      if (next !== undefined) void this.#connect(next);
    });
    return new Promise((done) => {
      socket.once("connect", done);
      socket.once("close", () => done());
    });
  }

  #write(line: Line, sentAt: number): void {
    line.sentAt = sentAt;
    line.socket.write(this.#options.request(this.#sent++));
  }

  #receive(line: Line, chunk: Buffer): void {
    if (line.answer === undefined) line.answer = this.#begun(line, chunk);
    else line.answer.left -= chunk.length;
    const { answer } = line;
    if (answer === undefined || answer.left > 0 || line.sentAt === undefined) return;
    const latencies = this.#latencies.get(answer.status) ?? [];
    this.#latencies.set(answer.status, latencies);
    latencies.push(performance.now() - line.sentAt);
    this.#unanswered--;
    line.sentAt = undefined;
    line.answer = undefined;
    if (answer.closes) return void line.socket.destroy();
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(line);
    else this.#write(line, next);
  }

  /** What the head says, once it is there; the body is only counted, since it would cost the processors that the server needs too. */
  #begun(line: Line, chunk: Buffer): Answer | undefined {
    const received = Buffer.concat([line.head, chunk]);
    const headEnd = received.indexOf("\r\n\r\n");
    line.head = headEnd === -1 ? received : Buffer.alloc(0);
    if (headEnd === -1) return undefined;
    const head = received.toString("latin1", 0, headEnd);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    return {
      status: Number(head.slice(9, 12)),
      closes: /connection: close/i.test(head),
      left: headEnd + 4 + length - received.length,
    };
  }
}

/** The value that this share of all does not pass: `quantile([3, 1, 2], 0.99)` is 3. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
