import { isCoreType, isIntegerType, mayExceedSafeInteger } from "../../model/core-types.ts";
import { enumValueOf } from "../../model/enum-values.ts";
import type { MetaNode } from "../../syntax/tree.ts";
import { growthOf } from "../patterns.ts";
import { declarationsOf, defineRule, type LintRule, namesIn, typedNodesOf } from "../rule.ts";

export const valueRules: readonly LintRule[] = [
  defineRule({
    name: "precision-loss",
    code: "RK730",
    preset: "strict",
    message: '"{name}" is {type}, and JavaScript reads JSON numbers above 2^53 - 1 inexactly.',
    advice:
      "Use bigint, or limit it with maximum = 9007199254740991 and, if it can be negative, minimum = -9007199254740991.",
    rule: "A JSON number stays within 2^53 - 1.",
    reason:
      "JavaScript and many other languages read JSON numbers as doubles: 9007199254740993 silently becomes 9007199254740992.",
    bad: ["# An account.", "struct Account", "  - balance: uint64"],
    good: [
      "# An account.",
      "struct Account",
      "  - balance: bigint",
      "  - visits: uint64",
      "    + maximum = 9007199254740991",
    ],
    check(schema, report) {
      for (const { node, meta, owner, file } of typedNodesOf(schema)) {
        const type = namesIn(node.type).find((name) => isCoreType(name) && mayExceedSafeInteger(name));
        if (type === undefined || (node.type.kind === "named" && isBounded(type, meta))) continue;
        report({ name: node.name.text, type }, { file, span: node.type.span, owner });
      }
    },
  }),
  defineRule({
    name: "unsafe-pattern",
    code: "RK731",
    preset: "default",
    message: "The time to match this pattern is {growth} in the length of the input.",
    rule: "The time to match a pattern is proportional to the length of the text.",
    reason:
      "Otherwise, a single crafted request can keep the server busy for minutes (ReDoS). `recheck`, an npm package, finds such inputs.",
    bad: ["# A label.", "type Label: string", '  + pattern = "^([a-z]+-?)+$"'],
    good: ["# A label.", "type Label: string", '  + pattern = "^[a-z]+(-[a-z]+)*$"'],
    async check(schema, report) {
      for (const { meta, owner, file } of typedNodesOf(schema)) {
        for (const { key, value } of meta) {
          const growth = key.text === "pattern" ? await growthOf(value.value) : undefined;
          if (growth === undefined) continue;
          const advice = `Rewrite it so that a string can match in one way only. For example, it is slow for ${growth.attack}.`;
          report({ growth: growth.kind }, { file, span: value.span, owner }, { advice });
        }
      }
    },
  }),
  defineRule({
    name: "unchecked-format",
    code: "RK738",
    preset: "recommended",
    message: 'Servers do not check the format "{format}" of "{name}".',
    advice: 'Add a "pattern", or a comment: #! ridlkit-ignore unchecked-format: why',
    rule: "A format that servers do not check also has a pattern.",
    reason:
      "The format looks like a rule, but it is only in generated documents, so any text reaches the handler.",
    bad: ["# A filter.", "struct Filter", "  - search: string", "    + format = regex"],
    good: ["# A filter.", "struct Filter", "  - search: string", "    + maxLength = 40"],
    check(schema, report) {
      for (const { node, meta, owner, file } of typedNodesOf(schema)) {
        const format = meta.find(({ key }) => key.text === "format");
        if (format === undefined || !uncheckedFormats.has(format.value.value)) continue;
        if (meta.some(({ key }) => key.text === "pattern")) continue;
        report(
          { name: node.name.text, format: format.value.value },
          { file, span: format.value.span, owner },
        );
      }
    },
  }),
  defineRule({
    name: "mixed-enum-values",
    code: "RK733",
    preset: "recommended",
    message: '"{name}" gets the number {value} from its position, while other values have explicit numbers.',
    advice: "Write out all numbers of an enum, or none.",
    rule: "Either all numbers of an enum are written out, or none.",
    reason:
      "A value without a number gets its position in the list, not the previous number plus one. Below, NEXT is 1.",
    bad: ["# A step.", "enum Step: uint8", "  - FIRST = 5", "  - NEXT"],
    good: ["# A step.", "enum Step: uint8", "  - FIRST = 5", "  - NEXT = 6"],
    check(schema, report) {
      for (const { node, file } of declarationsOf(schema, "enum")) {
        if (!isIntegerType(node.base.text) || node.values.every(({ value }) => value === undefined)) continue;
        for (const [index, item] of node.values.entries()) {
          if (item.value !== undefined) continue;
          const { text: name, span } = item.name;
          report({ name, value: enumValueOf(node, index) }, { file, span, owner: item });
        }
      }
    },
  }),
  defineRule({
    name: "implicit-enum-values",
    code: "RK734",
    preset: "strict",
    message:
      'The values of "{name}" are numbered by position, so inserting one renumbers all values after it.',
    advice: "Write the numbers out, such as - USER = 0.",
    rule: "The numbers of an enum are written out.",
    reason: "Inserting a value renumbers all values after it, so stored numbers change their meaning.",
    bad: ["# A step.", "enum Step: uint8", "  - FIRST", "  - NEXT"],
    good: ["# A step.", "enum Step: uint8", "  - FIRST = 0", "  - NEXT = 1"],
    check(schema, report) {
      for (const { node, file } of declarationsOf(schema, "enum")) {
        if (!isIntegerType(node.base.text) || node.values.length === 0) continue;
        // If only some numbers are missing, mixed-enum-values reports them.
        if (node.values.some(({ value }) => value !== undefined)) continue;
        report({ name: node.name.text }, { file, span: node.name.span, owner: node });
      }
    },
  }),
];

/** Formats of text that restrict it, unlike `password` or `html`. */
const uncheckedFormats: ReadonlySet<string> = new Set([
  ...["http-date", "idn-email", "idn-hostname", "iri", "iri-reference", "uri-reference", "uri-template"],
  ...["json-pointer", "relative-json-pointer", "media-range", "regex", "base64url", "byte"],
]);

function isBounded(type: string, meta: readonly MetaNode[]): boolean {
  const isSafe = (key: string): boolean =>
    meta.some(({ key: { text }, value }) => text === key && Number.isSafeInteger(Number(value.value)));
  return isSafe("maximum") && (type.startsWith("u") || isSafe("minimum"));
}
