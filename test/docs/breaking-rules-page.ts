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

const head = `# Rules of changes

\`ridlkit breaking --against main\` holds a schema against an earlier version of itself, by these rules. Each is said of callers, who
know one version, and of the server, which has the other: of old callers and the new server, and with \`--callers-first\` of new
callers and the old server.

- **direction**: whether requests or answers are looked at. A type that both hold is looked at in both.
- **severity**: an error breaks calls. A warning changes what a call means, or code that is compiled with the other version.
- **kind**: \`wire\`, bytes that one side sends and the other cannot read; \`behaviour\`, the same bytes mean another thing; \`source\`,
  code that names what is gone does not compile.

| code | rule | direction | severity | kind | law |
|---|---|---|---|---|---|
`;

const foot = `
## One edit is one finding

An edit of a type is told at the type, however many methods and fields hold it, by its worst consequence. Types are followed by what
they hold and not by their names: one that is renamed is the same type. A field is the same field under its name on the wire, under
an \`alias\` in requests, and under a \`twin\` in answers; otherwise a note says what it looks renamed to, or \`renamedFrom\` of the schema does.

## What breaks nothing

More methods, more optional fields and fields with a default in requests, more fields in answers, wider types and bounds in requests
and narrower ones in answers, the order of fields and arguments, arguments in place of a struct, words of errors, comments, names and
versions of schemas.

## What is meant as it is

A private comment on the line or right above the item of today, or above what held an item that is gone:

\`\`\`text
#! ridlkit-ignore method-gone: nobody has called FindUser for a year
service Users
\`\`\`

Methods that the filters of the configuration leave out (\`"ignore": ["@internal"]\`) are not compared.
`;
