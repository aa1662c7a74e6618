import { describe, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import { memoryReader } from "../../../support/memory-reader.ts";

const header = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n";
const times = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("");

/** Returns the codes reported for a schema. A crash, a hang or exhausted memory would fail the test. */
function codes(
  text: string,
  name = "m.ridl",
  more: Readonly<Record<string, string>> = {},
): ReadonlySet<string> {
  const { diagnostics } = compile(name, memoryReader({ [name]: text, ...more }));
  expect(diagnostics.length).toBeLessThanOrEqual(101);
  return new Set(diagnostics.map(({ code }) => code));
}

describe("large amounts of one thing are accepted or rejected without a crash", () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 18 }, (_, level) => [
      `m${level}.ridl`,
      `webrpc = v1\nversion = v1\nimport\n${` - m${level + 1}.ridl\n`.repeat(2)}`,
    ]),
  );

  test("a service that is imported along a quarter of a million paths", () => {
    const files: Readonly<Record<string, string>> = {
      ...doubling,
      "m18.ridl": `${header}service S\n - a()\n`,
    };
    expect(codes(files["m0.ridl"] ?? "", "m0.ridl", files)).toContain("RK209");
  });

  test.each<[string, string, string | undefined]>([
    [
      "20,000 aliases in a row",
      `${times(20_000, (i) => `type A${i}: A${i + 1}\n`)}type A20000: string\nstruct T\n - a: A0\n`,
      undefined,
    ],
    [
      "4,000 aliases in a row with bounds each",
      times(
        4_000,
        (i) => `type A${i}: ${i === 3_999 ? "string" : `A${i + 1}`}\n + minLength = 1\n + maxLength = 2\n`,
      ),
      undefined,
    ],
    ["200,000 annotations", `service S\n${times(200_000, (i) => ` @a${i}\n`)} - m()\n`, undefined],
    ["200,000 imports of a file that is not there", `import\n${" - a\n".repeat(200_000)}`, "RK201"],
    ["a million number signs in a string", `error 1 A "${"#".repeat(1_000_000)}"\n`, "RK124"],
    ["a million lines of nonsense", "foo bar\n".repeat(1_000_000), "RK102"],
    ["a million broken fields", `struct T\n${"- a: [\n".repeat(1_000_000)}`, "RK101"],
    [
      "100,000 meta lines on one field",
      `struct T\n - a: string\n${"   + example = x\n".repeat(100_000)}`,
      undefined,
    ],
    [
      "100,000 comments before 5,000 methods",
      `${"# c\n".repeat(100_000)}service S\n${times(5_000, (i) => ` @a\n @b\n - m${i}()\n`)}`,
      undefined,
    ],
    ["5,000 unknown types", times(5_000, (i) => `struct Known${i}\n - a: Unknown${i}\n`), "RK308"],
    [
      "20,000 routes",
      `service S\n${times(20_000, (i) => ` - M${i}(a: int)\n GET /r${i % 100}/s${i}/{a}\n`)}`,
      undefined,
    ],
    ["a name of five million characters", `struct T\n - a: ${"X".repeat(5_000_000)}\n`, "RK308"],
  ])("%s", (_, body, code) => {
    const found = codes(header + body);
    if (code === undefined) expect([...found]).toEqual([]);
    else expect(found).toContain(code);
  });

  const ir = (type: string, meta = "[]"): string =>
    `{"webrpc":"v1","types":[{"kind":"struct","name":"A","fields":[{"name":"a","type":"${type}","meta":${meta}}]}]}`;

  test.each([
    ["lists", ir(`${"[]".repeat(10_000)}int`), "RK113"],
    ["maps", ir(`${"map<string,".repeat(10_000)}int${">".repeat(10_000)}`), "RK113"],
    ["meta", ir("int", `[{"x":${"[".repeat(9_900)}${"]".repeat(9_900)}}]`), "RK501"],
  ])("an IR file with ten thousand levels of %s", (_, text, code) => {
    expect(codes(text, "m.json")).toContain(code);
  });
});

test("a message never repeats more than a line of the schema", () => {
  const { diagnostics } = compile(
    "m.ridl",
    memoryReader({ "m.ridl": `${header}struct T\n - a: ${"X".repeat(100_000)}\n` }),
  );
  expect(diagnostics[0]?.message.length).toBeLessThan(300);
});

test("names that an unreadable import may declare are not reported as unknown", () => {
  const found = codes(
    `${header}import nope.ridl\n\nstruct T\n - a: Foo\nservice S\n - m(Foo) => (Foo) errors Lost\n`,
  );
  expect([...found]).toEqual(["RK201"]);
});
