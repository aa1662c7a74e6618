/** `npm run attack -- [part…] [--seed S] [--count N]`: the long forms of the attack tests, with figures. */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { freshSeed } from "../support/random.ts";
import { reportCanaries } from "./canary.ts";
import { reportDearReads } from "./expensive-reads.ts";
import { reportFuzz } from "./fuzz.ts";
import { reportFilters, reportHostileData } from "./hostile-data.ts";
import { reportOverload } from "./overload.ts";
import type { AttackOptions, Part } from "./part.ts";
import { reportSlow } from "./slow.ts";
import { reportStops } from "./stop.ts";
import { reportUnread } from "./unread.ts";
import { reportUploads } from "./uploads.ts";

const parts: Readonly<Record<string, Part>> = {
  canary: reportCanaries,
  filters: reportFilters,
  fuzz: reportFuzz,
  hostile: reportHostileData,
  reads: reportDearReads,
  overload: reportOverload,
  slow: reportSlow,
  stop: reportStops,
  unread: reportUnread,
  uploads: reportUploads,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, count: { type: "string", default: "10000" } },
});
const names = positionals.length === 0 ? Object.keys(parts) : positionals;
if (names.some((name) => !Object.hasOwn(parts, name))) {
  console.error(`npm run attack -- [${Object.keys(parts).join("|")}]… [--seed S] [--count N]`);
  process.exit(2);
}
const options: AttackOptions = {
  seed: values.seed === undefined ? freshSeed() : Number(values.seed),
  count: Number(values.count),
};
for (const name of names) {
  console.log(`\n${name}: seed ${options.seed}, load average ${loadavg()[0]?.toFixed(2)}`);
  const startedAt = performance.now();
  const broken = (await parts[name]?.(options)) ?? [];
  console.log(`${name} took ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  for (const sentence of broken) console.log(`broken: ${sentence}`);
  if (broken.length > 0) process.exitCode = 1;
}
