/** The headers of blocks of public chains have the hashes of these blocks. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadKeccak } from "../../../../../server/base/keccak.ts";
import { readCheckedHeader } from "../../../../../server/chain/follower/viem/block-headers.ts";
import { FalseResponse } from "../../../../../server/chain/rpc/nodes/faults.ts";

const keccak = await loadKeccak();

/** The fields of `test/fixtures/headers/*.json` are those of test data in these repositories. */
const headers = [
  // ethereumjs-monorepo, packages/block/test/testdata/infura2000004wotxns.json
  { fork: "legacy", block: "mainnet 2000004", number: 2_000_004 },
  // optimism, op-service/sources/testdata/data/headers/pre-shanghai-success_data.json
  { fork: "merge", block: "Goerli 8651337", number: 8_651_337 },
  // optimism, op-service/sources/testdata/data/headers/post-shanghai-success_data.json
  { fork: "shanghai", block: "Goerli 8656414", number: 8_656_414 },
  // erpc, a response of eth_getBlockByNumber in a test of the package common; a block with blobs
  { fork: "prague", block: "Sepolia 8324337", number: 8_324_337 },
];

function headerOf(fork: string): Readonly<Record<string, string>> {
  const file = new URL(`../../../../fixtures/headers/${fork}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}

test.each(headers)("$block ($fork) has its hash and the root of its receipts", ({ fork, number }) => {
  const header = headerOf(fork);
  const { hash, receiptsRoot } = header;
  expect(readCheckedHeader(header, keccak)).toMatchObject({ number, hash, receiptsRoot });
});

/** Adds one to the last digit. */
function changed(hex: string): string {
  return hex.slice(0, -1) + ((Number.parseInt(hex.at(-1) ?? "0", 16) + 1) % 16).toString(16);
}

test.each(headers)("a change of any field of $block is noticed", ({ fork }) => {
  const header = headerOf(fork);
  for (const [name, value] of Object.entries(header)) {
    const other = { ...header, [name]: value === "0x" ? "0x00" : changed(value) };
    expect(() => readCheckedHeader(other, keccak), name).toThrow(FalseResponse);
  }
});
