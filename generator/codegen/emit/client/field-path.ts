/** Prints code that reads and sets the field of a path. */
import type { FieldPath } from "../../plan/plan.ts";
import { literalKey } from "../text.ts";

/** `{ ...req, page: { ...req.page, number: 2 } }`. */
export function requestWith(path: FieldPath, value: string): string {
  const parts = path.map(({ wireName }, depth) => {
    const outer = access("req", path.slice(0, depth));
    return { open: `{ ...${outer}, ${literalKey(wireName)}: `, close: " }" };
  });
  return `${parts.map(({ open }) => open).join("")}${value}${parts.map(({ close }) => close).join("")}`;
}

/** `page.meta?.next`, or `page.meta.next` where the compiler knows that `meta` is present. */
export function access(root: string, path: FieldPath, isChecked = true): string {
  let text = root;
  let isOptional = false;
  for (const { wireName, optional, nullable, default: value } of path) {
    const key = literalKey(wireName);
    const isName = /^[\w$]+$/.test(key);
    const dot = isOptional ? "?." : isName ? "." : "";
    text += dot + (isName ? key : key.startsWith("[") ? key : `[${key}]`);
    isOptional = isChecked && (optional || nullable || value !== undefined);
  }
  return text;
}
