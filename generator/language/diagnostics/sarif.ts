import type { CatalogEntry } from "./catalog/entry.ts";
import { catalog } from "./catalog.ts";
import type { Diagnostic, Fix, Location } from "./diagnostic.ts";
import { exampleLines } from "./explain.ts";
import { explanations } from "./explanations.ts";

export interface SarifTool {
  readonly version: string;
}

/**
 * Diagnostics as a SARIF 2.1.0 log, which code hosts and editors read. It has one run, a rule for each code that occurs, notes as
 * related locations, and fixes as replacements. Lines and columns start at 1, in UTF-16 code units.
 * Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
 */
export function sarifLog(diagnostics: readonly Diagnostic[], tool: SarifTool): unknown {
  const names = [...new Set(diagnostics.map(({ name }) => name))];
  const rules = names.map((name) => rule(name));
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "ridlkit", version: tool.version, rules } },
        columnKind: "utf16CodeUnits",
        results: diagnostics.map((diagnostic) => result(diagnostic, names.indexOf(diagnostic.name))),
      },
    ],
  };
}

function rule(name: Diagnostic["name"]): unknown {
  const entry: CatalogEntry = catalog[name];
  const { rule, reason, bad, good } = explanations[name];
  const block = (lines: readonly string[]): string => `\`\`\`\n${lines.join("\n")}\n\`\`\``;
  return {
    id: entry.code,
    name,
    shortDescription: { text: rule },
    fullDescription: { text: `${rule} ${reason}` },
    help: {
      text: `${rule} ${reason}`,
      markdown: `${rule} ${reason}\n\nWrong:\n\n${block(exampleLines(bad))}\n\nRight:\n\n${block(exampleLines(good))}`,
    },
    defaultConfiguration: { level: entry.severity },
  };
}

function result(
  { code, severity, message, advice, path, at, notes, fix }: Diagnostic,
  ruleIndex: number,
): unknown {
  const related = notes.flatMap((note, id) =>
    note.at === undefined ? [] : [{ id, message: { text: note.message }, ...location(note.at) }],
  );
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: advice === undefined ? message : `${message} ${advice}` },
    locations: [at === undefined ? { physicalLocation: { artifactLocation: artifact(path) } } : location(at)],
    ...(related.length === 0 ? {} : { relatedLocations: related }),
    ...(fix === undefined ? {} : { fixes: [fixOf(fix)] }),
  };
}

function location(at: Location): { readonly physicalLocation: unknown } {
  return { physicalLocation: { artifactLocation: artifact(at.file.path), region: region(at) } };
}

/** A path as a URI reference, relative to the working directory. */
function artifact(path: string): { readonly uri: string } {
  const uri = path.split("/").map(encodeURIComponent).join("/");
  return { uri: path.startsWith("/") ? `file://${uri}` : uri };
}

/** `endColumn` is exclusive; an empty region has the same start and end. */
function region({ file, span }: Location): unknown {
  const start = file.positionAt(span.start);
  const end = file.positionAt(span.end);
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}

function fixOf({ title, file, edits }: Fix): unknown {
  const replacements = edits.map(({ span, text }) => ({
    deletedRegion: region({ file, span }),
    insertedContent: { text },
  }));
  return {
    description: { text: title },
    artifactChanges: [{ artifactLocation: artifact(file.path), replacements }],
  };
}
