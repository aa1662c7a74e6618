import type { Examples } from "./entry.ts";

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

/** Hand-written handlers: RK680 to RK689. */
export const handlers = {
  "handler-syntax": {
    code: "RK680",
    severity: "error",
    message: "{reason}.",
    advice: "Fix the syntax error first; until then, no handler is added or changed.",
    rule: "Handler files are valid TypeScript.",
    reason: "A handler that cannot be parsed would be generated a second time.",
    examples: (): Examples => ({
      bad: { files: { ...shop, "handlers/find.ts": ["export const find = ("] }, commands: [scaffold] },
      good: { files: shop, commands: [scaffold] },
    }),
  },
  "orphan-handler": {
    code: "RK681",
    severity: "warning",
    message: 'The schema no longer has the method "{method}", but its handler still exists.',
    rule: "Every handler has a method in the schema.",
    reason: "The handler can no longer be called, but only you know whether its code is still needed.",
    examples: (): Examples => ({
      bad: { files: shop, commands: [scaffold, edit("  - Add(name: string)"), scaffold] },
      good: {
        files: shop,
        commands: [scaffold, edit("  @renamedFrom:Find", "  - Get() => (id: string)"), scaffold],
      },
    }),
  },
  "orphan-service": {
    code: "RK682",
    severity: "warning",
    message: 'The schema no longer has the service "{service}", but its handlers still exist.',
    advice: "Remove them, or restore the service.",
    rule: "Every group of handlers has a service in the schema.",
    reason: "The handlers can no longer be called, but only you know whether their code is still needed.",
    examples: (): Examples => ({
      bad: {
        files: shop,
        commands: [
          scaffold,
          `${edit("  - Find() => (id: string)")} && sed -i.bak 's/service Shop/service Mail/; s/Find/Send/' api.ridl`,
          scaffold,
        ],
      },
      good: { files: shop, commands: [scaffold, scaffold] },
    }),
  },
  "two-handlers": {
    code: "RK683",
    severity: "warning",
    message: 'Two files have a handler for "{method}".',
    advice: "Remove one of them; neither file was changed.",
    rule: "A method has one handler.",
    reason: "Only one of them is called, so changes to the other would have no effect.",
    examples: (): Examples => ({
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
    }),
  },
  "unplaced-handler": {
    code: "RK684",
    severity: "warning",
    message: 'The handler of "{method}" could not be registered, because no object of handlers was found.',
    advice: "Add it to the handlers that you pass to the server.",
    rule: "New handlers are registered next to the other handlers of their service.",
    reason: "The file is written, but nothing calls its handler yet.",
    examples: (): Examples => ({
      bad: {
        files: {
          ...shop,
          "handlers/handlers.ts": ["export const handlers = make();", "declare function make(): unknown;"],
        },
        commands: [scaffold],
      },
      good: { files: shop, commands: [scaffold] },
    }),
  },
  "broken-record": {
    code: "RK685",
    severity: "error",
    message: '"{path}", the saved state of the handlers, cannot be read.',
    advice:
      "Restore it from version control, or delete it; without it, only @renamedFrom marks renamed methods.",
    rule: "The saved state of the last run is readable.",
    reason:
      "Without it, a renamed method would get a new handler, and its old handler would be reported as unused.",
    examples: (): Examples => ({
      bad: { files: { ...shop, "handlers/.ridlkit-handlers.json": ["[", "lost"] }, commands: [scaffold] },
      good: { files: shop, commands: [scaffold] },
    }),
  },
} as const;
