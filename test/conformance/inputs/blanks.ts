import { type CaseInput, header } from "./rows.ts";

/** Adds or removes a blank, a line break or a comment between any two tokens of each kind of line. */
export function blankInputs(): CaseInput[] {
  return lines.flatMap(({ topic, line, around }) => {
    const tokens = line.match(/ |"[^"]*"|=>|[\w.]+|\W/g) ?? [];
    return tokens.flatMap((token, index) => {
      const join = (middle: string): string =>
        tokens.slice(0, index).join("") + middle + tokens.slice(index + 1).join("");
      const variants =
        token === " "
          ? {
              without: join(""),
              "two-blanks": join("  "),
              "line-break": join("\n"),
              "carriage-return": join("\r"),
            }
          : {
              "blank-before": join(` ${token}`),
              "line-break-before": join(`\n${token}`),
              "comment-before": join(`#c\n${token}`),
            };
      return Object.entries(variants).map(([variant, text]) => ({
        name: `blank-${topic}-${index}-${variant}`,
        kind: "ridl" as const,
        source: header + around.replace("LINE", () => text),
      }));
    });
  });
}

const lines = [
  { topic: "header", line: "basepath = /x", around: "LINE\nservice S\n- P()\n" },
  { topic: "enum", line: "enum E: int", around: "LINE\n- A\n" },
  { topic: "value", line: "- A = 1", around: "enum E: int\nLINE\n- B\n" },
  { topic: "field", line: "- f?: map<string,[]int>", around: "struct A\nLINE\n- g: int\n" },
  { topic: "meta", line: "+ a.b = x", around: "struct A\n- f: int\nLINE\n- g: int\n" },
  { topic: "alias", line: "type T: []int", around: "LINE\nstruct A\n" },
  { topic: "error", line: 'error 1 E "m" HTTP 400', around: "LINE\nstruct A\n" },
  { topic: "annotation", line: '@a:"x" @b:c', around: "service S\nLINE\n- P()\n" },
  {
    topic: "method",
    line: "- P(a?: int, b: A) => stream (c: int) errors E | E",
    around: "struct A\nerror 1 E m\nservice S\nLINE\n- Q()\n",
  },
  { topic: "succinct", line: "- P(A) => (A)", around: "struct A\nservice S\nLINE\n- Q()\n" },
] as const;
