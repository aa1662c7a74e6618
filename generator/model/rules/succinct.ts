import type { Name } from "../../syntax/tree.ts";
import { isFileOutput } from "../files.ts";
import { foldName } from "../fold.ts";
import type { Report, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";
import { fileType, isCoreType } from "../types.ts";
import { unknownName } from "./known-types.ts";

/**
 * In the succinct form both sides are one struct.
 * Bad: `- Get(GetRequest)`, `- Get(Kind) => (Pet)` with an enum. Good: `- Get(GetRequest) => (GetResponse)`.
 */
export const succinct: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "service" || scope.file.format === "ir") continue;
    for (const { name, input, output } of node.methods) {
      // A file as answer is no body: the other side may have either form.
      const isFile = isFileOutput(output, scope);
      const sides = isFile ? [input.succinct] : [input.succinct, output.succinct];
      const named = sides.filter((side) => side !== undefined);
      if (named.length === 1 && !isFile)
        report("succinct-pair", { method: name.text }, named[0]?.span ?? name.span);
      for (const side of named) checkStruct(side, scope, report);
    }
  }
};

function checkStruct({ text: name, span }: Name, scope: Scope, report: Report): void {
  const found = scope.typeByFold.get(foldName(name))?.node;
  if (found?.kind === "struct") return;
  if (found !== undefined)
    report("succinct-type", { name, kind: found.kind === "enum" ? "an enum" : "an alias" }, span);
  else if (isCoreType(name) || name === fileType)
    report("succinct-type", { name, kind: "a core type" }, span);
  else if (!scope.isPartial && !scope.isLost(name)) {
    const structs = (): string[] =>
      scope.types.filter(({ node }) => node.kind === "struct").map(({ node }) => node.name.text);
    const place = { file: scope.file.source, span };
    report("unknown-type", { name }, span, unknownName(name, place, structs, scope));
  }
}
