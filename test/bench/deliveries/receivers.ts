import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What a receiver does with a call; the first part of the path. */
export type Manner =
  | "good"
  | "500"
  | "429"
  | "410"
  | "redirect"
  | "endless"
  | "drip-headers"
  | "drip-body"
  | "hang";

/** The sequence of a notification, and when its call was read: milliseconds since 1970, with fractions. */
export type Arrival = readonly [sequence: number, at: number];

export interface Receivers extends AsyncDisposable {
  /** In the order of the addresses; without a path. */
  readonly urls: readonly string[];
  /** Since the last time that it was asked. */
  arrivals(): Promise<readonly Arrival[]>;
}

export async function startReceivers(...addresses: readonly string[]): Promise<Receivers> {
  const program = fileURLToPath(new URL("receivers-child.ts", import.meta.url));
  const child = fork(program, addresses, { execArgv: ["--import", "tsx"] });
  const told = async <Message>(): Promise<Message> => ((await once(child, "message")) as [Message])[0];
  return {
    urls: await told<readonly string[]>(),
    arrivals() {
      const answer = told<readonly Arrival[]>();
      child.send("arrivals");
      return answer;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, "exit");
    },
  };
}
