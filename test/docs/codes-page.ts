import type { CatalogEntry } from "../../generator/language/diagnostics/catalog/entry.ts";
import { catalog } from "../../generator/language/diagnostics/catalog.ts";
import { codeList, exampleLines } from "../../generator/language/diagnostics/explain.ts";
import type { Example } from "../../generator/language/diagnostics/explanations/explanation.ts";
import { explanations } from "../../generator/language/diagnostics/explanations.ts";

/** The page of all codes in Markdown, as `docs/codes.md` has to be. */
export function codesPage(): string {
  const sections = codeList().map(([code, name]) => {
    const entry: CatalogEntry = catalog[name];
    const { rule, reason, bad, good } = explanations[name];
    return [
      `## ${code} ${name}`,
      `${entry.severity === "error" ? "Error" : "Warning"}: ${inCode(entry.message)}`,
      `${rule} ${reason}`.replaceAll("<", "\\<").replaceAll("*", "\\*"),
      block("Wrong", bad),
      block("Right", good),
    ].join("\n\n");
  });
  return `${[head, ...sections].join("\n\n")}\n`;
}

const head = `# Error codes

All messages of \`ridlkit\`, by code. \`ridlkit explain RK308\` prints one of them. Most errors in schemas are mistakes that webrpc rejects
too; most warnings are mistakes that webrpc accepts. \`--strict\` turns warnings into errors. Codes never change their meaning.`;

/** Two backticks, since messages may hold one. */
function inCode(text: string): string {
  return `\`\`${text.startsWith("`") || text.endsWith("`") ? ` ${text} ` : text}\`\``;
}

function block(title: string, example: Example): string {
  return `${title}:\n\n\`\`\`text\n${exampleLines(example).join("\n")}\n\`\`\``;
}
