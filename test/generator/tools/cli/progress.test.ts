import { expect, test } from "vitest";
import { ProgressLine } from "../../../../generator/tools/cli/output/terminal.ts";

interface Settings {
  readonly errIsTerminal?: boolean;
  readonly quiet?: boolean;
  readonly columns?: number;
}

/** What a terminal gets from a progress line. */
function shownBy(use: (progress: ProgressLine) => void, settings: Settings = {}): string {
  const { errIsTerminal = true, quiet = false, columns } = settings;
  let err = "";
  const terminal = {
    errIsTerminal,
    outIsTerminal: true,
    columns,
    out: () => {},
    err: (text: string): void => {
      err += text;
    },
    write: async () => true,
  };
  {
    using progress = new ProgressLine({ terminal, quiet });
    use(progress);
  }
  return err;
}

const show = (progress: ProgressLine): void => progress.show("1 of 2 methods");

test("a terminal shows a line that is removed", () => {
  const expected = `\r1 of 2 methods\r${" ".repeat(14)}\r`;
  expect(shownBy(show)).toBe(expected);
  const cleared = (progress: ProgressLine): void => {
    show(progress);
    progress.clear();
  };
  expect(shownBy(cleared)).toBe(expected);
});

test("a pipe and --quiet get nothing", () => {
  expect(shownBy(show, { errIsTerminal: false })).toBe("");
  expect(shownBy(show, { quiet: true })).toBe("");
});

test("a counter is updated after a while, and a new text is shown at once", () => {
  const shown = shownBy((progress) => {
    for (let done = 0; done < 1_000; done++) progress.update(`${done} done`);
    progress.show("next");
  });
  expect(shown.match(/ done/g)?.length).toBeLessThan(900);
  expect(shown).toMatch(/^\r0 done.*\rnext +\r +\r$/);
});

test.each([
  [10, "123456789", "123456789"],
  [10, "1234567890", "123456789"],
  [10, "日本語日本語", "日本語日"],
  [80, "a\u001b[2J", "a<U+001B>[2J"],
])("in %i columns, %j is one line without control characters", (columns, text, expected) => {
  const shown = shownBy((progress) => progress.show(text), { columns });
  expect(shown.split("\r")[1]).toBe(expected);
});

test("a shorter text covers all columns of a wide one", () => {
  const shown = shownBy((progress) => {
    progress.show("日本");
    progress.show("a");
  });
  expect(shown).toBe("\r日本\ra   \r \r");
});
