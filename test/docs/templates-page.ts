import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { templateNames } from "../../generator/codegen/emit/template-names.ts";

/** The page of users' templates in Markdown, as `docs/templates.md` has to be: the plan's shape is that of its types. */
export function templatesPage(): string {
  return `${[
    head,
    `## Templates of ours\n\n${templateNames.map((name) => `- \`${name}\``).join("\n")}`,
    `## Helpers\n\nBeside those of Handlebars:\n\n${helperLines()}`,
    shapes,
    code("generator/codegen/plan/plan.ts"),
    "The types of fields and aliases, where `CoreType` is the name of a type of the language:",
    code(
      "generator/language/model/types.ts",
      /^export type (ResolvedType|TypeReference|MapKeyType)|^export interface TypeReference/,
    ),
    "What meta lines say:",
    code("generator/language/model/meta/read.ts", /^export interface Constraints/),
  ].join("\n\n")}\n`;
}

const head = `# Templates

\`ridlkit generate --templates DIR\`, or \`templates\` of a schema in the configuration, prints [Handlebars](https://handlebarsjs.com)
templates over the same plan that our own files are printed from. Each folder in DIR is a target:

\`\`\`text
templates/
  python/               a target of your own, written into out/python/
    client.py.hbs       gives client.py
    _type.hbs           a partial, used as {{> type}}
    target.mjs          optional: names the files
  types/
    types.hbs           stands for our template of that name
\`\`\`

A partial may include itself, for trees; partials nest at most 100 levels deep.

Without \`target.mjs\` every template that is no partial gives one file and prints the plan. With it, \`files(plan)\` answers which
files there are, by which template, and of what:

\`\`\`js
export function files(plan) {
  return plan.services.map((service) => ({
    path: \`\${service.fileName}.py\`,
    template: "service.py",
    data: { ...plan, service },
  }));
}
\`\`\`

\`test/targets/templates/python\` is a whole one. Nothing is escaped for HTML. A name that the plan does not have is an error at its
line, and nothing is written. An edit of a template is noticed by the next run.`;

function helperLines(): string {
  const text = read("generator/tools/cli/templates/helpers.ts");
  const names = [...text.matchAll(/^ {2}(\w+): \(/gm)].map(([, name]) => `\`${name}\``);
  return names.join(", ");
}

const shapes = `## The plan

Templates see it as plain objects: what may be absent is null, and a map is an object. Names of types are those of TypeScript.`;

/** Declarations of a file, without imports and functions; only those whose first line fits. */
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
