import { expect, test } from "vitest";
import { type DiagnosticExtras, diagnose } from "../../../../generator/language/diagnostics/diagnostic.ts";
import { colored, plain } from "../../../../generator/language/diagnostics/paint.ts";
import { renderDiagnostic } from "../../../../generator/language/diagnostics/render.ts";
import { SourceFile } from "../../../../generator/language/source/source-file.ts";

/** Renders a diagnostic whose span is between the marks `«` and `»` of a text. */
function render(marked: string, extra: DiagnosticExtras = {}, paint = plain): string {
  const start = marked.indexOf("«");
  const end = marked.indexOf("»") - 1;
  const file = new SourceFile("a.ridl", marked.replace("«", "").replace("»", ""));
  return renderDiagnostic(
    diagnose("unknown-type", { name: "Usr" }, { file, span: { start, end } }, extra),
    paint,
  );
}

/** The two lines of the frame: the source line and its marks. */
function frameOf(marked: string): string[] {
  return render(marked)
    .split("\n")
    .slice(3, 5)
    .map((line) => line.replace(/^ *\d* \| ?/, ""));
}

test("a diagnostic has a heading, location, frame, advice, fix and notes", () => {
  const file = new SourceFile("b.ridl", `${"\n".repeat(98)}struct User\n`);
  const edits = [{ span: { start: 2, end: 5 }, text: "User" }];
  const shown = render("\n- «Usr»\n", {
    advice: 'Did you mean "User"?',
    fix: { title: 'Write "User"', file, edits },
    notes: [
      { message: "Declared here.", at: { file, span: { start: 105, end: 109 } } },
      { message: "Nothing else is near." },
    ],
  });
  expect(shown).toBe(`error[RK308]: There is no type "Usr".
  --> a.ridl:2:3
   |
 2 | - Usr
   |   ^^^
   = Did you mean "User"?
   = fix: Write "User"
note: Declared here.
  --> b.ridl:99:8
   |
99 | struct User
   |        ^^^^
note: Nothing else is near.
`);
});

test("a diagnostic without a text shows only its file", () => {
  const fault = diagnose(
    "unreadable-file",
    { path: "x\u001b.ridl", reason: "it does not exist" },
    { path: "x\u001b.ridl" },
  );
  expect(renderDiagnostic(fault, plain)).toBe(
    'error[RK201]: Cannot read "x<U+001B>.ridl": it does not exist.\n --> x<U+001B>.ridl\n',
  );
});

test("an empty file has no frame", () => {
  expect(render("«»")).toBe('error[RK308]: There is no type "Usr".\n --> a.ridl:1:1\n');
});

test.each([
  ["at the start", "«ab» c", ["ab c", "^^"]],
  ["without length at the end of a line", "ab«»\nc", ["ab", "  ^"]],
  ["on the line break", "ab«\n»c", ["ab", "  ^"]],
  ["before a carriage return", "ab «cd»\r\n", ["ab cd", "   ^^"]],
  ["over several lines", "ab «cd\nef»", ["ab cd", "   ^^"]],
  ["on an empty line", "a\n«»\nb", ["", "^"]],
  ["past the end of the file", "a\n«»", ["", "^"]],
  ["after tabs", "\t\ta «b»", ["        a b", "          ^"]],
  ["over a tab", "a«\t»b", ["a    b", " ^^^^"]],
  ["after wide characters", "日本「«語»", ["日本「語", "      ^^"]],
  ["after an emoji", "😀 «x»", ["😀 x", "   ^"]],
  ["after a combining mark", "e\u0301 «x»", ["e\u0301 x", "  ^"]],
  ["after a control character", "\u001b[2J «x»", ["<U+001B>[2J x", "            ^"]],
  ["over a mark of direction", "a«\u202e»b", ["a<U+202E>b", " ^^^^^^^^"]],
  ["over a lone surrogate", "a«\ud800»", ["a<U+D800>", " ^^^^^^^^"]],
])("marks stand right %s", (_, marked, lines) => {
  expect(frameOf(marked)).toEqual(lines);
});

test.each([
  [0, 3],
  [10, 13],
  [25_000, 25_003],
  [49_997, 50_000],
  [50_000, 50_000],
  [100, 40_000],
])("of a line of 50,000 characters the surroundings of %i to %i are shown", (start, end) => {
  const line = `${"a".repeat(start)}${"B".repeat(end - start)}${"c".repeat(50_000 - end)}`;
  const [code = "", marks = ""] = frameOf(
    `${line.slice(0, start)}«${line.slice(start, end)}»${line.slice(end)}`,
  );
  expect(code.length).toBeLessThan(120);
  expect(marks.length).toBeLessThan(120);
  const first = marks.indexOf("^");
  expect(code.slice(first, marks.length)).toBe("B".repeat(Math.min(end - start, marks.length - first)));
  expect(code.startsWith("...")).toBe(start > 50);
  expect(code.endsWith("...")).toBe(end < 49_900);
});

test("a cut never splits a character", () => {
  for (const lead of ["", "a"]) {
    const [code = ""] = frameOf(`${lead}${"😀".repeat(5_000)}«x»${"😀".repeat(5_000)}`);
    expect(code).toMatch(/^\.\.\.😀+x😀+\.\.\.$/u);
  }
});

test("colors do not change the text", () => {
  const extra: DiagnosticExtras = { advice: "Do something.", notes: [{ message: "And note." }] };
  const shown = render("- «Usr»", extra, colored);
  expect(shown.replace(/\u001b\[[0-9;]*m/g, "")).toBe(render("- «Usr»", extra));
  expect(shown).toContain("\u001b[1;31merror[RK308]\u001b[0m");
  expect(shown).toContain("   \u001b[1;31m^^^\u001b[0m".slice(1));
});

test.each([
  [199, "x".repeat(199)],
  [200, "x".repeat(200)],
  [201, `${"x".repeat(200)}…`],
])("a name of %i characters in a message", (length, shown) => {
  const fault = diagnose("unknown-type", { name: "x".repeat(length) }, { path: "a.ridl" });
  expect(fault.message).toBe(`There is no type "${shown}".`);
});

test.each([
  [3, ["note 0", "note 1", "note 2"]],
  [4, ["note 0", "note 1", "note 2", "note 3"]],
  [5, ["note 0", "note 1", "note 2", "There are 2 more locations."]],
])("of %i notes", (count, shown) => {
  const notes = Array.from({ length: count }, (_, index) => ({ message: `note ${index}` }));
  const lines = render("«x»", { notes }).split("\n");
  expect(lines.flatMap((line) => /^note: (.*)/.exec(line)?.[1] ?? [])).toEqual(shown);
});

test.each([
  [109, false],
  [110, false],
  [111, true],
])("a line of %i columns is cut: %s", (length, isCut) => {
  expect(frameOf(`«x»${"y".repeat(length - 1)}`)[0]?.endsWith("...")).toBe(isCut);
});
