import type { Findings } from "./findings.ts";
import { locationsOf, type Sides } from "./sides.ts";

/** Callers identify errors by their codes. */
export function compareErrorDeclarations(sides: Sides, findings: Findings): void {
  for (const known of sides.callers.errors) {
    const same = sides.server.errors.find(({ name }) => name === known.name);
    const other = same ?? sides.server.errors.find(({ code }) => code === known.code);
    if (other === undefined) continue;
    const item = { name: known.name, ...locationsOf(sides, known.at, other.at, other.at) };
    const { name } = known;
    if (other.code !== known.code)
      findings.add("error-code-changed", { name, callers: known.code, server: other.code }, item, "code");
    else if (other.httpStatus !== known.httpStatus)
      findings.add(
        "error-status-changed",
        { name, callers: known.httpStatus, server: other.httpStatus },
        item,
        "status",
      );
    else if (other.name !== name)
      findings.add("type-renamed", { callers: name, server: other.name }, item, "name");
  }
}
