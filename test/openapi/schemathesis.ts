/** Schemathesis, a tester of APIs by another maker, calls a server as a document describes it. */
import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { folder } from "../support/program.ts";

const { CI, SCHEMATHESIS } = process.env;
const program = SCHEMATHESIS ?? fileURLToPath(new URL(".venv/bin/schemathesis", import.meta.url));

export const isInstalled: boolean = existsSync(program);

if (!isInstalled && CI === "true") throw new Error(`not there: ${program}`);
if (!isInstalled) console.log(`Schemathesis is left out: ${program} not there; .ci/run installs it.`);

/** Milliseconds for some thousand calls, on a machine that does other work. */
export const timeout = 600_000;

/** Servers read `null` as an empty list, and ignore the body of a method without fields: Go clients send both. */
export const lenient = "negative_data_rejection";

export interface Report {
  readonly code: number;
  readonly out: string;
}

export interface RunOptions {
  readonly url: string;
  readonly phases: string;
  /** Checks that do not apply. */
  readonly excluded: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Tests a server with a document in JSON. */
export async function runSchemathesis(
  document: string,
  { url, phases, excluded, headers = {} }: RunOptions,
): Promise<Report> {
  using made = folder({});
  writeFileSync(join(made.path, "openapi.json"), document);
  const options = {
    url,
    phases,
    checks: "all",
    "exclude-checks": excluded.join(","),
    "max-examples": "3",
    // Servers reject NUL, which many databases cannot store.
    "generation-allow-x00": "false",
  };
  const flags = Object.entries(options).map(([flag, value]) => `--${flag}=${value}`);
  const more = Object.entries(headers).map(([name, value]) => `--header=${name}: ${value}`);
  const args = ["run", "openapi.json", ...flags, ...more, "--generation-deterministic", "--no-color"];
  return await promisify(execFile)(program, args, { cwd: made.path, maxBuffer: 1 << 26 }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (failure: { readonly code: number; readonly stdout: string }) => ({
      code: failure.code,
      out: failure.stdout,
    }),
  );
}
