/** How many lines the compiler needs to report a wrong response, and that the last one is the point. */
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

struct Visit
  - id: uint64
  - reason: string

service Visits
  - Get(id: uint64) => (visit: Visit) errors NotFound
  - List() => (visits: []Visit) errors NotFound
  - Watch() => stream (visit: Visit) errors NotFound
`;

const nullToString = "Type 'null' is not assignable to type 'string'.";

/**
 * Handlers with a null for a text, or without a field. A promise costs four lines of the compiler: the union with plain
 * responses, the promise, the union with errors, and the response.
 */
const mistakes: readonly (readonly [code: string, lines: number, point: string])[] = [
  ["Get: () => ({ visit: { id: 1, reason: null } })", 1, nullToString],
  [
    "Get: () => ({ visit: { id: 1 } })",
    1,
    "Property 'reason' is missing in type '{ id: number; }' but required in type 'Visit'.",
  ],
  [
    "Get: (ctx) => ctx.errors.Missing()",
    1,
    "Property 'Missing' does not exist on type 'ErrorMakers<\"NotFound\">'.",
  ],
  ["Get: () => ({ visit: row() })", 3, nullToString],
  ["Get: async () => ({ visit: row() })", 6, nullToString],
  [
    "Get: async (ctx) => { if (isLate) return ctx.errors.NotFound(); return { visit: row() }; }",
    8,
    nullToString,
  ],
  ["List: async () => ({ visits: [row()] })", 9, nullToString],
  ["Watch: async function* () { yield { visit: row() }; }", 11, nullToString],
];

let made: Folder;

beforeAll(async () => {
  using written = folder({ "clinic.ridl": schema });
  made = await project([], { types: ["node"], lib: ["es2023"] });
  await generateIn(made, {
    entry: `${written.path}/clinic.ridl`,
    out: join(made.path, "src/api"),
    targets: ["server"],
  });
  for (const [index, [code]] of mistakes.entries())
    writeFileSync(
      join(made.path, `src/mistake${index}.ts`),
      `import type { VisitsHandlers } from "./api/server.ts";
declare const isLate: boolean;
declare function row(): { id: number; reason: null };
export const handlers: Pick<VisitsHandlers, "${code.slice(0, code.indexOf(":"))}"> = { ${code} };
void [isLate, row];
`,
    );
  writeFileSync(
    join(made.path, "src/around.ts"),
    `import type { Around } from "ridlkit-runtime/around";
import { createServer, type Handlers } from "./api/server.ts";

const forAnyContext: Around = (_ctx, _req, next) => next();
export function serve(handlers: Handlers<{ user: string }>): void {
  createServer(handlers, { context: () => ({ user: "ada" }), around: [forAnyContext] });
}
`,
  );
});
afterAll(() => made[Symbol.dispose]());

test.each([5, 6, 7] as const)(
  "TypeScript %i reports a wrong response in few lines, and accepts functions around any handler",
  (major) => {
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
    expect(output).not.toContain("src/around.ts");
  },
);

function reported(tsc: string, cwd: string): string {
  try {
    execFileSync(process.execPath, [tsc, "-p", ".", "--pretty", "false"], { cwd, encoding: "utf8" });
    return "";
  } catch (err) {
    return (err as { readonly stdout: string }).stdout;
  }
}
