import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { hostProgram } from "../support/host.ts";
import { program } from "../support/program.ts";

// After a change to a command: npx vitest run test/docs/commands.process.test.ts --update
test("docs/commands.md says what the programs say of themselves", async () => {
  const overview = helpOf(program);
  const verbs = [...overview.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, verb = ""]) => verb);
  expect(verbs.length).toBeGreaterThan(10);
  const page = [
    "# All commands",
    "What `npx ridlkit help`, `npx ridlkit help VERB` and `npx platform help` print.",
    section("ridlkit", overview),
    ...verbs.map((verb) => section(`ridlkit ${verb}`, helpOf(program, verb))),
    section("platform", helpOf(hostProgram)),
  ];
  await expect(`${page.join("\n\n")}\n`).toMatchFileSnapshot("../../docs/commands.md");
}, 60_000);

function helpOf(path: string, ...verb: readonly string[]): string {
  return execFileSync(process.execPath, [path, "help", ...verb], { encoding: "utf8" }).trim();
}

function section(name: string, text: string): string {
  return `## ${name}\n\n\`\`\`text\n${text}\n\`\`\``;
}
