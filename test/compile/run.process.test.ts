/** Compiles the code of schemas with awkward names like users do, then calls it. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isOmitted, type Plan, type PlannedError } from "../../generator/codegen/plan/plan.ts";
import type { Folder } from "../support/program.ts";
import { callEverything, type Generated } from "./echo.ts";
import { planOfSchema, project, tsc } from "./project.ts";

const names = ["globals", "web-globals", "reserved-words", "shapes-of-names", "streams", "defaults"];
const runtimes = ["package", "copy"] as const;
type Runtime = (typeof runtimes)[number];
const made = new Map<Runtime, Folder>();

beforeAll(async () => {
  const emit = { noEmit: false, outDir: "out", rootDir: "src", rewriteRelativeImportExtensions: true };
  const options = { lib: ["es2023"], types: ["node"], allowImportingTsExtensions: false, ...emit };
  for (const runtime of runtimes) {
    const written = await project(names, options, { adapters: ["fetch"], runtime });
    made.set(runtime, written);
    execFileSync(process.execPath, [tsc, "-p", "."], { cwd: written.path, stdio: "inherit" });
  }
});

afterAll(() => {
  for (const folder of made.values()) folder[Symbol.dispose]();
});

describe.each(runtimes.flatMap((runtime) => names.map((name) => [name, runtime] as const)))(
  "%s, %s",
  (name, runtime) => {
    const plan = planOfSchema(name);

    test("every method sends requests and receives responses, by its function and by its class", async () => {
      const seed = 20_261;
      const calls = await callEverything(await load(plan, name, runtime), plan, seed);
      const methods = plan.services.flatMap((service) => service.methods).filter((one) => !isOmitted(one));
      expect(calls, `seed ${seed}`).toBe(methods.length * 2);
    });

    test("every error of the schema arrives as its class", async () => {
      const { errors } = await load(plan, name, runtime);
      for (const error of plan.errors) expect(anInstance(errors, error), error.name).toBe(true);
    });
  },
);

/** The modules that tsc wrote. */
async function load(plan: Plan, name: string, form: Runtime): Promise<Generated> {
  const folder = made.get(form)?.path ?? "";
  const load = (path: string): Promise<Record<string, unknown>> => import(pathToFileURL(path).href);
  const read = (path: string): Promise<Record<string, unknown>> => load(join(folder, "out", name, path));
  const runtime =
    form === "copy"
      ? join(folder, "out", name, "runtime")
      : join(folder, "node_modules/ridlkit-runtime/dist");
  const client = await read("client.js");
  return {
    clients: Object.fromEntries(plan.services.map(({ fileName }) => [fileName, client])),
    errors: await read("errors.js"),
    server: await read("server.js"),
    fetch: await load(join(runtime, "fetch.js")),
    memory: await load(join(runtime, "transport.js")),
    validators: await read("validators.js"),
  } as unknown as Generated;
}

function anInstance(
  errors: Readonly<Record<string, unknown>>,
  { className, name, code }: PlannedError,
): boolean {
  const made = new (errors[className] as new () => { readonly name: string; readonly code: number })();
  return made instanceof (errors[className] as new () => object) && made.name === name && made.code === code;
}
