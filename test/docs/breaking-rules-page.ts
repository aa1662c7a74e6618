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
- **kind**: \`wire\`, one side cannot read what the other sends; \`behaviour\`, the same bytes have another meaning; \`source\`, code that
  uses a removed name does not compile.

| code | rule | direction | severity | kind | requirement |
|---|---|---|---|---|---|
`;

const foot = `
## One edit is one finding

A change to a type is reported once, at the type, with its worst consequence, no matter how many methods and fields use the type.
Types are compared by their contents, not by their names, so a renamed type stays the same type. Fields are matched by their name on the
wire, by \`alias\` in requests and by \`twin\` in responses. If a field was probably renamed, or the schema says so with \`renamedFrom\`, a note
names the other field.

## What breaks nothing

- New methods.
- New request fields that are optional or have a default, and new response fields.
- Wider types and limits in requests, and narrower ones in responses.
- The order of fields and arguments, and arguments in place of a struct.
- Error messages, comments, and the name and version of the schema.

## Suppressing a finding

Add a private comment on the line of the changed item or right above it. For a removed item, put it above the item that contained it:

\`\`\`text
#! ridlkit-ignore method-gone: no client has called FindUser for a year
service Users
\`\`\`

Methods that the filters of the configuration exclude (\`"ignore": ["@internal"]\`) are not compared.
`;
