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

\`ridlkit lint\` always reports what webrpc rejects, and mistakes that webrpc accepts. The rules on this page are a team's choice: turn them
on in the configuration. Only \`unsafe-pattern\` and \`misspelt-annotations\` are on by default.

\`\`\`json
{
  "lint": { "preset": "recommended", "missing-docs": "error", "naming-types": "off" },
  "schemas": [{ "entry": "schema/api.ridl" }]
}
\`\`\`

\`lint\` is a preset (\`"off"\`, \`"default"\`, \`"recommended"\` or \`"strict"\`), or an object with a \`preset\` and a severity (\`off\`, \`warning\` or
\`error\`) for single rules. At the top level, it applies to all schemas; in an entry of \`schemas\`, to that schema. \`ridlkit lint --rules
strict api.ridl\` tries a preset without a configuration. \`recommended\` contains the rules that suit nearly every schema, and \`strict\`
contains all of them. The table names the smallest preset that contains a rule. Rules run only on schemas without errors.

| code | rule | preset | requirement |
|---|---|---|---|
`;

const foot = `
## Suppressing a finding

Add a private comment on the same line, or right above the item. It is neither documentation nor part of the IR:

\`\`\`text
#! ridlkit-ignore unused-types: sent to webhooks, not returned by a method
struct Notification
  - id: string
\`\`\`

Separate several rules with commas. The text after the colon is the reason. \`#! ridlkit-ignore-file unused-types: reason\` applies to
the whole file. Unknown rule names are reported (RK790).

## What no rule checks

- Gaps between error codes, because codes of removed errors should not be reused.
- Unused imports, because an import adds declarations to the schema even if the importing file does not use them.
- Changes between two versions of a schema, such as a removed field: [breaking rules](breaking-rules.md) check these.
`;
