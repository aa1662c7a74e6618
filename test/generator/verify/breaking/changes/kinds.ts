import { both, type Change, type Outcome, type Parts } from "./change.ts";

const [narrowed, widened] = ["request-kind-narrowed", "response-kind-widened"] as const;
const change = (side: "request" | "answer", name: string, before: string, now: string, outcome: Outcome) =>
  both(`${side}: ${name}`, ways(before, side), ways(now, side), outcome);
const two = "x: a; y: b";

/** `card: a, b?; cash: c` → a field `way`, and fields of its kinds, with values of one type. */
function ways(text: string, side: "request" | "answer"): Parts {
  const needs = new Map<string, string[]>();
  const names = text.split(";").map((part) => {
    const [kind = "", fields = ""] = part.split(":").map((one) => one.trim());
    for (const field of fields.split(",").map((one) => one.trim())) {
      const name = field.replace("?", "");
      if (name === "") continue;
      needs.set(name, [...(needs.get(name) ?? []), `way.${kind}${field.endsWith("?") ? "?" : ""}`]);
    }
    return kind;
  });
  const fields = [...needs].map(
    ([name, lines]) => `${name}?: int32${lines.map((line) => ` + when = ${line}`).join("")}`,
  );
  const values = names.map((name) => `  - ${name}`).join("\n");
  return { types: `enum Way: string\n${values}`, [side]: ["way: Way", ...fields].join("; ") };
}

export const kindChanges: readonly Change[] = [
  change("request", "a new kind", two, "x: a; y: b; z: c", ["same", "breaks"]),
  change("request", "a kind less", "x: a; y: b; z: a", two, [
    "breaks",
    "same",
    "request-enum-value-rejected",
  ]),
  change("request", "another field for a kind", two, "x: a, c; y: b", ["breaks", "differs", narrowed]),
  change("request", "another optional field for a kind", two, "x: a, c?; y: b", ["same", "differs"]),
  change("request", "a field that becomes optional", two, "x: a?; y: b", ["same", "breaks"]),
  change("request", "a field that becomes required", "x: a?; y: b", two, ["breaks", "same", narrowed]),
  both(
    "request: a field that may be null becomes required for a kind",
    { ...ways("x: ; y: ", "request"), request: "way: Way; a: int32 + nullable = always" },
    ways("x: a; y: ", "request"),
    ["breaks", "differs", "null-changed", narrowed],
  ),
  change("request", "a field that moves", two, "x: a, b; y: ", ["breaks", "breaks", narrowed]),
  change("request", "a field for one more kind", "x: a; y: b", "x: a; y: a?, b", ["same", "breaks"]),
  change("request", "a field for one kind less", "x: a; y: a?, b", two, ["breaks", "same", narrowed]),
  change("answer", "a new kind", two, "x: a; y: b; z: a", ["differs", "same", "response-enum-value-unknown"]),
  change("answer", "another optional field for a kind", two, "x: a, c?; y: b", ["same", "same"]),
  change("answer", "a field that becomes optional", two, "x: a?; y: b", ["breaks", "same", widened]),
  change("answer", "a field that becomes required", "x: a?; y: b", two, ["same", "breaks"]),
  change("answer", "a field that moves", two, "x: a, b; y: ", ["breaks", "breaks", widened]),
];
