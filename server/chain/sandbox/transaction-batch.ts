import { createHash } from "node:crypto";
import {
  type Abi,
  type Address,
  type Client,
  createClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  http,
  numberToHex,
} from "viem";
import type { Artifact } from "./artifact.ts";

interface Call {
  readonly to: Address;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args?: readonly unknown[];
  readonly value?: bigint;
}

interface Transaction {
  readonly label: string;
  readonly to?: Address;
  readonly data: Hex;
  readonly value?: bigint;
}

/** More than any transaction needs. Gas is not estimated, because each transaction depends on those before it. */
const gasLimit = 12_000_000n;

/** Most blocks that a batch may need beyond the first. */
const furtherBlocks = 3;

interface Receipt {
  readonly status?: Hex;
}

/**
 * Collects transactions of one unlocked account and mines them in one block. Contract addresses follow from the nonce, so they
 * are known before anything is sent and are the same every time.
 */
export class TransactionBatch {
  readonly #client: Client | undefined;
  readonly #account: Address;
  #nonce: number;
  #waiting: Transaction[] = [];

  private constructor(client: Client | undefined, account: Address, nonce: number) {
    this.#client = client;
    this.#account = account;
    this.#nonce = nonce;
  }

  /** Creates a batch for a new account without a chain. Append it to a batch that has one. */
  static offline(account: Address): TransactionBatch {
    return new TransactionBatch(undefined, account, 0);
  }

  static async open(rpcUrl: string, account: Address): Promise<TransactionBatch> {
    const client = createClient({ transport: http(rpcUrl) });
    const nonce = await client.request({ method: "eth_getTransactionCount", params: [account, "latest"] });
    return new TransactionBatch(client, account, Number(nonce));
  }

  get account(): Address {
    return this.#account;
  }

  deploy({ abi, bytecode }: Artifact, args: readonly unknown[] = []): Address {
    const nonce = BigInt(this.#nonce + this.#waiting.length);
    const data = encodeDeployData({ abi, bytecode, args });
    this.add({ label: "a deployment", data });
    return getContractAddress({ from: this.#account, nonce }).toLowerCase() as Address;
  }

  call({ to, abi, functionName, args = [], value = 0n }: Call): void {
    const data = encodeFunctionData({ abi, functionName, args });
    this.add({ label: `${functionName} of ${to}`, to, data, value });
  }

  add(transaction: Transaction): void {
    this.#waiting.push(transaction);
  }

  /** Adds the waiting transactions of another batch of the same account. */
  append(other: TransactionBatch): void {
    this.#waiting.push(...other.#waiting);
  }

  /** Fingerprint of the waiting transactions: 16 hex digits. */
  fingerprint(): string {
    const hash = createHash("sha256");
    for (const { to, data, value = 0n } of this.#waiting) hash.update(`${to} ${value} ${data}\n`);
    return hash.digest("hex").slice(0, 16);
  }

  /** Mines all waiting transactions, normally in one block. Throws an error that names the first failed one. */
  async mine(): Promise<void> {
    const transactions = this.#waiting;
    this.#waiting = [];
    const hashes = await this.#sendInOneBlock(transactions);
    this.#nonce += transactions.length;
    let receipts = await this.#receiptsOf(hashes);
    // If the block lacks some of them, the next one may have them.
    for (let blocks = 0; blocks < furtherBlocks && receipts.includes(null); blocks++) {
      await this.#request("evm_mine", []);
      receipts = await this.#receiptsOf(hashes);
    }
    for (const [index, receipt] of receipts.entries()) {
      const { label } = transactions[index] as Transaction;
      if (receipt === null) throw new Error(`the local chain did not mine ${label}`);
      if (receipt.status !== "0x1") throw new Error(`the local chain reverted ${label}`);
    }
  }

  #receiptsOf(hashes: readonly unknown[]): Promise<readonly (Receipt | null)[]> {
    return Promise.all(
      hashes.map((hash) => this.#request("eth_getTransactionReceipt", [hash]) as Promise<Receipt | null>),
    );
  }

  /** The node mines each transaction by itself, and later than it returns the hash. So it is stopped, and told when to mine. */
  async #sendInOneBlock(transactions: readonly Transaction[]): Promise<readonly unknown[]> {
    await this.#request("evm_setAutomine", [false]);
    try {
      const hashes = await this.#send(transactions);
      await this.#request("evm_mine", []);
      return hashes;
    } finally {
      await this.#request("evm_setAutomine", [true]);
    }
  }

  #send(transactions: readonly Transaction[]): Promise<readonly unknown[]> {
    return Promise.all(
      transactions.map(({ to, data, value = 0n }, index) =>
        this.#request("eth_sendTransaction", [
          {
            from: this.#account,
            nonce: numberToHex(this.#nonce + index),
            gas: numberToHex(gasLimit),
            ...(to === undefined ? {} : { to }),
            data,
            value: numberToHex(value),
          },
        ]),
      ),
    );
  }

  #request(method: string, params: readonly unknown[]): Promise<unknown> {
    if (this.#client === undefined) throw new Error("this batch has no chain");
    return this.#client.request({ method, params } as Parameters<Client["request"]>[0]);
  }
}
