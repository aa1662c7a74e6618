/**
 * `npm run contracts`: compiles the Solidity files of the platform and its tests. Writes each contract next to its source, such
 * as `SandboxToken.json` with `abi` and `bytecode`. Run it after changing a source, and commit both.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<
    Record<string, Readonly<Record<string, { abi: object[]; evm: { bytecode: { object: string } } }>>>
  >;
}

/** Returns the generated files by their paths from the project root. */
export function compileContracts(): ReadonlyMap<string, string> {
  const paths = ["server", "test/contracts"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".sol"))
      .map((name) => join(folder, name)),
  );
  const sources = Object.fromEntries(
    paths.sort().map((path) => [path, { content: readFileSync(join(root, path), "utf8") }]),
  );
  const input = {
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
  };
  const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };
  const { errors = [], contracts = {} } = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
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

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, text] of compileContracts()) writeFileSync(join(root, path), text);
