/** Measures generated code as its user sees it: whether it compiles, and how much of it a page has to load. */
import { spawnSync } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const tsc = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
const strictest = fileURLToPath(new URL("../../compile/tsconfig.json", import.meta.url));

export interface OutputFigures {
  readonly files: number;
  readonly kib: number;
  /** Compiler errors, under `strict` and under the flags that our own output has to pass. */
  readonly errors: { readonly strict: number; readonly strictest: number };
  /** Minified and compressed, in bytes. */
  readonly callBytes: number;
  readonly everythingBytes: number;
}

/** Measures a folder with `out/`, `call.ts` and `everything.ts`. */
export async function measureOutput(folder: string): Promise<OutputFigures> {
  const written = sizesOf(join(folder, "out"));
  return {
    files: written.length,
    kib: written.reduce((sum, size) => sum + size, 0) / 1024,
    errors: { strict: compilerErrors(folder, undefined), strictest: compilerErrors(folder, strictest) },
    callBytes: await packed(folder, "call.ts"),
    everythingBytes: await packed(folder, "everything.ts"),
  };
}

function sizesOf(path: string): readonly number[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(path, name)))
    .filter((stat) => stat.isFile())
    .map(({ size }) => size);
}

/** Resolves imports like a bundler, because some generators omit file extensions. */
function compilerErrors(folder: string, base: string | undefined): number {
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: "es2022",
    types: [],
    module: "esnext",
    moduleResolution: "bundler",
    moduleDetection: "force",
    allowImportingTsExtensions: true,
    lib: ["es2023", "dom", "dom.iterable"],
  };
  const config = {
    ...(base !== undefined && { extends: base }),
    compilerOptions: options,
    files: ["call.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  return stdout.match(/error TS\d+/g)?.length ?? 0;
}

export async function packed(folder: string, entry: string): Promise<number> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    logLevel: "error",
  });
  return gzipSync(outputFiles[0]?.contents ?? "").length;
}
