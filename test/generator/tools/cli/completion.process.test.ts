/** The completion scripts, in the shells that are installed. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findProgram } from "../../../support/helper-program.ts";
import { type Folder, folder, program, ridlkit } from "../../../support/program.ts";

const routes = resolve("test/fixtures/routes/schema.ridl");

let dir: Folder;
beforeAll(() => {
  dir = folder({
    "ridlkit.config.json": JSON.stringify({ schemas: [{ entry: routes }] }),
    "shop.ridl":
      "webrpc = v1\nname = shop\nversion = v1\n\nservice Shop\n  - Buy()\n  - Sell(broken: nothing)\n",
    "my file.json": "{}",
  });
  writeFileSync(join(dir.path, "ridlkit"), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(dir.path, "ridlkit"), 0o755);
});
afterAll(() => dir[Symbol.dispose]());

/** The candidates for the last word, without descriptions. */
async function candidates(...words: readonly string[]): Promise<readonly string[]> {
  const { code, out, err } = await ridlkit(["__complete", ...words], { cwd: dir.path });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out.split("\n").flatMap((line) => (line === "" ? [] : [line.split("\t")[0] ?? ""]));
}

describe("candidates", () => {
  test("are commands first", async () => {
    expect(await candidates("")).toEqual(expect.arrayContaining(["call", "generate", "completion", "help"]));
    expect(await candidates("ge")).toEqual(["generate"]);
    expect(await candidates("--cwd", ".", "ge")).toEqual(["generate"]);
    expect(await candidates("help", "ca")).toEqual(["call"]);
    expect(await candidates("completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(await candidates("nothing", "x")).toEqual([]);
    const { out } = await ridlkit(["__complete", "cal"]);
    expect(out).toBe("call\tCall a method of a server\n");
  });

  test("are options, and their values", async () => {
    expect(await candidates("call", "--ti")).toEqual(["--timeout"]);
    expect(await candidates("--q")).toEqual(["--quiet"]);
    expect(await candidates("lint", "--format", "")).toEqual(["text", "json", "github", "sarif"]);
    expect(await candidates("call", "--schema", "")).toEqual([]);
  });

  test("are methods of the configuration's schema, or of --schema", async () => {
    expect(await candidates("call", "Items.Get")).toEqual(["Items.GetItem", "Items.GetChild"]);
    expect(await candidates("call", "GetI")).toEqual(["GetItem"]);
    expect(await candidates("call", "--curl", "--url", "http://x:1", "Teams.R")).toEqual([
      "Teams.RenameTeam",
    ]);
    expect(await candidates("call", "Items.GetItem", "")).toEqual([]);
    // The schema has errors while it is edited.
    expect(await candidates("call", "--schema", "shop.ridl", "")).toEqual(["Shop.Buy", "Shop.Sell"]);
    expect(await candidates("call", "--schema", "no.ridl", "")).toEqual([]);
  });

  test("are methods of a schema in IR, without services that the configuration leaves out", async () => {
    const { out: ir } = await ridlkit(["ir", routes]);
    using other = folder({
      "api.json": ir,
      "ridlkit.config.json": JSON.stringify({ schemas: [{ entry: "api.json", services: ["Teams"] }] }),
    });
    const { out } = await ridlkit(["__complete", "call", ""], { cwd: other.path });
    expect(out).toBe("Teams.ListTeams\nTeams.RenameTeam\nTeams.FindTeam\n");
  });
});

test("other shells are rejected", async () => {
  expect(await ridlkit(["completion", "tcsh"])).toMatchObject({
    code: 2,
    err: expect.stringContaining('"completion" takes bash, zsh, fish; found "tcsh".'),
  });
  expect(await ridlkit(["completion"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("found nothing"),
  });
});

const env = (): NodeJS.ProcessEnv => ({
  PATH: `${dir.path}:${process.env["PATH"]}`,
  HOME: dir.path,
  TERM: "dumb",
});

const prompt = "ready> ";

/** Types each line once the shell shows its prompt. What comes earlier may be lost while a shell sets up its terminal. */
async function typeInto(shell: string, lines: readonly string[]): Promise<string> {
  const child = spawn("script", ["-qec", shell, "/dev/null"], {
    cwd: dir.path,
    env: { ...env(), PS1: prompt },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  for (const [index, line] of [...lines, "exit"].entries()) {
    await expect.poll(() => shown.split(prompt).length - 1, { timeout: 60_000 }).toBeGreaterThan(index);
    child.stdin.write(`${line}\n`);
  }
  await once(child, "close");
  return shown;
}

describe.skipIf(findProgram("bash") === undefined)("bash", () => {
  /** What bash would offer after a line. */
  function offered(line: string): readonly string[] {
    const script = `eval "$(ridlkit completion bash)"
COMP_LINE=$1 COMP_POINT=\${#1}
_ridlkit
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const options = { cwd: dir.path, env: env(), encoding: "utf8" } as const;
    const out = execFileSync("bash", ["--norc", "-c", script, "bash", line], options);
    return out.split("\n").filter((word) => word !== "");
  }

  test.each([
    ["ridlkit gen", ["generate"]],
    ["ridlkit call Items.GetI", ["Items.GetItem"]],
    ["ridlkit call --url http://127.0.0.1:4000 Items.GetI", ["Items.GetItem"]],
    ["ridlkit call ", "Items.GetItem"],
    ["ridlkit call --no", []],
    ["./ridlkit call --curl --time", ["--timeout"]],
    ['ridlkit call Items.GetItem \'{"a": "*"}\' --inc', ["--include"]],
  ])("%s", (line, expected) => {
    if (typeof expected === "string") expect(offered(line)).toContain(expected);
    else expect(offered(line)).toEqual(expected);
  });

  test("completes in an interactive shell, and files where there are no candidates", async () => {
    const shown = await typeInto("bash --norc --noprofile -i", [
      'eval "$(ridlkit completion bash)"',
      "ridlkit call Items.GetIt\t'{\"id\":7}' --curl --url http://h:1",
      "ridlkit call --schema my\t",
    ]);
    expect(shown).toContain("curl http://h:1/rpc/items/7");
    expect(shown).toContain("my\\ file.json");
  });
});

describe.skipIf(findProgram("zsh") === undefined)("zsh", () => {
  test("completes in an interactive shell", async () => {
    const shown = await typeInto("zsh -f -i", [
      "autoload -U compinit && compinit -u",
      'eval "$(ridlkit completion zsh)"',
      "ridlkit call Items.GetIt\t'{\"id\":7}' --curl --url http://h:1",
    ]);
    expect(shown).toContain("curl http://h:1/rpc/items/7");
  });
});

describe.skipIf(findProgram("fish") === undefined)("fish", () => {
  test("completes", () => {
    const script = "ridlkit completion fish | source; complete -C 'ridlkit call --url http://h:1 Items.GetI'";
    const out = execFileSync("fish", ["-N", "-c", script], { cwd: dir.path, env: env(), encoding: "utf8" });
    expect(out.trim()).toBe("Items.GetItem");
  });
});
