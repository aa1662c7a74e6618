import { isFileOutput, takesFile } from "../files.ts";
import { idempotencyKeyName, keyFault } from "../idempotency-key.ts";
import type { Rule } from "../rule.ts";

/**
 * `@idempotencyKey` is on writes that are not idempotent, without streams and files.
 * Bad: `@readonly @idempotencyKey`. Good: `@idempotencyKey`.
 */
export const idempotencyKey: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "service") continue;
    for (const method of node.methods) {
      const found = method.annotations.find(({ name }) => name.text === idempotencyKeyName);
      if (found === undefined) continue;
      const { input, output } = method;
      const reason = keyFault({
        annotations: method.annotations.map(({ name, value }) => ({ name: name.text, value: value?.value })),
        verb: method.route?.verb.text,
        isStream: input.stream || output.stream,
        hasFiles: takesFile(method, scope) || isFileOutput(output, scope),
      });
      if (reason !== undefined)
        report("idempotency-key-unused", { method: method.name.text, reason }, found.span, {
          ...(found.value && { advice: "Remove the value." }),
        });
    }
  }
};
