import type { Contract } from "../../generator/codegen/plan/build.ts";
import { compile } from "../../generator/language/compile.ts";
import { type LoadedContract, loadInMemory } from "../../generator/verify/in-memory/load.ts";
import { memoryReader } from "./memory-reader.ts";

/** Compiles a version of a schema. */
export function contractOf(text: string): Contract {
  const { result, diagnostics } = compile("schema.ridl", memoryReader({ "schema.ridl": text }));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return { model: result.model, ir: result.ir };
}

/** The generated code of each version, the oldest first. Each server also speaks the versions before its own. */
export async function loadVersions(texts: readonly string[]): Promise<readonly LoadedContract[]> {
  const contracts = texts.map(contractOf);
  return Promise.all(
    contracts.map((contract, index) => loadInMemory({ ...contract, history: contracts.slice(0, index) })),
  );
}

/** Calls a server in this process. */
export function transportTo({ fetchHandler }: LoadedContract, server: object): typeof fetch {
  const handle = fetchHandler(server as never);
  return (input, init) => handle(new Request(input as string, { ...init, duplex: "half" } as RequestInit));
}
