import { type MetaKey, type MetaKeyName, metaKeys } from "../../generator/language/model/meta/keys.ts";
import { metaKeyDocs } from "../../generator/tools/lsp/meta-key-docs.ts";

/** The text of `docs/meta-keys.md`. */
export function metaKeysPage(): string {
  const rows = Object.entries(metaKeys).map(([name, key]) => {
    const cells = [
      `\`${name}\``,
      placeOf(name, key),
      key.expected("~") ?? "text",
      metaKeyDocs[name as MetaKeyName],
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return `${head}${rows.join("\n")}\n${foot}`;
}

function placeOf(name: string, { shapes, fieldOnly }: MetaKey): string {
  if (name === "json") return "field, value of an integer enum";
  const place = fieldOnly === true ? "field" : "field, alias";
  return shapes === undefined ? place : `${place}: ${shapes.join(", ")}`;
}

const head = `# Meta keys

A meta line, \`+ key = value\`, sets a rule or a property of the field, alias or enum value above it:

\`\`\`ridl
webrpc = v1
version = v1

struct Person
  - createdAt: timestamp
    + json = created_at
  - name: string
    + minLength = 1
    + maxLength = 40
\`\`\`

In YAML, the key is next to \`type\`. A field inherits the meta keys of its alias type and overrides them one by one. The [language reference](../schema/README.md#meta-keys)
explains their effect on the wire, with examples.

| key | on | value | purpose |
|---|---|---|---|
`;

const foot = `
Misspelt keys are reported with a suggestion (RK401), and so are invalid values (RK402). Both are warnings, or errors with \`--strict\`: [Error codes](codes.md). Other unknown
keys, such as \`go.tag.db\`, stay in the IR for other tools and have no effect.
`;
