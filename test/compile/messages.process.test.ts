/** How many lines the compiler needs to report a wrong response, and what the last one says. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Folder, folder } from "../support/program.ts";
import { compiler, generateIn, project } from "./project.ts";

const schema = `webrpc = v1
name = clinic
version = v1
basepath = /rpc

error 1 NotFound "not found" HTTP 404
error 2 Gone "gone" HTTP 410

struct Visit
  - id: uint64
  - reason: string

enum PaymentKind: string
  - card
  - cash

struct Payment
  - kind: PaymentKind
  - amount: uint32
  - number?: string
    + when = kind.card

service Visits
  - Get(id: uint64) => (visit: Visit) errors NotFound
  - List() => (visits: []Visit) errors NotFound
  - Pay() => (payment: Payment) errors NotFound
  - Watch() => stream (visit: Visit) errors NotFound
`;

const nullToString = "Type 'null' is not assignable to type 'string'.";
const missingReason = "Property 'reason' is missing in type '{ id: number; }' but required in type 'Visit'.";
const missingNumber =
  "Property 'number' is missing in type '{ kind: \"card\"; amount: number; }' but required in type '{ kind: \"card\"; number: string; }'.";

type Mistake = readonly [code: string, lines: number, point: string];

/**
 * A \`Promise\` costs four lines: the union with plain responses, the promise, the union with errors, and the response.
 * Each list costs three: its field, the list and the item.
 */
const untyped: readonly Mistake[] = [
  ["Get: () => ({ visit: { id: 1, reason: null } })", 1, nullToString],
  ["Get: () => ({ visit: { id: 1 } })", 1, missingReason],
  [
    "Get: (ctx) => ctx.errors.Gone()",
    1,
    "Property 'Gone' does not exist on type 'ErrorMakers<\"NotFound\">'.",
  ],
  ["Get: async () => rpcError.Gone()", 5, "Type '\"Gone\"' is not assignable to type '\"NotFound\"'."],
  ["Get: () => ({ visit: row() })", 3, nullToString],
  ["Get: async () => ({ visit: row() })", 6, nullToString],
  [
    "Get: async (ctx) => { if (isLate) return ctx.errors.NotFound(); return { visit: row() }; }",
    8,
    nullToString,
  ],
  // Nothing names the field that is missing.
  [
    "Get: async () => ({ visits: row() })",
    3,
    "Type '{ visits: { id: number; reason: null; }; }' is not assignable to type 'GetResponse | RpcFailure<\"NotFound\">'.",
  ],
  ["List: async () => ({ visits: [row()] })", 9, nullToString],
  ["Pay: async () => ({ payment: { kind: 'card', amount: 1 } })", 8, missingNumber],
  ["Watch: async function* () { yield { visit: row() }; }", 11, nullToString],
];

/** With the type of the response or of an item, as docs/handlers.md recommends. */
const typed: readonly Mistake[] = [
  ["Get: async () => { RESPONSE = { visit: row() }; return response; }", 3, nullToString],
  ["Get: async () => { RESPONSE = { visit: { id: 1 } }; return response; }", 1, missingReason],
  [
    "Get: async () => { RESPONSE = { visit: { id: 1, reason: '', room: 1 } }; return response; }",
    1,
    "Object literal may only specify known properties, and 'room' does not exist in type 'Visit'.",
  ],
  [
    "Get: async () => { RESPONSE = { visits: row() }; return response; }",
    1,
    "Object literal may only specify known properties, but 'visits' does not exist in type 'GetResponse'. Did you mean to write 'visit'?",
  ],
  ["List: async () => { RESPONSE = { visits: [1].map(row) }; return response; }", 4, nullToString],
  ["List: async () => ({ visits: [1].map((id): Visit => ({ id })) })", 1, missingReason],
  [
    "Pay: async () => { RESPONSE = { payment: { kind: 'card', amount: 1 } }; return response; }",
    3,
    missingNumber,
  ],
  ["Watch: async function* () { RESPONSE = { visit: row() }; yield response; }", 3, nullToString],
  ["Watch: async function* () { RESPONSE = { visit: { id: 1 } }; yield response; }", 1, missingReason],
];
const mistakes = [...untyped, ...typed];

let made: Folder;

beforeAll(async () => {
  using written = folder({ "clinic.ridl": schema });
  made = await project([], { types: ["node"], lib: ["es2023"] });
  await generateIn(made, {
    entry: `${written.path}/clinic.ridl`,
    out: join(made.path, "src/api"),
    targets: ["server"],
  });
  for (const [index, [code]] of mistakes.entries()) {
    const method = code.slice(0, code.indexOf(":"));
    writeFileSync(
      join(made.path, `src/mistake${index}.ts`),
      `import { rpcError, type VisitsHandlers } from "./api/server.ts";
import type { ${method}Response, Visit } from "./api/types.ts";
declare const isLate: boolean;
declare function row(): { id: number; reason: null };
export const handlers: Pick<VisitsHandlers, "${method}"> = {
  ${code.replace("RESPONSE", `const response: ${method}Response`)},
};
export type Used = [Visit, ${method}Response];
void [isLate, row, rpcError];
`,
    );
  }
});
afterAll(() => made[Symbol.dispose]());

test.each([5, 6, 7] as const)("TypeScript %i reports a wrong response in few lines", (major) => {
  const tsc = compiler(major);
  // Installed by .ci/run: `npm ci --prefix test/compile`.
  if (tsc === undefined && process.env["CI"] !== "true") return;
  const output = reported(tsc ?? "", made.path);
  const seen = mistakes.map(([code], index) => {
    const [, after = ""] = output.split(`src/mistake${index}.ts`);
    const lines = after.split(/^src/m)[0]?.trimEnd().split("\n") ?? [];
    return [
      code,
      lines.length,
      lines
        .at(-1)
        ?.replace(/^.*error TS\d+: /, "")
        .trim(),
    ];
  });
  expect(seen).toEqual(mistakes);
});

function reported(tsc: string, cwd: string): string {
  try {
    execFileSync(process.execPath, [tsc, "-p", ".", "--pretty", "false"], { cwd, encoding: "utf8" });
    return "";
  } catch (err) {
    return (err as { readonly stdout: string }).stdout;
  }
}
