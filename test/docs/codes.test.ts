import { expect, test } from "vitest";
import { type Example, exampleLines } from "../../generator/language/diagnostics/catalog/entry.ts";
import { allCodes } from "../../generator/language/explain.ts";
import { linkToCode, withGenerated } from "../support/docs.ts";

// After a change to a code: npx vitest run test/docs/codes.test.ts --update
test("docs/codes.md lists every code", async () => {
  const rows = allCodes.map(
    ({ name, entry: { code, severity, message } }) =>
      `| ${linkToCode(code, name)} | \`${name}\` | ${severity} | ${inCode(message.replaceAll("|", "\\|"))} |`,
  );
  const head = "| code | name | severity | message |\n|---|---|---|---|";
  const page = withGenerated("docs/codes.md", `${head}\n${rows.join("\n")}`);
  await expect(page).toMatchFileSnapshot("../../docs/codes.md");
});

const hundreds = [...new Set(allCodes.map(({ entry: { code } }) => code.slice(2, 3)))];

test.each(hundreds)("docs/codes/rk%s00.md explains its codes", async (hundred) => {
  const sections = allCodes
    .filter(({ entry: { code } }) => code.startsWith(`RK${hundred}`))
    .map(({ name, entry: { code, severity, message, rule, reason, examples } }) => {
      const { bad, good } = examples();
      return [
        `## ${code} ${name}`,
        `${severity === "error" ? "Error" : "Warning"}: ${inCode(message)}`,
        `${rule} ${reason}`.replaceAll("<", "\\<").replaceAll("*", "\\*"),
        block("Wrong", bad),
        block("Right", good),
      ].join("\n\n");
    });
  const intro = `# Codes RK${hundred}00 to RK${hundred}99\n\n[All codes](../codes.md). \`npx ridlkit explain CODE\` prints the same text.`;
  const page = `${[intro, ...sections].join("\n\n")}\n`;
  await expect(page).toMatchFileSnapshot(`../../docs/codes/rk${hundred}00.md`);
});

/** Two backticks, since messages may hold one. */
function inCode(text: string): string {
  return `\`\`${text.startsWith("`") || text.endsWith("`") ? ` ${text} ` : text}\`\``;
}

function block(title: string, example: Example): string {
  return `${title}:\n\n\`\`\`text\n${exampleLines(example).join("\n")}\n\`\`\``;
}
