import { type MetaKey, type MetaKeyName, metaKeys } from "../../generator/language/model/meta/keys.ts";
import { metaKeyDocs } from "../../generator/tools/lsp/meta-key-docs.ts";

/** The page of meta keys in Markdown, as `docs/meta-keys.md` has to be. */
export function metaKeysPage(): string {
  const rows = Object.entries(metaKeys).map(([name, key]) => {
    const cells = [
      `\`${name}\``,
      placeOf(key),
      key.expected("~") ?? "text",
      metaKeyDocs[name as MetaKeyName],
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return `${head}${rows.join("\n")}\n${foot}`;
}

function placeOf({ shapes, fieldOnly }: MetaKey): string {
  const place = fieldOnly === true ? "field" : "field, alias";
  return shapes === undefined ? place : `${place}: ${shapes.join(", ")}`;
}

const head = `# Meta keys

A meta line, \`+ key = value\`, belongs to the field or alias above it, and in YAML the key stands beside \`type\`. A field takes the meta of its alias
type and overrides it key by key. What each means on the wire stands in [the language](../schema/README.md#meta-keys), with examples. A key that is none
of these is told (RK401), with the one that was meant; keys with a dot (\`go.tag.db\`) are other tools' and pass through.

| key | on | value | what for |
|---|---|---|---|
`;

const foot = `
A value that does not fit is told at its place (RK402). Both are warnings, which \`--strict\` refuses; [all faults](codes.md) have the rest.
`;
