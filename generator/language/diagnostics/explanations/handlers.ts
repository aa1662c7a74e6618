import type { handlers as codes } from "../catalog/handlers.ts";
import type { Explanations } from "./explanation.ts";

const header = ["webrpc = v1", "name = shop", "version = v1", "basepath = /rpc"];
const schema = (...methods: readonly string[]): readonly string[] => [...header, "service Shop", ...methods];
const config = ['{ "schemas": [{ "entry": "api.ridl", "out": "generated", "handlers": "handlers" }] }'];
const shop = { "ridlkit.config.json": config, "api.ridl": schema("  - Find() => (id: string)") };
const scaffold = "ridlkit scaffold";
/** The schema of the second run. */
const edit = (...methods: readonly string[]): string =>
  `printf '%s\\n' ${schema(...methods)
    .map((line) => `'${line}'`)
    .join(" ")} > api.ridl`;

const importing = (type: string): string => `import type { ${type} } from "../generated/server.ts";`;

export const handlers: Explanations<keyof typeof codes> = {
  "handler-syntax": {
    rule: "Files of handlers can be read as TypeScript.",
    reason: "A handler that cannot be seen would be written a second time.",
    bad: { files: { ...shop, "handlers/find.ts": ["export const find = ("] }, commands: [scaffold] },
    good: { files: shop, commands: [scaffold] },
  },
  "orphan-handler": {
    rule: "Each handler has its method.",
    reason: "Nobody can call it any more, and only you know whether its code is still of use.",
    bad: { files: shop, commands: [scaffold, edit("  - Add(name: string)"), scaffold] },
    good: {
      files: shop,
      commands: [scaffold, edit("  @renamedFrom:Find", "  - Get() => (id: string)"), scaffold],
    },
  },
  "orphan-service": {
    rule: "Handlers have their service.",
    reason: "Nobody can call them any more, and only you know whether their code is still of use.",
    bad: {
      files: shop,
      commands: [
        scaffold,
        `${edit("  - Find() => (id: string)")} && sed -i.bak 's/service Shop/service Mail/; s/Find/Send/' api.ridl`,
        scaffold,
      ],
    },
    good: { files: shop, commands: [scaffold, scaffold] },
  },
  "two-handlers": {
    rule: "A method has one handler.",
    reason: "Only one of them is called, and an edit of the other would do nothing.",
    bad: {
      files: {
        ...shop,
        "handlers/find.ts": [
          importing("ShopHandlers"),
          'export const find: ShopHandlers["Find"] = () => ({ id: "1" });',
        ],
        "handlers/old.ts": [
          importing("ShopHandlers"),
          'export const find: ShopHandlers["Find"] = () => ({ id: "2" });',
        ],
      },
      commands: [scaffold],
    },
    good: { files: shop, commands: [scaffold] },
  },
  "unplaced-handler": {
    rule: "New handlers go where the others of their service are gathered.",
    reason: "The file is written, but nothing calls what is in it yet.",
    bad: {
      files: {
        ...shop,
        "handlers/handlers.ts": ["export const handlers = make();", "declare function make(): unknown;"],
      },
      commands: [scaffold],
    },
    good: { files: shop, commands: [scaffold] },
  },
  "broken-record": {
    rule: "What the last run remembered can be read.",
    reason: "Without it a renamed method would be a new one, and its handler an orphan.",
    bad: { files: { ...shop, "handlers/.ridlkit-handlers.json": ["[", "lost"] }, commands: [scaffold] },
    good: { files: shop, commands: [scaffold] },
  },
};
