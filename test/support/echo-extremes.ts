import type { Client } from "../../generator/runtime/src/client.ts";
import type { Transport } from "../../generator/runtime/src/transport.ts";
import type { Extreme } from "./extremes.ts";

/** `echo` of `test/fixtures/wire`, in either form. */
export type Echo = (client: Client, req: never) => Promise<unknown>;

/** Every row that a client can send, through it. Answers what is not as it was: the text that went out, or the value that came in. */
export async function echoExtremes(echo: Echo, client: Client, rows: readonly Extreme[]): Promise<string[]> {
  const differences: string[] = [];
  for (const { about, answer } of rows) {
    if (answer === undefined) continue;
    const { sent, value, returned } = await echoOnce(echo, client, answer);
    if (sent !== answer) differences.push(`${about}: sent ${sent.slice(0, 400)}`);
    if (shown(returned) !== shown(value)) differences.push(`${about}: came back as ${shown(returned)}`);
  }
  return differences;
}

/** What a client made of a body. */
interface Echoed {
  /** As it read it. */
  readonly value: unknown;
  /** The text that it sent for that. */
  readonly sent: string;
  /** What it read from the answer; an error as text. */
  readonly returned: unknown;
}

/** Takes a body from the wire into a value, sends that to a server and reads what comes back. */
export async function echoOnce(echo: Echo, client: Client, body: string): Promise<Echoed> {
  const value = await echo({ url: "http://canned", transport: canned(body) }, {} as never);
  let sent = "";
  const { transport = fetch } = client;
  const tapped: Transport = (url, init) => {
    sent = String(init.body);
    return transport(url, init);
  };
  const returned = await echo({ ...client, transport: tapped }, value as never).catch(String);
  return { value, sent, returned };
}

function canned(text: string): Transport {
  return async () => ({ status: 200, headers: { get: () => null }, text: async () => text });
}

/** A value with its types: `1n` is not `1`, and -0 not 0. */
function shown(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === "bigint") return { bigint: String(part) };
    return Object.is(part, -0) ? "-0" : part;
  });
}
