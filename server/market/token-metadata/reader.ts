/** Reads the metadata of the tokens that are due. Any number of processes share the queue. */
import { setTimeout as sleep } from "node:timers/promises";
import { DocumentFault } from "../../base/outbound/document.ts";
import { OutboundFailure, OutboundRejection } from "../../base/outbound/failure.ts";
import type { Outbound } from "../../base/outbound/outbound.ts";
import type { Database } from "../../base/storage/database.ts";
import { type Chain, ChainBusy, ChainFailure, type Hex } from "../../chain/rpc/chain.ts";
import { Hosts } from "./hosts.ts";
import { type Claim, claim } from "./queue.ts";
import { type ReadingLimits, readToken } from "./read-token.ts";
import { ReadingFault } from "./reading-fault.ts";
import { sourceOf, textOf, tokenUriCall, uriCall } from "./token-uri.ts";
import { checkedFields, type Reading, writeReadings } from "./write.ts";

export interface TokenReaderPorts {
  readonly database: Database;
  readonly outbound: Outbound;
  readonly chainOf: (chainId: number) => Promise<Chain>;
  readonly ipfsGateway: string | undefined;
  readonly limits: ReadingLimits;
  readonly events: TokenReaderEvents;
}

/** What an operator is told. None throws. */
export interface TokenReaderEvents {
  readonly read: (result: "read" | "failed") => void;
  /** The database could not be asked. It is tried again. */
  readonly failed: (err: unknown) => void;
}

/** Tokens that are claimed at a time: as many as one call of a chain reads. */
const claimMost = 100;
/** How long a claim holds, in seconds: longer than a token takes that waits for all before it. */
const leaseSeconds = 300;
/** Documents that are read at once: 32 MiB at most. */
const documentsAtOnce = 32;
/** Claimed tokens that are not read yet, beyond which none is claimed. */
const openMax = 200;
/** How often the queue is looked at when nobody says that something is due, in milliseconds. */
const lookMs = 1_000;
/** Longest answer of a contract at first, and once more for those that answered more or nothing, in bytes. */
const uriMaxBytes = 4_096;
const longUriMaxBytes = 131_072;

export class TokenReader implements AsyncDisposable {
  readonly #ports: TokenReaderPorts;
  readonly #closing = new AbortController();
  readonly #hosts = new Hosts();
  readonly #done: Reading[] = [];
  readonly #turns: (() => void)[] = [];
  readonly #running: Promise<void>;
  #writing: Promise<void> | undefined;
  #free = documentsAtOnce;
  #open = 0;
  #wake: () => void = () => {};

  constructor(ports: TokenReaderPorts) {
    this.#ports = ports;
    this.#running = this.#run();
  }

  /** Something may be due. */
  wake(): void {
    this.#wake();
  }

  /** Tokens that this process has claimed, and documents that it reads now. */
  load(): { readonly tokens: number; readonly documents: number } {
    return { tokens: this.#open, documents: documentsAtOnce - this.#free };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#wake();
    await this.#running;
    while (this.#open > 0) await sleep(5);
    await this.#writing;
  }

  async #run(): Promise<void> {
    const { database, events } = this.#ports;
    while (!this.#closing.signal.aborted) {
      try {
        const claims = this.#open > openMax - claimMost ? [] : await claim(database, claimMost, leaseSeconds);
        this.#open += claims.length;
        for (const chainId of new Set(claims.map((each) => each.chainId)))
          void this.#readAll(
            chainId,
            claims.filter((each) => each.chainId === chainId),
          );
        if (claims.length === claimMost) continue;
      } catch (err) {
        events.failed(err);
      }
      await this.#rest();
    }
  }

