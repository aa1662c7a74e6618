import { catalog } from "../../generator/language/diagnostics/catalog.ts";
import { explanations } from "../../generator/language/diagnostics/explanations.ts";
import { lintRules } from "../../generator/language/lint/rules/index.ts";

/** The page of lint rules in Markdown, as `docs/lint-rules.md` has to be. */
export function lintRulesPage(): string {
  const rows = lintRules.map(({ name, preset }) => {
    const { code } = catalog[name];
    return `| [${code}](codes.md#${code.toLowerCase()}-${name}) | \`${name}\` | ${preset} | ${explanations[name].rule} |`;
  });
  return `${head}${rows.join("\n")}\n${foot}`;
}

const head = `# Lint rules

\`ridlkit lint\` reports what webrpc rejects, what webrpc accepts though it cannot work, and patterns that one text can keep busy
for minutes. Style and evolution are a team's own choice: these rules are on if the configuration asks for them.

\`\`\`json
{
  "lint": { "preset": "recommended", "missing-docs": "error", "naming-types": "off" },
  "schemas": [{ "entry": "schema/api.ridl" }]
}
\`\`\`

\`lint\` is a preset, \`"off"\`, \`"default"\`, \`"recommended"\` or \`"strict"\`, or an object of severities (\`off\`, \`warning\`, \`error\`) by rule on top
of \`preset\`. It stands for all schemas, or in one of them for that one. \`ridlkit lint --rules strict api.ridl\` tries a preset
without a configuration. In \`recommended\` are the rules that hold for nearly every schema; \`strict\` has all of them. Rules look
at schemas without errors only.

| code | rule | preset | law |
|---|---|---|---|
`;

const foot = `
## What is meant as it is

A private comment, which is neither documentation nor part of the IR, on the line or right above the item:

\`\`\`text
#! ridlkit-ignore unused-types: sent to listeners, no method answers it
struct Notification
  - id: string
\`\`\`

Several rules are joined by commas; what follows the colon is for readers. \`#! ridlkit-ignore-file unused-types: why\` speaks for
its whole file. A name that is no rule is said (RK790).

## What is not a rule

- Gaps between error codes: they carry no meaning, and codes that were given up should stay free.
- Unused imports: an import makes what it brings part of the schema, used or not.
- Changes between two versions of a schema (a value renumbered, a field removed): one version cannot show them.
`;
