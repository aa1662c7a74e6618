import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/docs.ts";

/** The page of the generator's configuration in Markdown, as `docs/configuration.md` has to be: its shape is that of its types. */
export function configurationPage(): string {
  const text = readFileSync(join(root, "generator/tools/config/config.ts"), "utf8");
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

## The type of \`ctx.host\`

\`context\` names a type that your code exports, and its module. \`from\` is a path from the configuration file that starts with \`./\` or \`../\`, or a
package such as \`"@acme/auth"\`.

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

\`ridlkit scaffold\` then writes \`ShopHandlers<Caller>["GetOrders"]\` into new handlers and \`Handlers<Caller>\` into \`handlers.ts\`. \`createServer(handlers)\`
compiles only with a \`context\` hook that returns a \`Caller\`: [Handlers](handlers.md). If you add the key later, scaffold adds the type where handlers are
gathered and in stubs that nobody has edited. Handlers with code of your own stay as they are, and still compile.

## Several schemas

Each schema with \`handlers\` needs a folder of its own for them. Two schemas may have services of the same name: imports tell
their handlers apart.

## All keys

The types of the configuration:
`;
