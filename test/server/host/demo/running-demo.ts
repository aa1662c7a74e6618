import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from "viem";
import type { VerifiedWebhook } from "../../../../client/index.ts";
import { root } from "../../../support/docs.ts";
import { busyMachine, type Data } from "../../../support/host.ts";
import { Account } from "../../wallets/swaps/account.ts";

/** What `npm start` has printed. */
export interface RunningDemo {
  readonly url: string;
  readonly rpcUrl: string;
  readonly projectId: number;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Opens the explorer with the keys. */
  readonly explorerUrl: string;
  readonly collection: string;
  readonly market: string;
  /** Accepts webhooks, and lists those that arrived. */
  readonly receiverUrl: string;
  /** Addresses by symbol, from the printed calls. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The printed shell commands. */
  readonly calls: readonly string[];
  /** The notifications that the receiver lists. */
  arrived(): Promise<readonly VerifiedWebhook[]>;
  balanceOf(token: string, owner: string): Promise<bigint>;
  /** Number of the chain's latest block. */
  blockNumber(): Promise<number>;
  /** Sends a transaction of an unlocked account, and waits until it is mined. Throws if it reverts. */
  send(from: string, to: string, data: string): Promise<void>;
  /** Call data for the transfer of a token of the collection. */
  move(from: string, to: string, tokenId: bigint): Promise<void>;
  /** Lets `operator` move all tokens of the collection. */
  approveAll(from: string, operator: string): Promise<void>;
  /** Stops the demo like Ctrl-C, and returns the exit code. */
  stop(): Promise<number | null>;
  /** Ends the demo like `kill -9`. Only without npm. */
  kill(): Promise<void>;
  /** What it has written to standard error: the log. */
  errors(): string;
  /** Command lines of processes that still use its data. */
  leftBehind(): readonly string[];
}

const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function safeTransferFrom(address, address, uint256)",
  "function setApprovalForAll(address, bool)",
]);

export interface DemoWay {
  /** Runs it through npm, with Ctrl-C for the whole process group, like in a terminal. */
  readonly byNpm?: boolean;
  /** Flags for Node. */
  readonly nodeFlags?: readonly string[];
  /** Whether it trades while someone watches, as by default. Otherwise only calls change its data. */
  readonly trades?: boolean;
}

export async function startDemo(
  data: Data,
  { byNpm = false, nodeFlags = [], trades = false }: DemoWay = {},
): Promise<RunningDemo> {
  const flags = ["--port", "0", "--data-dir", data.folder, ...(trades ? [] : ["--no-trades"])];
  const env = { PATH: process.env["PATH"] ?? "", ...busyMachine, ...data.env };
  const [program, args] = byNpm
    ? ["npm", ["start", "--", ...flags]]
    : [process.execPath, [...nodeFlags, "start.mjs", ...flags]];
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], detached: byNpm });
  const exited = once(child, "close") as Promise<[number | null]>;
  let out = "";
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk;
  });
  const ready = new Promise<void>((done) => {
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      out += chunk;
      if ((out.match(/^ {2}curl /gm) ?? []).length === 3 && out.endsWith("\n")) done();
    });
  });
  await Promise.race([
    ready,
    exited.then(() => {
      throw new Error(`it did not start: ${err}`);
    }),
  ]);
  const row = (name: string): string => new RegExp(`^ {2}${name} +(\\S+)`, "m").exec(out)?.[1] ?? "";
  const calls = [...out.matchAll(/^ {2}(curl .*)$/gm)].map(([, call = ""]) => call);
  const said = (name: string): string => new RegExp(`"${name}":"([^"]+)"`).exec(calls.join())?.[1] ?? "";
  const rpcUrl = row("chain");

  async function ask<Answer>(method: string, ...params: readonly unknown[]): Promise<Answer> {
    const response = await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: Answer; error?: { message: string } };
    if (error !== undefined) throw new Error(error.message);
    return result;
  }

  async function send(from: string, to: string, callData: string): Promise<void> {
    const { isDone } = await new Account(rpcUrl, from as Hex).send(to as Hex, callData as Hex);
    if (!isDone) throw new Error(`a transaction of ${from} to ${to} was reverted`);
  }

  return {
    url: new URL(row("explorer")).origin,
    explorerUrl: row("explorer"),
    rpcUrl,
    projectId: Number(row("project")),
    accessKey: row("access key"),
    secretKey: row("secret key"),
    collection: row("collection"),
    market: row("market"),
    receiverUrl: row("webhooks"),
    tokens: { USD: said("sellCurrencyAddress"), GEM: said("buyCurrencyAddress") },
    calls,
    async arrived() {
      return (
        (await (
          await fetch(row("webhooks"), { headers: { authorization: `BEARER ${row("secret key")}` } })
        ).json()) as { arrived: readonly VerifiedWebhook[] }
      ).arrived;
    },
    async balanceOf(token, owner) {
      const callData = encodeFunctionData({ abi, functionName: "balanceOf", args: [owner as Hex] });
      const answer = await ask<Hex>("eth_call", { to: token, data: callData }, "latest");
      return decodeFunctionResult({ abi, functionName: "balanceOf", data: answer });
    },
    blockNumber: async () => Number(await ask("eth_blockNumber")),
    send,
    move: (from, to, tokenId) =>
      send(
        from,
        row("collection"),
        encodeFunctionData({
          abi,
          functionName: "safeTransferFrom",
          args: [from as Hex, to as Hex, tokenId],
        }),
      ),
    approveAll: (from, operator) =>
      send(
        from,
        row("collection"),
        encodeFunctionData({ abi, functionName: "setApprovalForAll", args: [operator as Hex, true] }),
      ),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        if (byNpm) process.kill(-(child.pid ?? 0), "SIGINT");
        else child.kill("SIGINT");
      }
      return (await exited)[0];
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    errors: () => err,
    leftBehind: () => commandLines().filter((line) => line.includes(data.folder) && !line.includes("vitest")),
  };
}

/** Runs it until it exits, for starts that fail. */
export async function endOf(
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly err: string }> {
  const child = spawn(process.execPath, ["start.mjs", "--port", "0", ...args], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, err };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Command lines of all processes, if the system shows them. */
function commandLines(): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(join("/proc", pid, "cmdline"), "utf8").replaceAll("\0", " ")];
      } catch {
        return [];
      }
    });
}
