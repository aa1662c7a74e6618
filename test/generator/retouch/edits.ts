import type { Random } from "../../support/random.ts";

/** One edit of a schema's text as somebody makes it in a struct: mostly one that leaves it without a fault. */
export function editText(random: Random, text: string): string {
  const lines = text.split("\n");
  const starts = [...lines.keys()].filter((index) => lines[index]?.startsWith("struct "));
  const start = random.pick(starts);
  const end = lines.findIndex((line, index) => index > start && line === "");
  const fields = [...lines.keys()].filter(
    (index) => index > start && index < end && lines[index]?.startsWith("  - "),
  );
  const at = random.pick(fields.length === 0 ? [start] : fields);
  const line = lines[at] ?? "";
  const edits: readonly (() => readonly string[])[] = [
    () => lines.with(at, line.replace(/- (\w+)/, `- ${random.pick(names)}${random.below(4)}`)),
    () =>
      lines.with(
        at,
        line.replace(/(\w)(\??):/, (_, last, mark) => `${last}${mark === "" ? "?" : ""}:`),
      ),
    () => lines.with(at, line.replace(/: [^#]+/, `: ${random.pick(types)}`)),
    () => lines.toSpliced(at + 1, 0, `    + ${random.pick(meta)}`),
    () => lines.toSpliced(at, 0, `  # ${random.pick(names)}`),
    () => lines.with(at, `${line.replace(/ +#.*/, "")} # ${random.pick(names)}`),
    () => lines.toSpliced(start, 0, random.pick(["# Said above.", "#! Private.", "#"])),
    () => lines.toSpliced(end, 0, `  - ${random.pick(names)}${random.below(9)}: ${random.pick(types)}`),
    () => (fields.length < 2 ? lines : lines.toSpliced(at, 1)),
    () => lines.filter((one) => !/^ *#/.test(one)),
    () => lines.with(at, ` ${line}`),
    () => lines.toSpliced(end, 0, ""),
    () => editText(random, editText(random, text)).split("\n"),
  ];
  return random.pick(edits)().join("\n");
}

const names = ["name", "isActive", "toAddress", "value", "type", "a-b", "constructor", "checkPage", "ΣΣ"];

const types = [
  "string",
  "int32",
  "uint64",
  "bigint",
  "bool",
  "timestamp",
  "any",
  "[]string",
  "Page",
  "[]Page",
  "Side",
];

const meta = [
  "nullable = always",
  "json = other",
  "json = -",
  "alias = second",
  "default = 3",
  "default = true",
  "maxLength = 9",
  'pattern = "^[a-z]+$"',
  "twin = third",
  "secret = true",
  "pii = true",
  "example = abc",
  "deprecated = use another",
  "accepts = string",
];
