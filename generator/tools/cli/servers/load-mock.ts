import { filterModel } from "../../../codegen/plan/filter.ts";
import type { CompiledSchema } from "../../../language/compile.ts";
import type { Diagnostic } from "../../../language/diagnostics/diagnostic.ts";
import type { SourceReader } from "../../../language/source/reader.ts";
import { loadInMemory, NothingToServe } from "../../../verify/in-memory/load.ts";
import { createMock, type Mock, type MockOptions } from "../../mock/mock.ts";
import { type Schema, wireSettings } from "../config/schemas.ts";
import { keptVersions } from "../history/open.ts";
import { credentialHeaders } from "./credential-headers.ts";
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
  const loaded = await loadInMemory(contract).catch((err: unknown) => {
    if (err instanceof NothingToServe) return err.message;
    throw err;
  });
  if (typeof loaded === "string") return { mock: loaded, diagnostics };
  const texts = await exampleTexts(cwd);
  const mock = createMock(loaded, { ...options, credentialHeaders: credentialHeaders(schema), texts });
  return { mock, diagnostics };
}
