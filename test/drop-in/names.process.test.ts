/**
 * Compares the public names of our file with those of gen-typescript, which `.ci/run` builds with webrpc-gen if Go is
 * installed.
 */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type Folder, folder, ridlkit } from "../support/program.ts";

const reference = fileURLToPath(new URL("../reference", import.meta.url));
const generator = join(reference, "bin/webrpc-gen");
const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
const isBuilt = existsSync(generator);
if (!isBuilt && process.env["CI"] === "true") throw new Error(`${generator} is not there`);
if (!isBuilt) console.log("gen-typescript is left out: .ci/run builds it with Go.");

const schemas = ["drop-in/fixtures/trial.ridl", "fixtures/wire/schema.ridl", "fixtures/interop/schema.ridl"];
const each = schemas.flatMap((schema) => [false, true].map((compat) => ({ schema, compat })));

test.runIf(isBuilt).each(each)(
  "$schema has the names of gen-typescript, compat $compat",
  async ({ schema, compat }) => {
    using made = folder({});
    await generateBoth(made, schema, `-compat=${compat}`);
    const wanted = namesOf(join(made.path, "theirs.ts"));
    expect(wanted.length).toBeGreaterThan(40);
    // There the response of a server has no name, and the cause of an error needs ES2022.
    const more = ["interface WebrpcError", "interface WebrpcServed"];
    expect(namesOf(join(made.path, "ours.ts"))).toEqual([...wanted, ...more].sort());
  },
);

/** Declarations that differ from gen-typescript's, and why. */
const declaredOtherwise: Readonly<Record<string, string>> = {
  "interface Everything": "bytes are a base64 text, and maps by enums need not have every key",
  "const serveWireRpc": "what it gives back has a name",
  "const WebrpcHeaderValue": "says who wrote the file",
  "type WebrpcErrorParams": "compiles under exactOptionalPropertyTypes",
};

test.runIf(isBuilt)("names have the same meaning as in webrpc-gen", async () => {
  using made = folder({});
  await generateBoth(made, "fixtures/wire/schema.ridl");
  const [theirs, ours] = await declarationsOf(made, ["theirs.ts", "ours.ts"]);
  const differing = [...(theirs ?? [])].filter(([name, text]) => ours?.get(name) !== text);
  expect(differing.map(([name]) => name).sort()).toEqual(Object.keys(declaredOtherwise).sort());
});

async function generateBoth(made: Folder, schema: string, ...options: readonly string[]): Promise<void> {
  const path = fileURLToPath(new URL(`../${schema}`, import.meta.url));
  const flags = [`-schema=${path}`, "-target=typescript", "-client", "-server", ...options, "-silent"];
  // It looks up its own version in its module.
  execFileSync(generator, [...flags, `-out=${join(made.path, "theirs.ts")}`], { cwd: reference });
  expect(await ridlkit([...flags, `-out=${join(made.path, "ours.ts")}`])).toMatchObject({ code: 0 });
}

/** `class Example`, `const JsonEncode`, sorted. */
function namesOf(path: string): readonly string[] {
  const exported =
    /^export (?:declare )?(?:abstract )?(?:async )?((?:const|let|type|interface|class|enum|function) [\w$]+)/gm;
  const names = [...readFileSync(path, "utf8").matchAll(exported)].map(([, name]) => name ?? "");
  return [...new Set(names)].sort();
}

/**
 * Returns the declarations of each file by kind and name, as the compiler sees them, without comments and quote styles.
 */
async function declarationsOf(
  made: Folder,
  files: readonly string[],
): Promise<readonly ReadonlyMap<string, string>[]> {
  const compilerOptions = {
    declaration: true,
    emitDeclarationOnly: true,
    removeComments: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2023", "dom", "dom.iterable"],
    types: [],
  };
  const config = join(made.path, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  // gen-typescript's output for this schema does not compile, but its declarations are written.
  await promisify(execFile)(process.execPath, [tsc, "-p", config]).catch(() => undefined);
  return files.map((file) => {
    const text = readFileSync(join(made.path, file.replace(/\.ts$/, ".d.ts")), "utf8").replaceAll('"', "'");
    const blocks = text.split(/^(?=(?:export )?(?:declare )?(?:const|type|interface|class|enum|function) )/m);
    return new Map(blocks.map((block) => [headOf(block), block] as const));
  });
}

function headOf(block: string): string {
  return /(?:const|type|interface|class|enum|function) [\w$]+/.exec(block)?.[0] ?? "";
}
