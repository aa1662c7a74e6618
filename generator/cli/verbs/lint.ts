import { type Compilation, compile } from "../../compile.ts";
import { counted, tallyOf, tallyText } from "../../diagnostics/tally.ts";
import { visible } from "../../diagnostics/visible.ts";
import { exitCode } from "../exit-code.ts";
import { schemaOptions } from "../options.ts";
import { reportFindings, type SchemaSummary } from "../report.ts";
import type { Schema } from "../schemas.ts";
import { defineVerb, type Verb } from "../verb.ts";

/** Checks schemas and says what is wrong with them. */
export const lint: Verb = defineVerb({
  name: "lint",
  says: "check schemas",
  usage: "[options] [FILE ...]",
  about: `Checks the FILEs, or without any the schemas of the configuration, and shows each fault where it
lies. Diagnostics go to standard error, one line for each schema to standard output. Warnings leave
the exit code at 0. With --format json standard output is one document instead:
  { ok, schemas: [{ path, project, ok, faults, contains }],
    diagnostics: [{ code, name, severity, message, advice, path, start, end, notes, fix }] }
Lines and columns are counted from 1, columns in UTF-16 code units; "end" is exclusive.
For a FILE the settings of the whole configuration count, not those of one of its schemas.`,
  options: schemaOptions,
  exclusive: [],
  several: true,
  documentOn: "out",
  examples: [
    { command: "ridlkit lint schema/api.ridl", says: "check one schema" },
    { command: "ridlkit lint --strict", says: "check those of the configuration; a warning is an error" },
    { command: "ridlkit lint --format json > faults.json", says: "for tools" },
  ],
  run({ schemas, reader, report, terminal }) {
    const checked = schemas.map((schema) => ({ schema, compilation: compile(schema.path, reader, schema) }));
    const summaries = checked.map(({ schema, compilation }) => summaryOf(schema, compilation));
    const diagnostics = checked.flatMap(({ compilation }) => compilation.diagnostics);
    reportFindings(report, diagnostics, { schemas: summaries });
    if (report.format === "text" && !report.quiet) terminal.out(summaries.map(summaryLine).join(""));
    return summaries.every(({ ok }) => ok) ? exitCode.ok : exitCode.findings;
  },
});

function summaryOf({ path, project }: Schema, { diagnostics, result }: Compilation): SchemaSummary {
  return {
    path,
    ...(project === undefined ? {} : { project }),
    ok: result !== undefined,
    faults: tallyOf(diagnostics),
    ...(result === undefined ? {} : { contains: result.counts }),
  };
}

/** `platform.ridl: 12 methods, 30 types, 16 errors, no faults`. */
function summaryLine({ path, contains, faults }: SchemaSummary): string {
  const contents =
    contains === undefined
      ? "rejected"
      : [
          counted(contains.methods, "method"),
          counted(contains.types, "type"),
          counted(contains.errors, "error"),
        ].join(", ");
  return `${visible(path)}: ${contents}, ${tallyText(faults)}\n`;
}
