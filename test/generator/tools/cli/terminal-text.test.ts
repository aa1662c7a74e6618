/** No command lets an argument or a file control the terminal. */
import { describe, expect, test } from "vitest";
import {
  visible,
  visibleJson,
  visibleLines,
  visibleOutput,
} from "../../../../generator/language/diagnostics/visible.ts";
import { commands } from "../../../../generator/tools/cli/commands/index.ts";
import { run } from "../../../../generator/tools/cli/run.ts";
import { folder } from "../../../support/program.ts";
import { hostileText, unsafeIn } from "../../../support/terminal-text.ts";

/** Serve until they are stopped, or speak a protocol on standard output. */
const running = new Set(["dev", "mock", "lsp", "mcp"]);

async function printed(
  argv: readonly string[],
  cwd: string,
  isTerminal: boolean,
): Promise<readonly string[]> {
  let [out, err] = ["", ""];
  await run(
    argv,
    {
      cwd,
      env: {},
      version: "test",
      terminal: {
        out: (text) => {
          out += text;
        },
        err: (text) => {
          err += text;
        },
        write: async (chunk) => {
          out += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
          return true;
        },
        outIsTerminal: isTerminal,
        errIsTerminal: isTerminal,
      },
    },
    commands,
  );
  const own = isTerminal
    ? /\u001b\[(?:0|1|3[0-7]|1;3[0-7])m|\u001b\]8;;(?:file:[\x21-\x7e]*)?\u001b\\|^\r/g
    : "";
  return [isTerminal ? out.replace(own, "") : "", err.replace(own, "")];
}

describe("a command quotes arguments and files safely:", () => {
  const names = commands.map(({ name }) => name).filter((name) => !running.has(name));

  test.each(names)("ridlkit %s", { timeout: 60_000 }, async (name) => {
    const file = `${hostileText.replaceAll("/", "")}.ridl`;
    using project = folder({
      [file]: `webrpc = v1\nname = a\nversion = v1\n# ${hostileText}\nstruct ${hostileText}\n`,
    });
    for (const args of [
      [hostileText],
      [file],
      [`--${hostileText}`],
      ["--format", hostileText],
      ["--cwd", hostileText],
      ["--config", hostileText],
    ])
      for (const isTerminal of [true, false])
        for (const text of await printed([name, ...args], project.path, isTerminal))
          expect([name, args.length, unsafeIn(text)]).toEqual([name, args.length, []]);
  });

  test("an unknown command", async () => {
    using project = folder({});
    for (const text of await printed([hostileText], project.path, true)) expect(unsafeIn(text)).toEqual([]);
  });
});

test("every character that a terminal obeys or hides is shown by its code", () => {
  expect(unsafeIn(visible(hostileText))).toEqual([]);
  expect(unsafeIn(visibleLines(`${hostileText}\n\t`))).toEqual([]);
  expect(visibleLines("a\n\tb")).toBe("a\n\tb");
  expect(visible("👩‍🚀 می‌خواهم é 漢字")).toBe("👩‍🚀 می‌خواهم é 漢字");
  expect(JSON.parse(visibleJson(JSON.stringify(hostileText)))).toBe(hostileText);
  expect(unsafeIn(visibleJson(JSON.stringify(hostileText)))).toEqual([]);
});

test.each([
  ["\u001b[1;31merror\u001b[0m", "\u001b[1;31merror\u001b[0m"],
  [
    "\u001b]8;;file:///a.ridl\u001b\\a\u001b]8;;\u001b\\",
    "\u001b]8;;file:///a.ridl\u001b\\a\u001b]8;;\u001b\\",
  ],
  ["\rprogress", "\rprogress"],
  ["a\r\nb\tc\n", "a\r\nb\tc\n"],
  ["a\rb", "a\\u000db"],
  ["\u001b]0;title\u0007", "\\u001b]0;title\\u0007"],
  ["\u001b]8;;https://evil.example\u001b\\a", "\\u001b]8;;https://evil.example\\u001b\\a"],
  ["\u001b[2J", "\\u001b[2J"],
  ["\u001b[8mhidden", "\\u001b[8mhidden"],
  ["\u202e\u{e0041}", "\\u202e\\udb40\\udc41"],
])("of an output %j, own styling stays: %j", (text, shown) => {
  expect(visibleOutput(text)).toBe(shown);
});
