import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { templateNames } from "../../generator/codegen/emit/template-names.ts";

/** The text of `docs/templates.md`; the shape of the plan comes from its TypeScript types. */
export function templatesPage(): string {
  return `${[
    head,
    `## Built-in templates\n\n${templateNames.map((name) => `- \`${name}\``).join("\n")}`,
    `## Helpers\n\nIn addition to those of Handlebars:\n\n${helperLines()}`,
    shapes,
    code("generator/codegen/plan/plan.ts"),
    "The types of fields and aliases, where `CoreType` is the name of a type of the language:",
    code(
      "generator/language/model/types.ts",
      /^export type (ResolvedType|TypeReference|MapKeyType)|^export interface TypeReference/,
    ),
    "The rules that meta lines set:",
    code("generator/language/model/meta/read.ts", /^export interface Constraints/),
  ].join("\n\n")}\n`;
}

const head = `# Custom templates

With custom [Handlebars](https://handlebarsjs.com) templates, ridlkit generates other languages and other files. They can also replace built-in templates. The data of every template
is the *plan*, the schema prepared for code generation. Pass \`--templates DIR\` to \`ridlkit generate\`, or set \`templates\` in the configuration. Each folder in DIR is a target:

\`\`\`text
templates/
  python/               a custom target, written into out/python/
    client.py.hbs       writes client.py
    _type.hbs           a partial, used as {{> type}}
    target.mjs          optional: names the files
  types/
    types.hbs           replaces the built-in template of that name
\`\`\`

Without \`target.mjs\`, each template except partials writes one file and gets the plan as its data. With \`target.mjs\`, its function \`files(plan)\` returns the files, each
with its template and data:

\`\`\`js
// target.mjs
export function files(plan) {
  return plan.services.map((service) => ({
    path: \`\${service.fileName}.py\`,
    template: "service.py",
    data: { ...plan, service },
  }));
}
\`\`\`

\`test/targets/templates/python\` is a complete example. Text is not escaped for HTML. If a template uses a name that the plan does not have, the error names the line, and
nothing is written. Partials may include themselves, up to 100 levels deep. After a change of a template, \`generate\` writes the files again, and \`check\` reports them as
outdated.`;

function helperLines(): string {
  const text = read("generator/tools/cli/templates/helpers.ts");
  const names = [...text.matchAll(/^ {2}(\w+): \(/gm)].map(([, name]) => `\`${name}\``);
  return names.join(", ");
}

const shapes = `## The plan

Templates get the plan as plain objects: absent values are null, and maps are objects. Type names are those of TypeScript.`;

/** The declarations of a file whose first line matches, without imports and functions. */
function code(path: string, fits: RegExp = /^(export )?(interface|type) /): string {
  const blocks = read(path).split(/\n(?=\/\*\*|export |function |const |declare )/);
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

function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");
}
