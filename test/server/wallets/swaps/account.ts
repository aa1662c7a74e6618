import {
  type Address,
  createPublicClient,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";

const tokenAbi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
]);

export interface Sent {
  readonly isDone: boolean;
  /** Native coin that the account paid for gas. */
  readonly gasCost: bigint;
}

/** An unlocked account of a local chain, as a user with a wallet. */
export class Account {
  readonly address: Address;
  readonly #client;

  constructor(rpcUrl: string, address: Address) {
    this.address = address;
    this.#client = createPublicClient({ transport: http(rpcUrl) });
  }

  async send(to: Hex, data: Hex, value = 0n): Promise<Sent> {
    const transaction = {
      from: this.address,
      to,
      data,
      value: numberToHex(value),
      gas: numberToHex(3_000_000),
    };
    const hash = (await this.#client.request({
      method: "eth_sendTransaction",
      params: [transaction],
    } as never)) as Hex;
    const receipt = await this.#receiptOf(hash);
    return {
      isDone: receipt.status === "success",
      gasCost: receipt.gasUsed * receipt.effectiveGasPrice,
    };
  }

  /** Polls for the receipt. viem would wait for a further block, which is never mined here. */
  async #receiptOf(hash: Hex): Promise<TransactionReceipt> {
    for (;;) {
      const receipt = await this.#client.getTransactionReceipt({ hash }).catch((err: unknown) => {
        if (err instanceof TransactionReceiptNotFoundError) return undefined;
        throw err;
      });
      if (receipt !== undefined) return receipt;
      await new Promise((done) => setTimeout(done, 5));
    }
  }

  coins(): Promise<bigint> {
    return this.#client.getBalance({ address: this.address });
  }

  tokens(token: Address): Promise<bigint> {
    return this.#client.readContract({
      address: token,
      abi: tokenAbi,
      functionName: "balanceOf",
      args: [this.address],
    });
  }

  allowance(token: Address, spender: Address): Promise<bigint> {
    return this.#client.readContract({
      address: token,
      abi: tokenAbi,
      functionName: "allowance",
      args: [this.address, spender],
    });
  }
}
