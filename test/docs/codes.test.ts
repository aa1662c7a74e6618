import { expect, test } from "vitest";
import { type Example, exampleLines } from "../../generator/language/diagnostics/catalog/entry.ts";
import { allCodes } from "../../generator/language/explain.ts";
import { withGenerated } from "../support/docs.ts";

// After a change to a code: npx vitest run test/docs/codes.test.ts --update
test("docs/codes.md lists every code", async () => {
  const sections = allCodes.map(({ name, entry: { code, severity, message, rule, reason, examples } }) => {
    const { bad, good } = examples();
    return [
      `## ${code} ${name}`,
      `${severity === "error" ? "Error" : "Warning"}: ${inCode(message)}`,
      `${rule} ${reason}`.replaceAll("<", "\\<").replaceAll("*", "\\*"),
      block("Wrong", bad),
      block("Right", good),
    ].join("\n\n");
  });
  const page = withGenerated("docs/codes.md", sections.join("\n\n"));
  await expect(page).toMatchFileSnapshot("../../docs/codes.md");
});

/** Two backticks, since messages may hold one. */
function inCode(text: string): string {
  return `\`\`${text.startsWith("`") || text.endsWith("`") ? ` ${text} ` : text}\`\``;
}

function block(title: string, example: Example): string {
  return `${title}:\n\n\`\`\`text\n${exampleLines(example).join("\n")}\n\`\`\``;
}