  async #rest(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((done) => {
      this.#wake = done;
      timer = setTimeout(done, lookMs);
      if (this.#closing.signal.aborted) done();
    });
    clearTimeout(timer);
  }

  /** Never rejects. */
  async #readAll(chainId: number, claims: readonly Claim[]): Promise<void> {
    let uris: readonly (string | undefined)[];
    try {
      uris = await readUris(await this.#ports.chainOf(chainId), claims, this.#closing.signal);
    } catch (err) {
      const reason =
        err instanceof ChainFailure ? `the chain: ${err.message}` : "the chain could not be asked";
      for (const each of claims) this.#end({ claim: each, uri: undefined, end: { reason, isOurs: true } });
      if (!(err instanceof ChainFailure || err instanceof ChainBusy)) this.#ports.events.failed(err);
      return;
    }
    for (const [index, each] of claims.entries()) void this.#readOne(each, uris[index]);
  }

  /** Never rejects. */
  async #readOne(token: Claim, uri: string | undefined): Promise<void> {
    try {
      if (uri === undefined) throw new ReadingFault("the contract answers no tokenURI or uri for this token");
      const fields = checkedFields(token, await this.#readDocument(token, uri));
      this.#end({ claim: token, uri, end: { fields } });
    } catch (err) {
      this.#end({ claim: token, uri, end: this.#reasonOf(err) });
    }
  }

  async #readDocument({ tokenId }: Claim, uri: string): ReturnType<typeof readToken> {
    const { ipfsGateway } = this.#ports;
    const id = BigInt(tokenId);
    const source = sourceOf(uri, { tokenId: id, ipfsGateway });
    const ports = { ...this.#ports, signal: this.#closing.signal };
    if ("data" in source || !URL.canParse(source.url)) return readToken(ports, uri, id);
    const { host } = new URL(source.url);
    if (!(await this.#hosts.take(host)))
      throw new ReadingFault(`${host} gave no answer several times and rests`, { isOurs: true });
    let isSilent = false;
    await this.#turn();
    try {
      return await readToken(ports, uri, id);
    } catch (err) {
      isSilent = err instanceof OutboundFailure;
      throw err;
    } finally {
      this.#endTurn();
      this.#hosts.release(host, { isSilent });
    }
  }

  #turn(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((done) => this.#turns.push(done));
    this.#free--;
    return undefined;
  }

  #endTurn(): void {
    const next = this.#turns.shift();
    if (next === undefined) this.#free++;
    else next();
  }

  #reasonOf(err: unknown): { readonly reason: string; readonly isOurs: boolean } {
    if (this.#closing.signal.aborted) return { reason: "the host stopped while it was read", isOurs: true };
    if (err instanceof ReadingFault) return { reason: err.message, isOurs: err.isOurs };
    const isKnown =
      err instanceof DocumentFault || err instanceof OutboundRejection || err instanceof OutboundFailure;
    if (isKnown) return { reason: err.message, isOurs: false };
    this.#ports.events.failed(err);
    return { reason: "it could not be read", isOurs: false };
  }

  /** What ends while something is written, is written together after it. */
  #end(reading: Reading): void {
    this.#ports.events.read("fields" in reading.end ? "read" : "failed");
    this.#done.push(reading);
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    // Those that end at the same moment go together.
    await sleep(1);
    while (this.#done.length > 0) {
      const some = this.#done.splice(0, claimMost);
      await this.#writeApart(some);
      this.#open -= some.length;
      this.#wake();
    }
    this.#writing = undefined;
  }

  /** What cannot be written takes none with it; its lease ends, and it is read again. */
  async #writeApart(readings: readonly Reading[]): Promise<void> {
    const { database, events } = this.#ports;
    try {
      await writeReadings(database, readings);
    } catch (err) {
      if (readings.length === 1) return events.failed(err);
      const middle = readings.length >> 1;
      await this.#writeApart(readings.slice(0, middle));
      await this.#writeApart(readings.slice(middle));
    }
  }
}

/** First what most tokens of most contracts answer; longer texts are read by few at a time. */
async function readUris(
  chain: Chain,
  claims: readonly Claim[],
  signal: AbortSignal,
): Promise<readonly (string | undefined)[]> {
  const found: (string | undefined)[] = claims.map(() => undefined);
  const passes: readonly (readonly [(tokenId: bigint) => Hex, number])[] = [
    [tokenUriCall, uriMaxBytes],
    [uriCall, uriMaxBytes],
    [tokenUriCall, longUriMaxBytes],
    [uriCall, longUriMaxBytes],
  ];
  for (const [callOf, answerMaxBytes] of passes) {
    const open = claims.flatMap((each, index) => (found[index] === undefined ? [{ ...each, index }] : []));
    if (open.length === 0) break;
    const calls = open.map(({ address, tokenId }) => ({ to: address, data: callOf(BigInt(tokenId)) }));
    const answers = await chain.callMany({ calls, answerMaxBytes, signal });
    for (const [place, { index }] of open.entries()) found[index] = textOf(answers[place]);
  }
  return found;
}
