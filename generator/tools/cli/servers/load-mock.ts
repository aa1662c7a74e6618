import { resolve } from "node:path";
import { filterModel } from "../../../codegen/plan/filter.ts";
import type { CompiledSchema } from "../../../language/compile.ts";
import type { Diagnostic } from "../../../language/diagnostics/diagnostic.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import { type LoadedContract, loadInMemory, NothingToServe } from "../../../verify/in-memory/load.ts";
import { createMock, type Mock, type MockOptions } from "../../mock/mock.ts";
import { type Schema, wireSettings } from "../config/schemas.ts";
import { keptVersions } from "../history/open.ts";
import { credentialHeaders } from "./served-contract.ts";
import { exampleTexts } from "./server-options.ts";

export interface MockSource {
  readonly schema: Schema;
  readonly compiled: CompiledSchema;
  readonly reader: SourceReader;
  readonly cwd: string;
}

/** A mock, or why it cannot be loaded, with the findings in the schema's history. */
export interface LoadedMock {
  readonly mock: Mock | string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Generates the server of a schema in memory, with mock handlers. */
export async function loadMock(
  { schema, compiled, reader, cwd }: MockSource,
  options: Omit<MockOptions, "credentialHeaders" | "texts">,
): Promise<LoadedMock> {
  const { diagnostics, versions } = keptVersions(schema, compiled, reader);
  const contract = {
    model: filterModel(compiled.model, schema.filter),
    ir: compiled.ir,
    ...wireSettings(schema),
    adapters: schema.generation?.adapters,
    history: versions.map((version) => version.compiled),
  };
  const loaded = await load(() => loadInMemory(contract, resolve(cwd)));
  if (typeof loaded === "string") return { mock: loaded, diagnostics };
  const texts = await exampleTexts(cwd);
  const mock = createMock(loaded, { ...options, credentialHeaders: credentialHeaders(schema), texts });
  return { mock, diagnostics };
}

/** Returns a message if the generated server cannot be loaded. */
async function load(run: () => Promise<LoadedContract>): Promise<LoadedContract | string> {
  try {
    return await run();
  } catch (err) {
    if (err instanceof NothingToServe) return err.message;
    const { code, message } = err as NodeJS.ErrnoException;
    if (code !== "MODULE_NOT_FOUND") throw err;
    const [, name] = /'(.+)'/.exec(message) ?? [];
    return `The generated server imports the package ${name}, which is not installed. Run: npm install ${name}`;
  }
}
