import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { benchBreaking } from "./breaking.ts";
import { benchChain } from "./chain/chain.ts";
import { benchCheck } from "./check.ts";
import { benchClient } from "./client.ts";
import { benchDeliveries } from "./deliveries/deliveries.ts";
import { benchIsolation } from "./deliveries/isolation.ts";
import { benchLive } from "./deliveries/live.ts";
import { benchDerive } from "./derive/derive.ts";
import { benchDev } from "./dev.ts";
import { benchDiagnostics } from "./diagnostics.ts";
import { benchEditor } from "./editor.ts";
import { benchFiles } from "./files.ts";
import { benchGenerate } from "./generate.ts";
import { benchIndexer } from "./indexer/indexer.ts";
import { benchLanguage } from "./language.ts";
import { benchMatching } from "./matching.ts";
import { benchMetadata } from "./metadata.ts";
import type { Part, PartOptions } from "./part.ts";
import { benchPeers } from "./peers.ts";
import { benchReads } from "./reads.ts";
import { benchLoadData } from "./records/load-data.ts";
import { benchScale } from "./scale.ts";
import { benchServer } from "./server/server.ts";
import { benchStart } from "./start.ts";
import { benchValidators } from "./validators.ts";

const parts: Readonly<Record<string, Part>> = {
  breaking: benchBreaking,
  chain: benchChain,
  check: benchCheck,
  client: benchClient,
  deliveries: benchDeliveries,
  derive: benchDerive,
  dev: benchDev,
  diagnostics: benchDiagnostics,
  editor: benchEditor,
  files: benchFiles,
  generate: benchGenerate,
  indexer: benchIndexer,
  isolation: benchIsolation,
  language: benchLanguage,
  live: benchLive,
  matching: benchMatching,
  metadata: benchMetadata,
  peers: benchPeers,
  reads: benchReads,
  scale: benchScale,
  "load-data": benchLoadData,
  server: benchServer,
  start: benchStart,
  validators: benchValidators,
};

const usage = `npm run bench -- [${Object.keys(parts).join("|")}] [--rounds N] [--seed S] [--orders N] [--keep FOLDER] [--assert]`;
const { values, names } = readArguments();
const options: PartOptions = {
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  orders: Number(values.orders),
  keep: values.keep,
};
const broken: string[] = [];
for (const name of names) {
  console.log(`${name}: ${options.rounds} interleaved rounds, seed ${options.seed}, node ${process.version}`);
  console.log(`load average at the start: ${loadText()}`);
  broken.push(...((await parts[name]?.(options)) ?? []));
  console.log(`load average at the end: ${loadText()}`);
}
for (const sentence of broken) console.log(`over the bound: ${sentence}`);
if (values.assert && broken.length > 0) process.exitCode = 1;

/** Ends the program where there is nothing to run. */
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
    const unknown = positionals.find((name) => parts[name] === undefined);
    if (unknown !== undefined) throw new Error(`There is no part "${unknown}".`);
    const bad = (["rounds", "seed"] as const).find((name) => !/^[1-9][0-9]{0,8}$/.test(values[name]));
    if (bad !== undefined) throw new Error(`--${bad} takes a whole number from 1, found "${values[bad]}".`);
    return { values, names: positionals.length === 0 ? Object.keys(parts) : positionals };
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
