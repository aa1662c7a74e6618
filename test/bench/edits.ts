/**
 * `npm run bench -- edits`: what a reviewer sees after an edit of a schema. Commits a project of one method and its generated code, and prints
 * `git diff --stat` of four edits, with the runtime as a package and as copies. Commits nothing outside a temporary folder.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firstEdits, oneMethod } from "../support/schema-edits.ts";
import type { Benchmark } from "./benchmark.ts";

const program = join(import.meta.dirname, "../../dist/ridlkit.js");

export const benchEdits: Benchmark = async () =>
  ["package", "copy"].flatMap((form) => {
    const folder = mkdtempSync(join(tmpdir(), "ridlkit-edits-"));
    try {
      return editsIn(folder, form);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

function editsIn(folder: string, form: string): readonly string[] {
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@localhost", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  const generate = (schema: string): void => {
    writeFileSync(join(folder, "shop.ridl"), schema);
    const args = ["generate", "shop.ridl", "--out", "generated", "--runtime", form];
    execFileSync(process.execPath, [program, ...args], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
    git("add", "--all");
  };
  git("init", "--quiet");
  generate(oneMethod);
  git("commit", "--quiet", "--message", "One method");
  const files = git("ls-files", "generated/*.ts", "generated/*.json").trim().split("\n");
  const lines = git("grep", "--count", "", "--", "generated/*.ts", "generated/*.json")
    .trim()
    .split("\n")
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(":") + 1)), 0);
  console.log(`\nruntime "${form}", one method: ${files.length} files, ${lines} lines`);
  return Object.entries(firstEdits).flatMap(([name, schema]) => {
    generate(schema);
    console.log(`\nruntime "${form}", ${name}:\n${git("diff", "--cached", "--stat=100").trimEnd()}`);
    const changed = git(
      "diff",
      "--cached",
      "--name-only",
      "--diff-filter=a",
      "--",
      "generated/runtime",
    ).trim();
    git("reset", "--quiet", "--hard");
    return changed === "" ? [] : [`${name} changes ${changed.split("\n").join(", ")}`];
  });
}
