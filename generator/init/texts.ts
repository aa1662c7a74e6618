/** The texts of a project that starts with one command. */

export const schemaText = `webrpc = v1
name = hello
version = v1
basepath = /rpc

# Greets whoever calls.
service Hello
  - Greet(name: string) => (greeting: string)
`;

export const configText = `{
  "schemas": [{ "name": "hello", "entry": "schema/hello.ridl", "out": "generated", "handlers": "handlers" }]
}
`;

/** As \`ridlkit scaffold\` writes them, with an answer. */
export const handlerText = `import type { HelloHandlers } from "../../generated/server/hello.ts";

export const greet: HelloHandlers["Greet"] = async (_ctx, req) => {
  return { greeting: \`Hello, \${req.name}!\` };
};
`;

export const handlersText = `import type { Handlers } from "../generated/server/index.ts";
import { greet } from "./Hello/Greet.ts";

/** Hand it to \`createServer\`. */
export const handlers: Handlers = {
  Hello: {
    Greet: greet,
  },
};
`;

export const compilerText = `{
  "compilerOptions": {
    "target": "es2022",
    "types": ["node"],
    "module": "nodenext",
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "skipLibCheck": true
  },
  "include": ["handlers", "generated"]
}
`;

export const workflowText = `name: generated code is up to date
on: [push, pull_request]
jobs:
  ridlkit:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npm install
      - run: npx ridlkit lint --format github
      - run: npx ridlkit check
`;
