/** Shortens JSON texts in a list to where they differ. */

/** In characters. The screen cuts the line off. */
const previewMax = 200;

/** Characters that the start of a string may share with other items. */
const sharedMax = 8;

/** The text that all items start with, as far as previews need it. */
export function sharedStart([first = "", ...others]: readonly string[]): string {
  if (others.length === 0) return "";
  const max = Math.min(previewMax, first.length);
  let length = 0;
  while (length < max && others.every((other) => other[length] === first[length])) length += 1;
  return first.slice(0, length);
}

/** The start of an item, from the first field that differs: `{…,"id":"…11-46","log":{`. */
export function previewOf(text: string, shared: string): string {
  const [, before = "", name = "", same = ""] = /^(.*[{,])("(?:[^"\\]|\\.)*":"?)(.*)$/.exec(shared) ?? [];
  const rest = text.slice(before.length + name.length + same.length);
  const start = before.length > 1 ? "{…," : before;
  const isText = name.endsWith('"');
  const value = isText && same.length > sharedMax ? `…${same.slice(-4)}` : same;
  return `${start}${name}${value}${rest}`.slice(0, previewMax);
}
