/** Compares ridlkit with other generators: the cost of generating the same contract, and the output for its users. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "../../generator/language/compile.ts";
import { memoryReader } from "../support/memory-reader.ts";
import { seededRandom } from "../support/random.ts";
import type { Benchmark } from "./benchmark.ts";
import { type Client, measureCalls } from "./peers/calls.ts";
import { bufTemplate, contract, type Peer, packages, peers, proxies, tarballs } from "./peers/candidates.ts";
import { install } from "./peers/install.ts";
import { measureOutput, type OutputFigures } from "./peers/measure-output.ts";
import { protoOf } from "./peers/proto.ts";
import { processCpu } from "./process-cpu.ts";
import { benchSchema } from "./schema.ts";

/** With `Ping`, 200 methods. */
const size = { types: 400, methods: 199 } as const;
const pingService = "\nservice Marketplace\n  - Ping() => (status: bool)\n";

/** Upper bound of rounds; a round takes half a minute. */
const maxRounds = 5;

export const benchPeers: Benchmark = async ({ rounds, seed }) => {
  const random = seededRandom(seed);
  // Inside node_modules: ignored by git, and imports of the clients resolve from there.
  const folder = join(packages, ".out");
  rmSync(folder, { recursive: true, force: true });
  writeContract(join(folder, "contract"));
  const candidates = peers(folder).map((peer, index) => ({ peer, place: join(folder, String(index)) }));
  const taken = new Map<Peer, number[]>(candidates.map(({ peer }) => [peer, []]));
  for (let round = 0; round < Math.min(rounds, maxRounds); round++)
    for (const { peer, place } of random.shuffle(candidates)) taken.get(peer)?.push(generate(peer, place));
  console.log(`${size.methods + 1} methods, ${size.types} types`);
  console.log(
    "| | CPU ms | files | written KiB | errors, strict | errors, strictest | a call, bytes | all, bytes |",
  );
  console.log("|---|---|---|---|---|---|---|---|");
  const clients: Client[] = [];
  for (const { peer, place } of candidates) {
    const output = await measureOutput(place);
    console.log(row(peer, taken.get(peer) ?? [], output));
    const bytes = { one: output.callBytes, all: output.everythingBytes };
    clients.push({ name: peer.name, ping: peer.ping, place, bytes });
  }
  const own = candidates.length > 2 ? proxies : [];
  await measureCalls(folder, [...clients, ...own], { rounds, seed });
  showInstallations([...candidates.map(({ peer }) => peer), tsRest], folder);
  rmSync(folder, { recursive: true });
  return [];
};

/** ts-rest contracts are written by hand, so only its installation is measured. */
const tsRest: Pick<Peer, "name" | "installs"> = {
  name: "ts-rest 3.52.1, with zod",
  installs: ["@ts-rest/core@3.52.1", "@ts-rest/express@3.52.1", "express@4", "zod@3"],
};

function showInstallations(candidates: readonly Pick<Peer, "name" | "installs">[], folder: string): void {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const packed = run(
    ["npm", "run", "--silent", "pack", "--", "--silent", "--pack-destination", folder],
    root,
  );
  for (const [index, name] of packed.trim().split("\n").entries())
    renameSync(join(folder, name), tarballs[index] ?? "");
  console.log("\n| | packages | MiB | install scripts | seconds, warm cache |\n|---|---|---|---|---|");
  for (const { name, installs } of candidates) {
    if (installs === undefined) continue;
    const { packages: count, mib, scripts, seconds } = install(installs, join(folder, "installed"));
    const cells = [name, count, mib.toFixed(0), scripts.join(", ") || "none", seconds.toFixed(1)];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

function writeContract(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const text = benchSchema(size) + pingService;
  const { result } = compile(contract.ridl, memoryReader({ [contract.ridl]: text }));
  if (result === undefined) throw new Error("the contract has errors");
  writeFileSync(join(folder, contract.ridl), text);
  writeFileSync(join(folder, contract.proto), protoOf(result.model));
  writeFileSync(join(folder, "buf.gen.json"), bufTemplate);
  const program = fileURLToPath(new URL("../../dist/ridlkit.js", import.meta.url));
  const flags = ["--quiet", "--out", "made", "--target", "openapi", "--openapi-format", "json"];
  run([process.execPath, program, "generate", contract.ridl, ...flags], folder);
  cpSync(join(folder, "made/openapi", contract.openapi), join(folder, contract.openapi));
  rmSync(join(folder, "made"), { recursive: true });
}

/** Generates into an empty folder, and returns the CPU time of all processes, in milliseconds. */
function generate({ command, call, everything }: Peer, place: string): number {
  rmSync(place, { recursive: true, force: true });
  cpSync(join(place, "../contract"), place, { recursive: true });
  mkdirSync(join(place, "out"));
  writeFileSync(join(place, "call.ts"), `${call}\n`);
  writeFileSync(join(place, "everything.ts"), `${everything}\n`);
  const before = processCpu("self")?.endedMs ?? 0;
  run(command, place);
  return (processCpu("self")?.endedMs ?? 0) - before;
}

function run([program = "", ...args]: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}${stdout}`.slice(0, 2_000));
  return stdout;
}

function row({ name }: Peer, cpuMs: readonly number[], output: OutputFigures): string {
  const median = cpuMs.toSorted((a, b) => a - b)[cpuMs.length >> 1] ?? Number.NaN;
  const { files, kib, errors, callBytes, everythingBytes } = output;
  const cells = [
    name,
    median,
    files,
    kib.toFixed(0),
    errors.strict,
    errors.strictest,
    callBytes,
    everythingBytes,
  ];
  return `| ${cells.join(" | ")} |`;
}
