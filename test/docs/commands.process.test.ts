import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { hostProgram } from "../support/host.ts";
import { program } from "../support/program.ts";

// After a change to a command: npx vitest run test/docs/commands.process.test.ts --update
test("docs/commands.md contains the help of all commands", async () => {
  const overview = helpOf(program);
  const commands = [...overview.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, command = ""]) => command);
  expect(commands.length).toBeGreaterThan(10);
  const [common = ""] = commonOptions.exec(overview) ?? [];
  const page = [
    "# All commands",
    "The output of `npx ridlkit help` and `npx ridlkit help COMMAND`.",
    "## Common options",
    "All commands of ridlkit accept these options.",
    block(common.trim()),
    section("ridlkit", overview.replace(commonOptions, "")),
    ...commands.map((command) =>
      section(`ridlkit ${command}`, helpOf(program, command).replace(commonOptions, "")),
    ),
  ];
  await expect(`${page.join("\n\n")}\n`).toMatchFileSnapshot("../../docs/commands.md");
});

test("docs/platform/commands.md contains the help of the platform", async () => {
  const page = [
    "# Commands of the platform",
    "The output of `npx platform help`.",
    block(helpOf(hostProgram)),
  ];
  await expect(`${page.join("\n\n")}\n`).toMatchFileSnapshot("../../docs/platform/commands.md");
});

/** The section that every page of help repeats. The document has it once. */
const commonOptions = /^Common options:\n(?: .*\n?)+\n?/m;

function helpOf(path: string, ...command: readonly string[]): string {
  return execFileSync(process.execPath, [path, "help", ...command], { encoding: "utf8" }).trim();
}

function section(name: string, text: string): string {
  return `## ${name}\n\n${block(text.trim())}`;
}

function block(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}
