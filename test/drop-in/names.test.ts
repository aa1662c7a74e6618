/** The public names of our one file beside those of gen-typescript itself, which `.ci/run` builds with webrpc-gen where Go is. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folder, ridlkit } from "../support/program.ts";

const reference = fileURLToPath(new URL("../reference", import.meta.url));
const generator = join(reference, "bin/webrpc-gen");
const isBuilt = existsSync(generator);
if (!isBuilt && process.env["CI"] === "true") throw new Error(`${generator} is not there`);
if (!isBuilt) console.log("gen-typescript is left out: .ci/run builds it with Go.");

const schemas = ["drop-in/fixtures/trial.ridl", "fixtures/wire/schema.ridl", "fixtures/interop/schema.ridl"];
const each = schemas.flatMap((schema) => [false, true].map((compat) => ({ schema, compat })));

test.runIf(isBuilt).each(each)(
  "$schema has the names of gen-typescript, compat $compat",
  async ({ schema, compat }) => {
    using made = folder({});
    const path = fileURLToPath(new URL(`../${schema}`, import.meta.url));
    const flags = [
      `-schema=${path}`,
      "-target=typescript",
      "-client",
      "-server",
      `-compat=${compat}`,
      "-silent",
    ];
    const theirs = join(made.path, "theirs.ts");
    const ours = join(made.path, "ours.ts");
    // It looks its own version up in the module that it stands in.
    execFileSync(generator, [...flags, `-out=${theirs}`], { cwd: reference });
    expect(await ridlkit([...flags, `-out=${ours}`])).toMatchObject({ code: 0 });
    const wanted = namesOf(theirs);
    expect(wanted.length).toBeGreaterThan(40);
    // What a server gives back has no name there.
    expect(namesOf(ours)).toEqual([...wanted, "interface WebrpcServed"].sort());
  },
);

/** `class Example`, `const JsonEncode`, sorted. */
function namesOf(path: string): readonly string[] {
  const exported =
    /^export (?:declare )?(?:abstract )?(?:async )?((?:const|let|type|interface|class|enum|function) [\w$]+)/gm;
  const names = [...readFileSync(path, "utf8").matchAll(exported)].map(([, name]) => name ?? "");
  return [...new Set(names)].sort();
}
