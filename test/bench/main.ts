import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { benchChain } from "./chain/chain.ts";
import { benchClient } from "./client.ts";
import { benchDiagnostics } from "./diagnostics.ts";
import { benchGenerate } from "./generate.ts";
import { benchLanguage } from "./language.ts";
import type { Part, PartOptions } from "./part.ts";
import { benchServer } from "./server/server.ts";
import { benchValidators } from "./validators.ts";

const parts: Readonly<Record<string, Part>> = {
  chain: benchChain,
  client: benchClient,
  diagnostics: benchDiagnostics,
  generate: benchGenerate,
  language: benchLanguage,
  server: benchServer,
  validators: benchValidators,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "15" },
    seed: { type: "string", default: "1" },
    assert: { type: "boolean", default: false },
  },
});
const names = positionals.length === 0 ? Object.keys(parts) : positionals;
const unknown = names.filter((name) => parts[name] === undefined);
if (unknown.length > 0) {
  console.error(`npm run bench -- [${Object.keys(parts).join("|")}] [--rounds N] [--seed S] [--assert]`);
  process.exit(2);
}
const options: PartOptions = { rounds: Number(values.rounds), seed: Number(values.seed) };
const broken: string[] = [];
for (const name of names) {
  console.log(`${name}: ${options.rounds} interleaved rounds, seed ${options.seed}, node ${process.version}`);
  console.log(`load average at the start: ${loadText()}`);
  broken.push(...((await parts[name]?.(options)) ?? []));
  console.log(`load average at the end: ${loadText()}`);
}
for (const sentence of broken) console.log(`over the bound: ${sentence}`);
if (values.assert && broken.length > 0) process.exitCode = 1;

function loadText(): string {
  return loadavg()
    .map((load) => load.toFixed(2))
    .join(" ");
}
