import { suggestName } from "../name-fixes.ts";
import type { Rule } from "../rule.ts";

/**
 * The members that an import lists must exist in the imported file.
 * Bad: `import types.ridl` with `- Usr`. Good: `- User`.
 */
export const importedMembers: Rule = (scope, report) => {
  for (const { node, scope: from } of scope.imports) {
    if (node.members.length === 0) continue;
    const known = new Set([
      ...from.types.map(({ node: type }) => type.name.text),
      ...from.errors.map(({ node: error }) => error.name.text),
      ...from.services.map(({ node: service }) => service.name.value),
    ]);
    for (const { value: member, span } of node.members) {
      if (known.has(member) || from.mayBeUnparsed(member)) continue;
      const extra = suggestName(member, { file: scope.file.source, span }, () => known);
      report("unknown-import-member", { member, path: node.path.value }, span, extra);
    }
  }
};
