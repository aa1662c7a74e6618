/** Contents of files that all new projects have, independent of the stack. */

import { suffixOf } from "../../codegen/emit/imports.ts";
import type { ImportExtension } from "../../codegen/options.ts";
import type { Stack } from "./stacks/stack.ts";

export type SchemaLanguage = "ridl" | "yaml";

export const schemaTexts: Readonly<Record<SchemaLanguage, string>> = {
  ridl: `webrpc = v1
name = hello
version = v1
basepath = /rpc

# Greets the caller by name.
service Hello
  - Greet(name: string) => (greeting: string)
`,
  yaml: `webrpc: v1
name: hello
version: v1
basepath: /rpc

services:
  # Greets the caller by name.
  Hello:
    methods:
      Greet:
        input: { name: string }
        output: { greeting: string }
`,
};

/** The text of `ridlkit.config.json`. Omits keys with their default value. */
export function configText(language: SchemaLanguage, { adapter, importExtension }: Stack): string {
  const schema = {
    name: "hello",
    entry: `schema/hello.${language}`,
    out: "generated",
    ...(adapter === undefined ? { targets: ["client"] } : { handlers: "handlers" }),
    ...(adapter === undefined || adapter === "koa" ? {} : { adapters: [adapter] }),
    ...(importExtension === ".ts" ? {} : { importExtension }),
  };
  return `${JSON.stringify({ schemas: [schema] }, null, 2)}\n`;
}

/** The files that `ridlkit scaffold` would write, with an implemented handler. */
export function handlerFiles(extension: ImportExtension): Readonly<Record<string, string>> {
  const suffix = suffixOf(extension);
  return {
    "handlers/Hello/Greet.ts": `import type { HelloHandlers } from "../../generated/server${suffix}";

export const greet: HelloHandlers["Greet"] = async (_ctx, req) => {
  return { greeting: \`Hello, \${req.name}!\` };
};
`,
    "handlers/handlers.ts": `import type { Handlers } from "../generated/server${suffix}";
import { greet } from "./Hello/Greet${suffix}";

/** Pass these to \`createServer\`. */
export const handlers: Handlers = {
  Hello: {
    Greet: greet,
  },
};
`,
  };
}

/** Compares pull requests with their base branch, unless they add this workflow. */
export function workflowText({ setupAction }: Stack): string {
  const setup = setupAction === undefined ? "" : `      - uses: ${setupAction}\n`;
  return `name: ridlkit
on: [push, pull_request]
jobs:
  ridlkit:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with: { fetch-depth: 0 }
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
${setup}      - run: npm ci
      - run: npx ridlkit lint --format github
      - run: npx ridlkit check
      - run: npx tsc --noEmit
      - run: npm test --if-present
      - if: github.base_ref
        env:
          BASE: origin/\${{ github.base_ref }}
        run: |
          if git cat-file -e "$BASE:.github/workflows/ridlkit.yml"; then
            npx ridlkit breaking --against "$BASE" --format github
          fi
`;
}
