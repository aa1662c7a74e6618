import { cacheName } from "./cache.ts";
import { deprecatedName, sunsetName } from "./deprecation.ts";
import { idempotencyKeyName } from "./idempotency-key.ts";
import { noErrorsName } from "./listed-errors.ts";
import { pagingName } from "./paging.ts";
import { resumeName } from "./resume.ts";

/** An annotation that ridlkit knows. Schemas may use any other one. */
export interface KnownAnnotation {
  readonly name: string;
  readonly meaning: string;
  readonly hasValue?: true;
}

export const knownAnnotations: readonly KnownAnnotation[] = [
  {
    name: deprecatedName,
    meaning: "still works; the text names the replacement, after a date if it has one",
    hasValue: true,
  },
  { name: sunsetName, meaning: "the day on which it stops working", hasValue: true },
  { name: "readonly", meaning: "changes no data" },
  { name: "idempotent", meaning: "safe to repeat" },
  { name: idempotencyKeyName, meaning: "safe to repeat with the same idempotency key" },
  { name: cacheName, meaning: "how long caches may keep the response", hasValue: true },
  { name: pagingName, meaning: "how a list is read page by page", hasValue: true },
  { name: resumeName, meaning: "how clients continue a broken stream", hasValue: true },
  { name: noErrorsName, meaning: "returns no errors of the schema" },
  { name: "internal", meaning: "not part of the public API" },
  { name: "auth", meaning: "needs these credentials", hasValue: true },
  { name: "mcp", meaning: "agents may call it; mcp:off: they may not" },
];
