import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import type { Benchmark, BenchmarkOptions } from "./benchmark.ts";
import { benchBreaking } from "./breaking.ts";
import { benchCall } from "./call.ts";
import { benchChain } from "./chain/chain.ts";
import { benchCheck } from "./check.ts";
import { benchClient } from "./client.ts";
import { benchDeliveries } from "./deliveries/deliveries.ts";
import { benchIsolation } from "./deliveries/isolation.ts";
import { benchLive } from "./deliveries/live.ts";
import { benchDerive } from "./derive/derive.ts";
import { benchDev } from "./dev.ts";
import { benchEditor } from "./editor.ts";
import { benchEdits } from "./edits.ts";
import { benchFiles } from "./files.ts";
import { benchGenerate } from "./generate.ts";
import { benchIndexer } from "./indexer/indexer.ts";
import { benchLanguage } from "./language.ts";
import { benchLimits } from "./limits.ts";
import { benchMatching } from "./matching.ts";
import { benchMetadata } from "./metadata.ts";
import { benchPeers } from "./peers.ts";
import { benchReads } from "./reads.ts";
import { benchLoadData } from "./records/load-data.ts";
import { benchRevalidation } from "./revalidation.ts";
import { benchScale } from "./scale.ts";
import { benchServer } from "./server/server.ts";
import { benchStart } from "./start.ts";
import { benchValidators } from "./validators.ts";
import { benchVersions } from "./versions.ts";

const benchmarks: Readonly<Record<string, Benchmark>> = {
  breaking: benchBreaking,
  call: benchCall,
  chain: benchChain,
  check: benchCheck,
  client: benchClient,
  deliveries: benchDeliveries,
  derive: benchDerive,
  dev: benchDev,
  editor: benchEditor,
  edits: benchEdits,
  files: benchFiles,
  generate: benchGenerate,
  indexer: benchIndexer,
  isolation: benchIsolation,
  language: benchLanguage,
  limits: benchLimits,
  live: benchLive,
  matching: benchMatching,
  metadata: benchMetadata,
  peers: benchPeers,
  reads: benchReads,
  revalidation: benchRevalidation,
  scale: benchScale,
  "load-data": benchLoadData,
  server: benchServer,
  start: benchStart,
  validators: benchValidators,
  versions: benchVersions,
};

const usage = `npm run bench -- [${Object.keys(benchmarks).join("|")}] [--rounds N] [--seed S] [--orders N] [--keep FOLDER] [--assert]`;
const { values, names } = readArguments();
const options: BenchmarkOptions = {
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  orders: Number(values.orders),
  keep: values.keep,
};
const broken: string[] = [];
for (const name of names) {
  console.log(`${name}: ${options.rounds} interleaved rounds, seed ${options.seed}, node ${process.version}`);
  console.log(`load average before: ${loadText()}`);
  broken.push(...((await benchmarks[name]?.(options)) ?? []));
  console.log(`load average after: ${loadText()}`);
}
for (const sentence of broken) console.log(`over the limit: ${sentence}`);
if (values.assert && broken.length > 0) process.exitCode = 1;

/** Exits if the arguments are invalid or ask for help. */
function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: "string", default: "15" },
        seed: { type: "string", default: "1" },
        orders: { type: "string", default: "1000000" },
        keep: { type: "string" },
        assert: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit();
    }
    const unknown = positionals.find((name) => benchmarks[name] === undefined);
    if (unknown !== undefined) throw new Error(`Unknown benchmark "${unknown}".`);
    const invalid = (["rounds", "seed"] as const).find((name) => !/^[1-9][0-9]{0,8}$/.test(values[name]));
    if (invalid !== undefined)
      throw new Error(`--${invalid}: expected a whole number from 1, found "${values[invalid]}".`);
    return { values, names: positionals.length === 0 ? Object.keys(benchmarks) : positionals };
  } catch (err) {
    console.error(`${(err as Error).message}
${usage}`);
    process.exit(2);
  }
}

function loadText(): string {
  return loadavg()
    .map((load) => load.toFixed(2))
    .join(" ");
}
