import { Agent, type IncomingMessage, request } from "node:http";

/** Clients that each keep one stream open and count its items. */
export class Streams implements Disposable {
  readonly #agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  readonly #dropped: string[] = [];
  #items = 0;
  #isClosed = false;

  static async open(url: string, count: number): Promise<Streams> {
    const streams = new Streams();
    await Promise.all(Array.from({ length: count }, () => streams.#hold(url)));
    return streams;
  }

  get items(): number {
    return this.#items;
  }

  /** Reasons why streams ended or lost items; expected to be empty. */
  get dropped(): readonly string[] {
    return this.#dropped;
  }

  /** Resolves with the first item. */
  #hold(url: string): Promise<void> {
    return new Promise((opened, failed) => {
      const headers = { "Content-Type": "application/json" };
      const call = request(`${url}/rpc/Live/Watch`, { method: "POST", agent: this.#agent, headers });
      const end = (why: string): void => {
        if (!this.#isClosed) this.#dropped.push(why);
        failed(new Error(why));
      };
      call.on("error", ({ message }) => end(message));
      call.on("response", (answer) => {
        answer.on("error", () => {}).on("close", () => end(`closed with status ${answer.statusCode}`));
        this.#count(answer, opened);
      });
      call.end("{}");
    });
  }

  #count(answer: IncomingMessage, opened: () => void): void {
    let wanted = 0;
    let rest = "";
    answer.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const { n } = JSON.parse(line || "{}") as { readonly n?: number };
        // Heartbeats have no number.
        if (n === undefined) continue;
        if (n !== wanted) this.#dropped.push(`received item ${n}, expected ${wanted}`);
        wanted = n + 1;
        this.#items += 1;
        opened();
      }
    });
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#agent.destroy();
  }
}
