import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/docs.ts";

/** The page of the generator's configuration in Markdown, as `docs/configuration.md` has to be: its shape is that of its types. */
export function configurationPage(): string {
  const text = readFileSync(join(root, "generator/config/config.ts"), "utf8");
  const shapes = text.slice(0, text.indexOf("/**\n * Types a configuration")).trim();
  return `${head}\n\`\`\`typescript\n${shapes}\n\`\`\`\n`;
}

const head = `# Configuration of ridlkit

\`ridlkit.config.ts\`, \`.js\`, \`.mjs\`, \`.json\`, \`.yaml\` or \`.yml\`, or the key \`ridlkit\` of package.json, in the working directory; \`--config FILE\` names
another. A flag wins over the environment (\`RIDLKIT_CONFIG\`, \`RIDLKIT_FORMAT\`, \`RIDLKIT_STRICT\`, \`WEBRPC_SCHEMA_VERSION\`), that over the file, and
the file over the default. A key that is not known is an error at its place, with the one that was meant. Templates and rules of style have pages of
their own: [Templates](templates.md), [Rules of style](lint-rules.md). The settings of the platform's host are others: [Settings](settings.md).

\`\`\`json
{
  "strict": true,
  "lint": "recommended",
  "schemas": [
    { "name": "shop", "entry": "schema/shop.ridl", "out": "generated", "handlers": "handlers" },
    { "name": "admin", "entry": "schema/admin.ridl", "out": "web/api", "targets": ["types", "errors", "client"] }
  ]
}
\`\`\`

All of it, as its types have it:
`;
