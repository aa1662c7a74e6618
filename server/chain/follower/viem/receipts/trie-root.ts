/** The root of the trie that a block header commits to for a list, such as the block's receipts. Yellow paper, appendix D. */
import { toRlp } from "viem";
import type { Keccak } from "../../../../base/keccak.ts";
import type { Hex } from "../../../rpc/chain.ts";
import { hexOf } from "../../bytes.ts";

type RlpItem = Uint8Array | RlpItem[];

interface Entry {
  /** The key's half bytes: the RLP encoding of the value's index. */
  readonly nibbles: readonly number[];
  readonly value: Uint8Array;
}

const nothing = new Uint8Array();

export function trieRoot(values: readonly Uint8Array[], keccak: Keccak): Hex {
  const entries = values.map((value, index) => ({
    nibbles: nibblesOf(toRlp(indexBytes(index), "bytes")),
    value,
  }));
  return hexOf(Buffer.from(keccak(toRlp(nodeOf(entries, 0, keccak), "bytes"))));
}

/** Without leading zeros; zero has no bytes. */
function indexBytes(index: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = index; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.from(bytes);
}

function nibblesOf(bytes: Uint8Array): readonly number[] {
  return [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
}

/** The node of these entries, whose keys are equal up to `depth`. No key is the start of another one. */
function nodeOf(entries: readonly Entry[], depth: number, keccak: Keccak): RlpItem {
  const [first] = entries;
  if (first === undefined) return nothing;
  const rest = first.nibbles.slice(depth);
  if (entries.length === 1) return [pathOf(rest, true), first.value];
  let shared = 0;
  while (entries.every(({ nibbles }) => nibbles[depth + shared] === rest[shared])) shared++;
  if (shared > 0) {
    const path = pathOf(rest.slice(0, shared), false);
    return [path, referenceTo(nodeOf(entries, depth + shared, keccak), keccak)];
  }
  const children = Array.from({ length: 16 }, (_, nibble) => {
    const below = entries.filter(({ nibbles }) => nibbles[depth] === nibble);
    return below.length === 0 ? nothing : referenceTo(nodeOf(below, depth + 1, keccak), keccak);
  });
  return [...children, nothing];
}

/** Nodes shorter than a hash are embedded. */
function referenceTo(node: RlpItem, keccak: Keccak): RlpItem {
  const encoded = toRlp(node, "bytes");
  return encoded.length < 32 ? node : keccak(encoded);
}

/** Hex-prefix encoding (appendix C): the first half byte says whether the node is a leaf, and whether the length is odd. */
function pathOf(nibbles: readonly number[], isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0;
  const padded = nibbles.length % 2 === 0 ? [flag, 0, ...nibbles] : [flag + 1, ...nibbles];
  return Uint8Array.from(
    { length: padded.length / 2 },
    (_, at) => ((padded[at * 2] ?? 0) << 4) | (padded[at * 2 + 1] ?? 0),
  );
}
