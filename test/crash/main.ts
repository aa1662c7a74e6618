/** `npm run crash -- --rounds 20 --seed 1`: the long form of the crash test. Needs `npm run prepare` after a change. */
import { parseArgs } from "node:util";
import { makeData } from "../support/host.ts";
import { freshSeed, seededRandom } from "../support/random.ts";
import { crashRounds } from "./rounds.ts";

const { values } = parseArgs({ options: { rounds: { type: "string" }, seed: { type: "string" } } });
const seed = Number(values.seed ?? freshSeed());
const rounds = Number(values.rounds ?? 20);
console.log(`${rounds} rounds, seed ${seed}`);

await using data = await makeData();
const { written, lost, healedAfterMs } = await crashRounds(data, rounds, seededRandom(seed));
const sorted = healedAfterMs.toSorted((a, b) => a - b);
console.log(`${written} rows acknowledged, ${lost} lost`);
console.log(`answered again after ${sorted[sorted.length >> 1]} ms (median), ${sorted.at(-1)} ms (worst)`);
if (lost !== 0) process.exitCode = 1;
