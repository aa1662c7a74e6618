import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Behavior of a receiver; the first part of the path. */
export type Behavior =
  | "good"
  | "500"
  | "429"
  | "410"
  | "redirect"
  | "endless"
  | "drip-headers"
  | "drip-body"
  | "hang";

/** Sequence of a notification, and when its call arrived: milliseconds since 1970, with fractions. */
export type Arrival = readonly [sequence: number, at: number];

export interface Receivers extends AsyncDisposable {
  /** In the order of the addresses, without a path. */
  readonly urls: readonly string[];
  /** Arrivals since the previous call. */
  arrivals(): Promise<readonly Arrival[]>;
}

export async function startReceivers(...addresses: readonly string[]): Promise<Receivers> {
  const program = fileURLToPath(new URL("receivers-child.ts", import.meta.url));
  const child = fork(program, addresses, { execArgv: ["--import", "tsx"] });
  const nextMessage = async <Message>(): Promise<Message> => ((await once(child, "message")) as [Message])[0];
  return {
    urls: await nextMessage<readonly string[]>(),
    arrivals() {
      const answer = nextMessage<readonly Arrival[]>();
      child.send("arrivals");
      return answer;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, "exit");
    },
  };
}
