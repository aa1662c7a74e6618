import { catalog } from "../../generator/language/diagnostics/catalog.ts";
import { explanations } from "../../generator/language/diagnostics/explanations.ts";
import { breakingRules, isBreakingRule } from "../../generator/verify/breaking/rules.ts";

/** The page of the rules of changes in Markdown, as `docs/breaking-rules.md` has to be. */
export function breakingRulesPage(): string {
  const rows = Object.entries(breakingRules).flatMap(([name, { direction, kind }]) => {
    if (!isBreakingRule(name)) return [];
    const { code, severity } = catalog[name];
    const link = `[${code}](codes.md#${code.toLowerCase()}-${name})`;
    return `| ${link} | \`${name}\` | ${direction} | ${severity} | ${kind} | ${explanations[name].rule} |`;
  });
  return `${head}${rows.join("\n")}\n${foot}`;
}

const head = `# Breaking rules

\`ridlkit breaking --against main\` compares a schema with an earlier version of itself by these rules. It checks old clients against
the new server. With \`--callers-first\`, it checks new clients against the old server.

- **direction**: whether the rule checks requests or responses. A type that is used in both is checked in both.
- **severity**: an error breaks calls. A warning changes the meaning of a call, or breaks code that is compiled with the other version.
- **kind**: \`wire\` means that one side cannot read what the other sends, \`behaviour\` that the same bytes have another meaning, and
  \`source\` that code does not compile with the other version.

| code | rule | direction | severity | kind | requirement |
|---|---|---|---|---|---|
`;

const foot = `
## One edit is one finding

A change to a type is reported once, at the type, with its worst consequence, no matter how many methods and fields use the type.
Types are compared by their contents, not by their names, so renaming a type breaks no calls. Fields are matched by their name on the
wire, and also by \`alias\` in requests and by \`twin\` in responses. If a field has \`renamedFrom\`, or was probably
renamed, a note names the other field.

## Which changes are safe

- New methods.
- New request fields that are optional or have a default, and new response fields.
- Wider types and limits in requests, and narrower ones in responses.
- Reordering fields or arguments, and replacing a struct by arguments.
- New error messages, comments, and a new name or version of the schema.

## Suppressing a finding

Add a private comment on the line of the changed item, or right above that line. For a removed item, put the comment above the item that
contained it:

\`\`\`text
#! ridlkit-ignore method-removed: no client has called FindUser for a year
service Users
\`\`\`

Methods that the filters of the configuration exclude (\`"ignore": ["@internal"]\`) are not compared.
`;
