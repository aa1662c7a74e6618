import { expect, test } from "vitest";
import { templateNames } from "../../generator/codegen/emit/render.ts";
import { readPage, withGenerated } from "../support/docs.ts";

// After a change to the plan: npx vitest run test/docs/templates.test.ts --update
test("docs/templates.md lists the templates and their helpers", async () => {
  const page = withGenerated(
    "docs/templates.md",
    templateNames.map((name) => `- \`${name}\``).join("\n"),
    helperLines(),
  );
  await expect(page).toMatchFileSnapshot("../../docs/templates.md");
});

test("docs/template-plan.md shows the plan as it is", async () => {
  const page = withGenerated(
    "docs/template-plan.md",
    code(
      "generator/codegen/plan/plan.ts",
      /^export (interface|type) (?!Plan\b|Facts\b|UnaliasedType|EmptyText)/,
    ),
    code(
      "generator/language/model/types.ts",
      /^export type (ResolvedType|TypeReference|MapKeyType)|^export interface TypeReference/,
    ),
    `${code("generator/language/model/meta/read.ts", /^export interface Constraints/)}\n\n${code("generator/language/model/conditions.ts", /^export interface Condition/)}`,
  );
  await expect(page).toMatchFileSnapshot("../../docs/template-plan.md");
});

function helperLines(): string {
  const text = readPage("generator/tools/cli/templates/compile.ts");
  const names = [...text.matchAll(/^ {2}(\w+): \(/gm)].map(([, name]) => `\`${name}\``);
  return names.join(", ");
}

/** The declarations of a file whose first line matches, without imports and functions. */
function code(path: string, fits: RegExp): string {
  const blocks = readPage(path).split(/\n(?=\/\*\*|export |function |const |declare )/);
  const kept: string[] = [];
  let comment = "";
  for (const block of blocks) {
    if (/^\/\*\*[\s\S]*\*\/\s*$/.test(block)) comment = `${block.trim()}\n`;
    else {
      if (fits.test(block)) kept.push(`${comment}${block.trim()}`);
      comment = "";
    }
  }
  return `\`\`\`ts\n${kept.join("\n\n")}\n\`\`\``;
}
