import type { Json } from "../../codegen/plan/json.ts";

/** Limits the time for a large request to a few seconds. */
const maxTries = 150;

/** Returns the smallest body that still shows a violation. It removes fields and list items one by one, at every level. */
export async function shrink(body: Json, shows: (smaller: Json) => Promise<boolean>): Promise<Json> {
  let least = body;
  let tries = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const smaller of smallerThan(least)) {
      if (++tries > maxTries) return least;
      if (!(await shows(smaller))) continue;
      least = smaller;
      isSmaller = true;
      break;
    }
  }
  return least;
}

/** All variants with one part removed, larger parts first. */
function* smallerThan(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    for (const index of items.keys()) yield items.toSpliced(index, 1);
    for (const [index, item] of items.entries())
      for (const smaller of smallerThan(item)) yield items.with(index, smaller);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const fields = value as { readonly [key: string]: Json };
  for (const key of Object.keys(fields)) {
    const { [key]: _, ...rest } = fields;
    yield rest;
  }
  for (const [key, inner] of Object.entries(fields))
    for (const smaller of smallerThan(inner)) yield { ...fields, [key]: smaller };
}
