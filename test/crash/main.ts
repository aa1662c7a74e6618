/** `npm run crash -- [rows|streams|events|webhooks|reorganizations|writes]… [--rounds N] [--seed S]`: the long form of the crash tests. Needs `npm run build` after a change. */
import { parseArgs } from "node:util";
import { makeData } from "../support/host.ts";
import { freshSeed, seededRandom } from "../support/random.ts";
import { startSharedPostgres } from "../support/shared-postgres.ts";
import { eventStreamRounds } from "./events.ts";
import type { Part } from "./part.ts";
import { isNetZero, reorganizationRounds } from "./reorganizations.ts";
import { crashRounds } from "./rounds.ts";
import { chaosOfStreams } from "./streams.ts";
import { webhookRounds } from "./webhooks.ts";
import { lossyWrites } from "./writes.ts";

const rows: Part = async ({ rounds = 20, random }) => {
  await using data = await makeData();
  const { written, lost, healedAfterMs } = await crashRounds(data, rounds, random);
  const sorted = healedAfterMs.toSorted((a, b) => a - b);
  console.log(`${written} rows acknowledged, ${lost} lost`);
  console.log(`responded again after ${sorted[sorted.length >> 1]} ms (median), ${sorted.at(-1)} ms (worst)`);
  return lost === 0;
};

/** 100 rounds emit 20,000 events; reorganizations remove some of them. */
const eventsOfRound = 200;

const webhooks: Part = async ({ rounds = 100, random }) => {
  await using data = await makeData();
  const { faults, ...report } = await webhookRounds(data, rounds, eventsOfRound, random, (progress) =>
    console.log(progress),
  );
  console.log(report);
  for (const fault of faults.slice(0, 20)) console.log(`broken: ${fault}`);
  return report.missing === 0 && report.surplus === 0 && faults.length === 0;
};

/** Rounds with one chain. A chain with more blocks is too large to be copied. */
const roundsPerChain = 10;

/** Depths from 1 to 500. */
const reorganizations: Part = async ({ rounds = 40, random }) => {
  const depths = Array.from({ length: rounds }, () =>
    random.pick([1, 8, 64, 65, 500, random.below(500) + 1]),
  );
  let isWhole = true;
  for (let start = 0; start < depths.length; start += roundsPerChain) {
    await using data = await makeData();
    const some = depths.slice(start, start + roundsPerChain);
    const report = await reorganizationRounds(data, some, random, (progress) => console.log(progress));
    console.log(JSON.stringify(report, null, 2));
    isWhole &&= isNetZero(report);
  }
  return isWhole;
};

/** 10,002 writes without kills, and as many while the host is killed. */
const writes: Part = async ({ rounds = 10, random }) => {
  let isWhole = true;
  for (const kills of [0, rounds]) {
    await using data = await makeData();
    const report = await lossyWrites(data, { listeners: 3_334, clients: 50, kills, random });
    console.log(report);
    isWhole &&= report.once === report.writes && report.severalTimes === 0 && report.wrong.length === 0;
  }
  return isWhole;
};

/** 20 reorganizations with two hosts and 3 readers. */
const events: Part = async ({ rounds = 20, random }) => {
  await using postgres = await startSharedPostgres();
  const report = await eventStreamRounds(postgres.url, rounds, random, (progress) => console.log(progress));
  console.log(report);
  const { lost, twice, missing, surplus, faults } = report;
  return lost + twice + missing + surplus + faults === 0;
};

/** 10,000 items, all of which 3 readers get, with more than 500 cuts and 20 kills. */
const streams: Part = async ({ rounds = 20, random }) => {
  await using postgres = await startSharedPostgres();
  const report = await chaosOfStreams({
    items: 10_000,
    kills: rounds,
    readers: 3,
    postgres: postgres.url,
    random,
    onProgress: (line) => console.log(line),
  });
  console.log(report);
  return report.lost + report.twice + report.unordered === 0;
};

const parts: Readonly<Record<string, Part>> = { rows, streams, events, webhooks, reorganizations, writes };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string" }, seed: { type: "string" } },
});
const names = positionals.length === 0 ? Object.keys(parts) : positionals;
if (names.some((name) => !Object.hasOwn(parts, name))) {
  console.error(`npm run crash -- [${Object.keys(parts).join("|")}]… [--rounds N] [--seed S]`);
  process.exit(2);
}
const seed = Number(values.seed ?? freshSeed());
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
for (const name of names) {
  console.log(`${name}: ${rounds ?? "all"} rounds, seed ${seed}`);
  const isWhole = await parts[name]?.({ rounds, random: seededRandom(seed) });
  if (isWhole !== true) process.exitCode = 1;
}
