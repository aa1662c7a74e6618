/**
 * `npm run contracts`: compiles the Solidity files of the platform and its tests. Writes each contract next to its source, such
 * as `SandboxToken.json` with `abi` and `bytecode`, and `compiled.json` with hashes of sources and results. Run it after changing
 * a source, and commit everything.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const compiledPath = "server/chain/sandbox/contracts/compiled.json";
const require = createRequire(import.meta.url);

/** Hashes of what was compiled last. Comparing them takes milliseconds, and compiling half a minute. */
interface Compiled {
  readonly input: string;
  /** By path from the project root. */
  readonly outputs: Readonly<Record<string, string>>;
}

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<
    Record<string, Readonly<Record<string, { abi: object[]; evm: { bytecode: { object: string } } }>>>
  >;
}

/** The compiler's input: all sources, and the settings. */
function compilerInput(): string {
  const paths = ["server", "test/contracts"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".sol"))
      .map((name) => join(folder, name)),
  );
  const sources = Object.fromEntries(
    paths.sort().map((path) => [path, { content: readFileSync(join(root, path), "utf8") }]),
  );
  return JSON.stringify({
    language: "Solidity",
    sources,
    settings: {
      // Supported by every known chain; later versions add nothing that is needed here.
      evmVersion: "paris",
      optimizer: { enabled: true, runs: 200 },
      // Some functions exceed the stack without it.
      viaIR: true,
      // Omits the metadata hash, so that comments do not change the bytecode.
      metadata: { bytecodeHash: "none", appendCBOR: false },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
    },
  });
}

/** Returns the generated files by their paths from the project root. */
export function compileContracts(): ReadonlyMap<string, string> {
  const solc = require("solc") as { compile(input: string): string };
  const { errors = [], contracts = {} } = JSON.parse(solc.compile(compilerInput())) as Output;
  const faults = errors.filter(({ severity }) => severity === "error");
  if (faults.length > 0) throw new Error(faults.map((fault) => fault.formattedMessage).join("\n"));
  return new Map(
    Object.entries(contracts).flatMap(([path, byName]) =>
      Object.entries(byName)
        .filter(([, { evm }]) => evm.bytecode.object !== "")
        .map(([name, { abi, evm }]): [string, string] => [
          join(dirname(path), `${name}.json`),
          `${JSON.stringify({ abi, bytecode: `0x${evm.bytecode.object}` })}\n`,
        ]),
    ),
  );
}

/** Returns the paths of generated files that differ from what was compiled last, and of `compiled.json` if a source does. */
export function findOutdated(): readonly string[] {
  const { input, outputs } = JSON.parse(readFileSync(join(root, compiledPath), "utf8")) as Compiled;
  const outdated = Object.keys(outputs).filter(
    (path) => outputs[path] !== hashOf(readFileSync(join(root, path), "utf8")),
  );
  return input === hashOfInput() ? outdated : [compiledPath, ...outdated];
}

function hashOfInput(): string {
  const { version } = require("solc/package.json") as { readonly version: string };
  return hashOf(version + compilerInput());
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = compileContracts();
  for (const [path, text] of files) writeFileSync(join(root, path), text);
  const outputs = Object.fromEntries([...files].map(([path, text]) => [path, hashOf(text)]));
  const compiled: Compiled = { input: hashOfInput(), outputs };
  writeFileSync(join(root, compiledPath), `${JSON.stringify(compiled, null, 2)}\n`);
}
