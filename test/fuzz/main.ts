import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { freshSeed, seededRandom } from "../support/random.ts";
import { referenceBinary, startReference } from "../support/reference.ts";
import { readCorpus } from "./corpus.ts";
import { findDifferences } from "./differential.ts";
import { checkFixes } from "./fixes.ts";
import { complaintAboutPrinting, randomSchemas } from "./printing.ts";
import { atoms, checkSyntax, everySequence, randomTexts } from "./syntax.ts";
import { fuzzVerdicts } from "./validators.ts";

const usage =
  "npm run fuzz -- syntax|printing|fixes|reference|validators|scaffold|streams|throws|typed-data|versions|markets [--seed S] [--count N] [--corpus FOLDER]…";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    count: { type: "string" },
    corpus: { type: "string", multiple: true, default: [] },
  },
});
const seed = values.seed === undefined ? freshSeed() : Number(values.seed);
const usual: Readonly<Record<string, number>> = {
  fixes: 10_000,
  streams: 10_000,
  throws: 10_000,
  "typed-data": 5_000,
  versions: 400,
  markets: 200,
};
const count = Number(values.count ?? usual[positionals[0] ?? ""] ?? 100_000);
const parts: Readonly<Record<string, () => number | Promise<number>>> = {
  syntax: fuzzSyntax,
  printing: fuzzPrinting,
  fixes: fuzzFixes,
  reference: fuzzReference,
  validators: fuzzValidators,
  scaffold: fuzzScaffold,
  streams: fuzzStreams,
  throws: fuzzThrows,
  "typed-data": fuzzTypedData,
  versions: fuzzVersions,
  markets: fuzzMarkets,
};
const part = parts[positionals[0] ?? ""];
if (part === undefined || !Number.isSafeInteger(seed) || !Number.isSafeInteger(count)) {
  console.error(usage);
  process.exit(2);
}
console.log(`${positionals[0]}: seed ${seed}, count ${count}`);
process.exitCode = await part();

function fuzzSyntax(): number {
  const complaint =
    checkSyntax(everySequence(atoms, 3)) ?? checkSyntax(randomTexts(seededRandom(seed), count));
  console.log(complaint ?? "nothing found");
  return complaint === undefined ? 0 : 1;
}

function fuzzPrinting(): number {
  const tally = { formatted: 0, faulty: 0, refused: 0, compared: 0 };
  const corpus = readCorpus(values.corpus).filter(({ kind }) => kind === "ridl");
  for (const request of randomSchemas(seededRandom(seed), corpus, count)) {
    const complaint = complaintAboutPrinting(request, tally);
    if (complaint === undefined) continue;
    console.log(`${complaint}\n${JSON.stringify(request)}`);
    return 1;
  }
  console.log("nothing found", tally);
  return 0;
}

/** What `lint --fix` does to schemas with mistakes. */
function fuzzFixes(): number {
  const { complaint, tally } = checkFixes(seededRandom(seed), readCorpus(values.corpus), count);
  console.log(complaint ?? "nothing found", tally);
  return complaint === undefined ? 0 : 1;
}

/** Handlers and edits of their schema. Code generation needs the test loaders, so this runs in vitest. */
function fuzzScaffold(): number {
  const env = { SCAFFOLD_CASES: String(count), SCAFFOLD_SEED: String(seed) };
  return runTest("test/generator/handlers/property.test.ts", env);
}

/** Streams of `count` items through a disturbing proxy, on every adapter. */
function fuzzStreams(): number {
  return runTest("test/fuzz/streams.test.ts", { STREAM_ITEMS: String(count), STREAM_SEED: String(seed) });
}

/** Handlers that throw anything in any way, on every adapter. */
function fuzzThrows(): number {
  const env = { THROWN_ERRORS: String(count), THROWN_SEED: String(seed) };
  return runTest("test/generator/runtime/server-throws.test.ts", env);
}

/** Hashes and signers of random typed data, compared with ethers and viem. */
function fuzzTypedData(): number {
  const env = { TYPED_DATA_DOCUMENTS: String(count), TYPED_DATA_SEED: String(seed) };
  return runTest("test/server/wallets/signatures/differential.test.ts", env);
}

/** Histories of schemas, with the clients and servers of all their versions. */
function fuzzVersions(): number {
  const env = { VERSION_HISTORIES: String(count), VERSION_SEED: String(seed) };
  return runTest("test/generator/codegen/versions/histories.process.test.ts", env);
}

/** Random order histories on a local chain, with reorganizations. */
function fuzzMarkets(): number {
  return runTest("test/server/market/indexer/histories.chain.test.ts", {
    MARKET_HISTORIES: String(count),
    MARKET_SEED: String(seed),
  });
}

function runTest(path: string, env: Readonly<Record<string, string>>): number {
  const all = { ...process.env, ...env };
  return spawnSync("npx", ["vitest", "run", path], { env: all, stdio: "inherit" }).status ?? 1;
}

/** Half of the values are valid, half violate one rule; see random-value.ts. */
function fuzzValidators(): number {
  const tally = { accepted: 0, refused: 0 };
  const difference = fuzzVerdicts(seed, count, tally);
  console.log(difference ?? "nothing found", tally);
  return difference === undefined ? 0 : 1;
}

async function fuzzReference(): Promise<number> {
  const binary = referenceBinary();
  if (binary === undefined) {
    console.error("The reference parser is not built: see test/reference/main.go and .ci/run.");
    return 2;
  }
  await using reference = startReference(binary, { hangMs: 300 });
  let reported = 0;
  const { findings, tally } = await findDifferences({
    random: seededRandom(seed),
    reference,
    corpus: readCorpus(values.corpus),
    count,
    onProgress: (soFar) => {
      const done = Object.values(soFar).reduce((sum, one) => sum + one, 0);
      if (done - reported < 50_000) return;
      reported = done;
      console.log(`${done} done`, soFar);
    },
  });
  for (const { difference, request, count: times } of findings) {
    console.log(`\n${times} × ${difference}\n${JSON.stringify(request)}`);
  }
  console.log(`\n${findings.length} kinds of difference; the reference's verdicts:`, tally);
  return findings.length === 0 ? 0 : 1;
}
