import type { handlers as codes } from "../catalog/handlers.ts";
import type { Explanations } from "./explanation.ts";

const header = ["webrpc = v1", "name = shop", "version = v1", "basepath = /rpc"];
const schema = (...methods: readonly string[]): readonly string[] => [...header, "service Shop", ...methods];
const config = ['{ "schemas": [{ "entry": "api.ridl", "out": "generated", "handlers": "handlers" }] }'];
const shop = { "ridlkit.config.json": config, "api.ridl": schema("  - Find() => (id: string)") };
const scaffold = "ridlkit scaffold";
/** A command that replaces the schema before the second run. */
const edit = (...methods: readonly string[]): string =>
  `printf '%s\\n' ${schema(...methods)
    .map((line) => `'${line}'`)
    .join(" ")} > api.ridl`;

const importing = (type: string): string => `import type { ${type} } from "../generated/server.ts";`;

export const handlers: Explanations<keyof typeof codes> = {
  "handler-syntax": {
    rule: "Handler files are valid TypeScript.",
    reason: "A handler that cannot be parsed would be generated a second time.",
    bad: { files: { ...shop, "handlers/find.ts": ["export const find = ("] }, commands: [scaffold] },
    good: { files: shop, commands: [scaffold] },
  },
  "orphan-handler": {
    rule: "Every handler has a method in the schema.",
    reason: "The handler can no longer be called, but only you know whether its code is still needed.",
    bad: { files: shop, commands: [scaffold, edit("  - Add(name: string)"), scaffold] },
    good: {
      files: shop,
      commands: [scaffold, edit("  @renamedFrom:Find", "  - Get() => (id: string)"), scaffold],
    },
  },
  "orphan-service": {
    rule: "Every group of handlers has a service in the schema.",
    reason: "The handlers can no longer be called, but only you know whether their code is still needed.",
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
    reason: "Only one of them is called, so changes to the other would have no effect.",
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
    rule: "New handlers are registered next to the other handlers of their service.",
    reason: "The file is written, but nothing calls its handler yet.",
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
    rule: "The saved state of the last run is readable.",
    reason:
      "Without it, a renamed method would get a new handler, and its old handler would be reported as unused.",
    bad: { files: { ...shop, "handlers/.ridlkit-handlers.json": ["[", "lost"] }, commands: [scaffold] },
    good: { files: shop, commands: [scaffold] },
  },
};
