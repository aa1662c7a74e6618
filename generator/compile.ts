import type { Diagnostic } from "./diagnostics/diagnostic.ts";
import type { IrSchema } from "./ir/schema.ts";
import type { SourceReader } from "./source/reader.ts";
import type { Model } from "./model/model.ts";

export interface CompileOptions {
  /** Refuse also what the reference tool lets pass. */
  readonly strict?: boolean;
  /** Write non-ASCII values as the reference tool does, byte by byte, so that hashes are equal. */
  readonly hashParity?: boolean;
}

export interface Compilation {
  /** In order of file and place; at most 100, then one that counts the rest. */
  readonly diagnostics: readonly Diagnostic[];
  /** Absent if there is an error. */
  readonly result: { readonly model: Model; readonly ir: IrSchema } | undefined;
}

/** One schema, from its entry file to the checked model and the IR. Reads only through `reader`; never throws for user input. */
export declare function compile(entry: string, reader: SourceReader, options?: CompileOptions): Compilation;
