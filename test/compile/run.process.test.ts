/** Compiles the code of schemas with awkward names like users do, then calls it. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Layout, writtenPath } from "../../generator/codegen/plan/layout.ts";
import { isOmitted, type Plan, type PlannedError } from "../../generator/codegen/plan/plan.ts";
import type { Folder } from "../support/program.ts";
import { callEverything, type Generated } from "./echo.ts";
import { planOfSchema, project, tsc } from "./project.ts";

const names = ["globals", "web-globals", "reserved-words", "shapes-of-names", "streams", "defaults"];
const layouts = ["single", "services"] as const;
const made = new Map<Layout, Folder>();

beforeAll(async () => {
  const emit = { noEmit: false, outDir: "out", rootDir: "src", rewriteRelativeImportExtensions: true };
  const options = { lib: ["es2023"], types: ["node"], allowImportingTsExtensions: false, ...emit };
  for (const layout of layouts) {
    const written = await project(names, options, { layout, adapters: ["fetch"] });
    made.set(layout, written);
    execFileSync(process.execPath, [tsc, "-p", "."], { cwd: written.path, stdio: "inherit" });
  }
});

afterAll(() => {
  for (const folder of made.values()) folder[Symbol.dispose]();
});

describe.each(layouts.flatMap((layout) => names.map((name) => [name, layout] as const)))(
  "%s, %s",
  (name, layout) => {
    const plan = planOfSchema(name, layout);

    test("every method sends requests and receives responses, by its function and by its class", async () => {
      const seed = 20_261;
      const calls = await callEverything(await load(plan, name, layout), plan, seed);
      const methods = plan.services.flatMap((service) => service.methods).filter((one) => !isOmitted(one));
      expect(calls, `seed ${seed}`).toBe(methods.length * 2);
    });

    test("every error of the schema arrives as its class", async () => {
      const { errors } = await load(plan, name, layout);
      for (const error of plan.errors) expect(anInstance(errors, error), error.name).toBe(true);
    });
  },
);

/** The modules that tsc wrote. */
async function load(plan: Plan, name: string, layout: Layout): Promise<Generated> {
  const read = (path: string): Promise<Record<string, unknown>> =>
    import(pathToFileURL(join(made.get(layout)?.path ?? "", "out", name, written(path, layout))).href);
  const clients = plan.services.map(async ({ fileName }) => [fileName, await read(`client/${fileName}.js`)]);
  const server = plan.services.some(({ fileName }) => fileName === "index") ? "index2" : "index";
  return {
    clients: Object.fromEntries(await Promise.all(clients)),
    errors: await read("errors.js"),
    server: await read(`server/${server}.js`),
    fetch: await read("runtime/v1/fetch.js"),
    memory: await read("runtime/v1/client.js"),
    validators: await read("validators/index.js"),
  } as unknown as Generated;
}

function written(path: string, layout: Layout): string {
  return writtenPath(path.replace(/\.js$/, ".ts"), layout).replace(/\.ts$/, ".js");
}

function anInstance(
  errors: Readonly<Record<string, unknown>>,
  { className, name, code }: PlannedError,
): boolean {
  const made = new (errors[className] as new () => { readonly name: string; readonly code: number })();
  return made instanceof (errors[className] as new () => object) && made.name === name && made.code === code;
}
