import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/docs.ts";

/** The text of `docs/configuration.md`; the keys come from the TypeScript types of the configuration. */
export function configurationPage(): string {
  const text = readFileSync(join(root, "generator/tools/config/config.ts"), "utf8");
  const shapes = text.slice(0, text.indexOf("/**\n * Types a configuration")).trim();
  return `${head}\n\`\`\`typescript\n${shapes}\n\`\`\`\n`;
}

const head = `# Configuration

ridlkit reads \`ridlkit.config.ts\`, \`.js\`, \`.mjs\`, \`.json\`, \`.yaml\` or \`.yml\`, or the key \`ridlkit\` of package.json, in the working directory. \`--config FILE\`
names another file.

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

Flags override the environment (\`RIDLKIT_CONFIG\`, \`RIDLKIT_FORMAT\`, \`RIDLKIT_STRICT\`, \`WEBRPC_SCHEMA_VERSION\`), which overrides the file. Unknown keys are
reported with a suggestion. [Generating code](generating.md), [Templates](templates.md) and [Lint rules](lint-rules.md) explain the most important keys. The platform's
host has [settings](settings.md) of its own.

## The type of \`ctx.host\`

\`context\` names an exported type of your code, and its module. \`from\` is a package such as \`"@acme/auth"\`, or a path relative to the configuration file that
starts with \`./\` or \`../\`.

\`\`\`json
{
  "schemas": [
    {
      "entry": "schema/shop.ridl",
      "out": "generated",
      "handlers": "handlers",
      "context": { "type": "Caller", "from": "./server/caller.ts" }
    }
  ]
}
\`\`\`

\`ridlkit scaffold\` then writes \`ShopHandlers<Caller>["GetOrders"]\` into new handlers and \`Handlers<Caller>\` into \`handlers.ts\`. \`createServer\` then
requires a \`context\` hook that returns a \`Caller\`: [Handlers](handlers.md). If you add the key later, scaffold adds the type to \`handlers.ts\` and to
unedited stubs. Handlers that you edited do not change, and still compile.

## Several schemas

Each schema with \`handlers\` needs its own folder for them. Two schemas may have services of the same name.

## All keys

The types of the configuration:
`;
