import type { Chain, Hex } from "../../../chain/rpc/chain.ts";
import { wordAt } from "../../../chain/rpc/words.ts";
import type { Claim, Reading } from "./facts.ts";

/** Bytes that are read of one answer: a royalty is two words, all others are one. */
const answerMaxBytes = 64;

/** Royalties are asked for at this price, so that they are read in its parts. */
const price = 10n ** 18n;

type Call = { readonly to: Hex; readonly data: Hex };
type Answer = Hex | undefined;

/** What contracts say of these facts as of a block. One that fails, loops or floods is read as a reason. Throws ChainFailure. */
export async function askFacts(
  chain: Chain,
  facts: readonly Claim[],
  blockHash: Hex,
  signal: AbortSignal,
): Promise<readonly Reading[]> {
  const questions = facts.map((fact) => ({ id: fact.id, ...questionOf(fact) }));
  const calls = questions.flatMap((question) => question.calls);
  const answers = await chain.callMany({ calls, answerMaxBytes, blockHash, signal });
  const given = answers.values();
  return questions.map(({ id, calls: own, read }) => ({ id, ...read(own.map(() => given.next().value)) }));
}

interface Question {
  readonly calls: readonly Call[];
  readonly read: (answers: readonly Answer[]) => Omit<Reading, "id">;
}

function questionOf({ kind, contract, tokenId, holder = "0x", spender }: Claim): Question {
  const to = (address: Hex, selector: string, ...words: readonly (Hex | bigint)[]): Call => ({
    to: address,
    data: `0x${selector}${words.map(wordOf).join("")}`,
  });
  if (kind === "royalty")
    // getRoyaltyInfo(address,uint256,uint256) of the market, which asks the token (ERC-2981) or knows better.
    return { calls: [to(spender, "36de9742", contract, tokenId ?? 0n, price)], read: readRoyalty };
  if (tokenId === undefined)
    return {
      // balanceOf(address), allowance(address,address)
      calls: [to(contract, "70a08231", holder), to(contract, "dd62ed3e", holder, spender)],
      read: readCurrency,
    };
  return {
    // balanceOf(address,uint256), isApprovedForAll(address,address), ownerOf(uint256), getApproved(uint256)
    calls: [
      to(contract, "00fdd58e", holder, tokenId),
      to(contract, "e985e9c5", holder, spender),
      to(contract, "6352211e", tokenId),
      to(contract, "081812fc", tokenId),
    ],
    read: (answers) => readToken(answers, holder, spender),
  };
}

function wordOf(value: Hex | bigint): string {
  return (typeof value === "bigint" ? value.toString(16) : value.slice(2)).padStart(64, "0");
}

function readRoyalty([answer]: readonly Answer[]): Omit<Reading, "id"> {
  const [recipient, royalty] = [wordAt(answer, 0), wordAt(answer, 1)];
  if (recipient === undefined || royalty === undefined) return none("no answer to getRoyaltyInfo");
  return { amount: royalty, recipient: addressOf(recipient) };
}

function readCurrency([balanceOf, allowance]: readonly Answer[]): Omit<Reading, "id"> {
  const [balance, allowed] = [wordAt(balanceOf, 0), wordAt(allowance, 0)];
  if (balance === undefined || allowed === undefined) return none("no answer to balanceOf or allowance");
  // The market takes no more than it is allowed to.
  // biome-ignore lint/complexity/useMathMinMax: these are bigints.
  return { amount: balance < allowed ? balance : allowed };
}

/** Who says how many of a token somebody has is a contract of many (ERC-1155), whatever it says of its interfaces. */
function readToken(
  [balanceOf, isApprovedForAll, ownerOf, getApproved]: readonly Answer[],
  holder: Hex,
  spender: Hex,
): Omit<Reading, "id"> {
  const balance = wordAt(balanceOf, 0);
  const owner = wordAt(ownerOf, 0);
  if (balance === undefined && owner === undefined) return none("no answer to balanceOf or ownerOf");
  const isForAll = wordAt(isApprovedForAll, 0) === 1n;
  if (balance !== undefined) return { amount: isForAll ? balance : 0n };
  const approved = wordAt(getApproved, 0);
  const isApproved = isForAll || (approved !== undefined && addressOf(approved) === spender);
  return { amount: owner !== undefined && addressOf(owner) === holder && isApproved ? 1n : 0n };
}

function none(reason: string): Omit<Reading, "id"> {
  return { amount: undefined, reason };
}

function addressOf(word: bigint): string {
  return `0x${(word % 2n ** 160n).toString(16).padStart(40, "0")}`;
}
