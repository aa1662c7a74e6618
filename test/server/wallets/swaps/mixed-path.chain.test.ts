import { type Address, encodeFunctionData, encodePacked, type Hex, maxUint256, parseAbi } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import token from "../../../../server/chain/sandbox/contracts/SandboxToken.json" with { type: "json" };
import { addPair, addPool, fullRange, sortedByAddress } from "../../../../server/chain/sandbox/exchanges.ts";
import { noSandbox, useSandbox } from "../../../support/sandbox.ts";
import { Account } from "./account.ts";

const ether = 10n ** 18n;
const fee = 3_000;
const itself: Hex = `0x${"2".padStart(40, "0")}`;
const abi = parseAbi([
  "function approve(address spender, uint256 amount)",
  "function exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum))",
  "function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum))",
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to)",
  "function multicall(uint256 deadline, bytes[] data)",
]);

describe.skipIf(noSandbox)("SwapRouter02, on a path through both versions", () => {
  const sandbox = useSandbox();
  let user: Account;
  let [a, middle, b]: readonly Address[] = [];

  beforeAll(async () => {
    if (noSandbox) return;
    const { batch, exchanges, rpcUrl, accounts } = sandbox();
    user = new Account(rpcUrl, accounts[2] as Address);
    [a, middle, b] = Array.from({ length: 3 }, () => {
      const to = batch.deploy(token as never, ["T", "T", 18]);
      for (const owner of [batch.account, user.address])
        batch.call({ to, abi: token.abi as never, functionName: "mint", args: [owner, 1_000n * ether] });
      return to;
    });
    const hold = (one: Address | undefined) => ({ token: one as Address, amount: 100n * ether });
    addPair(batch, exchanges, hold(a), hold(middle));
    const [first, second] = sortedByAddress(hold(middle), hold(b));
    addPool(batch, exchanges, {
      a: first,
      b: second,
      fee,
      ranges: [fullRange(fee, first.amount, second.amount)],
    });
    await batch.mine();
    const args = [exchanges.swapRouter02, maxUint256] as const;
    await user.send(a as Hex, encodeFunctionData({ abi, functionName: "approve", args }));
  });

  /** Buys 1.1 of the middle token through version 2 for the router, and swaps it with the second call. */
  async function boughtBy(second: Hex): Promise<bigint | undefined> {
    const { swapRouter02 } = sandbox().exchanges;
    const args = [(ether * 11n) / 10n, 2n * ether, [a as Hex, middle as Hex], itself] as const;
    const first = encodeFunctionData({ abi, functionName: "swapTokensForExactTokens", args });
    const calls = [maxUint256, [first, second]] as const;
    const before = await user.tokens(b as Hex);
    const data = encodeFunctionData({ abi, functionName: "multicall", args: calls });
    const { isDone } = await user.send(swapRouter02, data);
    return isDone ? (await user.tokens(b as Hex)) - before : undefined;
  }

  const path = (from: Hex, to: Hex): Hex => encodePacked(["address", "uint24", "address"], [from, fee, to]);

  test("cannot buy an exact amount: it pays with coins of its caller, not with its own", async () => {
    const swap = {
      path: path(b as Hex, middle as Hex),
      recipient: user.address,
      amountOut: ether,
      amountInMaximum: 2n * ether,
    };
    const buying = encodeFunctionData({ abi, functionName: "exactOutput", args: [swap] });
    expect(await boughtBy(buying)).toBeUndefined();
    const args = [sandbox().exchanges.swapRouter02, 2n * ether] as const;
    await user.send(middle as Hex, encodeFunctionData({ abi, functionName: "approve", args }));
    const before = await user.tokens(middle as Hex);
    expect(await boughtBy(buying)).toBe(ether);
    expect(before - (await user.tokens(middle as Hex))).toBeGreaterThan(ether);
  });

  test("can only sell all of its own coins, which buys what the price gives", async () => {
    const swap = {
      path: path(middle as Hex, b as Hex),
      recipient: user.address,
      amountIn: 0n,
      amountOutMinimum: ether,
    };
    const bought = await boughtBy(encodeFunctionData({ abi, functionName: "exactInput", args: [swap] }));
    expect(bought).toBeGreaterThan(ether);
  });
});
