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

\`ridlkit lint\` reports what webrpc rejects, what webrpc accepts although it cannot work, and slow patterns that a crafted text could
exploit. Rules about style and evolution are a team's own choice, so the configuration switches them on.

\`\`\`json
{
  "lint": { "preset": "recommended", "missing-docs": "error", "naming-types": "off" },
  "schemas": [{ "entry": "schema/api.ridl" }]
}
\`\`\`

\`lint\` is a preset (\`"off"\`, \`"default"\`, \`"recommended"\` or \`"strict"\`), or an object with a \`preset\` and a severity (\`off\`, \`warning\` or
\`error\`) for single rules. At the top level it applies to all schemas, in an entry of \`schemas\` to that schema. \`ridlkit lint --rules strict
api.ridl\` tries a preset without a configuration. \`recommended\` contains the rules that suit nearly every schema, and \`strict\` contains
all of them. Rules run only on schemas without errors.

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

Separate several rules with commas. The text after the colon is for readers. \`#! ridlkit-ignore-file unused-types: why\` applies to
the whole file. Unknown rule names are reported (RK790).

## What is deliberately not a rule

- Gaps between error codes: they have no meaning, and retired codes should not be reused.
- Unused imports: an import adds declarations to the schema, whether they are used or not.
- Changes between two versions of a schema, such as a removed field: see [breaking rules](breaking-rules.md).
`;
