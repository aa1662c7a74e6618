import { existsSync, readdirSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { writeReason } from "../../../generator/language/diagnostics/system-reason.ts";
import { pause } from "../../base/repeat.ts";
import { StartFault } from "../../base/start-fault.ts";
import { readHead, request } from "./rpc.ts";

/** Interval at which the saver looks for a new block, in milliseconds. */
const checkMs = 1_000;

/**
 * Pause after a save, as a multiple of its duration. A dump takes 0.1 s of the chain's processor time, and grows by 0.3 s with
 * 1,000 blocks, so that a long chain is saved less often.
 */
const pauseFactor = 10;

/** Timeout of a save, in milliseconds. */
const saveMaxMs = 30_000;

/** Timeout of the last save, in milliseconds. A stopping host has five seconds in total. */
const lastSaveMaxMs = 3_000;

/**
 * Saves the state of a local chain now and soon after new blocks, so that a host that is killed loses only the blocks of the last
 * seconds. Reports that the file cannot be written, once until it can.
 */
export class StateSaver implements AsyncDisposable {
  readonly #rpcUrl: string;
  readonly #path: string;
  readonly #warn: (line: string) => void;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #savedHead: string | undefined;
  #isFailing = false;

  constructor(rpcUrl: string, path: string, warn: (line: string) => void) {
    this.#rpcUrl = rpcUrl;
    this.#path = path;
    this.#warn = warn;
    this.#running = this.#run();
  }

  /** Saves the state a last time. Throws StartFault if the file cannot be written. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#running;
    // Also without a new block: some calls change the state directly.
    const dump = await this.#dump(AbortSignal.timeout(lastSaveMaxMs));
    try {
      if (dump !== undefined) await writeState(this.#path, dump.state);
    } catch (err) {
      throw new StartFault(`${this.#describe(err)}; the next start continues from the previous state`);
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const startedAt = performance.now();
      await this.#saveIfChanged(AbortSignal.any([signal, AbortSignal.timeout(saveMaxMs)]));
      const pauseMs = Math.max(checkMs, (performance.now() - startedAt) * pauseFactor);
      await pause(pauseMs, signal);
    }
  }

  async #saveIfChanged(signal: AbortSignal): Promise<void> {
    const head = await readHead(this.#rpcUrl, signal).catch(() => undefined);
    if (head === undefined || head.hash === this.#savedHead) return;
    const dump = await this.#dump(signal);
    if (dump === undefined) return;
    try {
      await writeState(this.#path, dump.state);
      this.#savedHead = dump.head;
      this.#isFailing = false;
    } catch (err) {
      if (!this.#isFailing) this.#warn(`${this.#describe(err)}; it is lost if the platform is killed`);
      this.#isFailing = true;
    }
  }

  /** Returns undefined if the chain does not respond. Then the previous file stays. */
  async #dump(signal: AbortSignal): Promise<Dump | undefined> {
    return await dumpState(this.#rpcUrl, signal).catch(() => undefined);
  }

  #describe(err: unknown): string {
    return `the state of the local chain cannot be saved to ${this.#path}: ${writeReason(err)}`;
  }
}

const decompress = promisify(gunzip);

interface Dump {
  /** Hash of the chain's latest block. */
  readonly head: string;
  readonly state: Buffer;
}

/** Most dumps of a chain that mines a block during each of them. */
const maxAttempts = 3;

/**
 * Returns the state of a local chain, or undefined if the chain mines blocks without a pause: a state that is read while a block is
 * mined may have the block's changes without the block. Throws an Error if the chain does not respond.
 */
export async function dumpState(rpcUrl: string, signal: AbortSignal): Promise<Dump | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { hash } = await readHead(rpcUrl, signal);
    const compressed = await request<string>(rpcUrl, "anvil_dumpState", [], signal);
    if (hash !== (await readHead(rpcUrl, signal)).hash) continue;
    return { head: hash, state: await decompress(Buffer.from(compressed.slice(2), "hex")) };
  }
  return undefined;
}

/* The saved state of a local chain: a file that is complete or absent. */

interface SavedState {
  readonly path: string;
  /** The path, if a saved state exists. */
  readonly existing: string | undefined;
}

/**
 * Returns the state file for a chain whose first block has this fingerprint. Deletes the states of other first blocks, which
 * are useless.
 */
export function prepareStateFile(folder: string, fingerprint: string): SavedState {
  const name = `${prefix}${fingerprint}.json`;
  for (const other of listStateFiles(folder))
    if (other !== name) rmSync(join(folder, other), { force: true });
  const path = join(folder, name);
  return { path, existing: existsSync(path) ? path : undefined };
}

export function listStateFiles(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(prefix)) : [];
}

const prefix = "sandbox-chain-";

/** Replaces the file in one step. */
async function writeState(path: string, state: Buffer): Promise<void> {
  const temporary = `${path}.new`;
  {
    await using file = await open(temporary, "w", 0o600);
    await file.writeFile(state);
    // Otherwise a power failure after the rename could leave an empty file.
    await file.sync();
  }
  await rename(temporary, path);
}
