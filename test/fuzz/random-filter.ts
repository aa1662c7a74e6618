import type { Files } from "../support/memory-reader.ts";
import type { Random } from "../support/random.ts";
import type { FilterFlags } from "../support/reference.ts";

/** Flags that usually match the text: services and annotations are picked from it. */
export function randomFilter(random: Random, files: Files): FilterFlags {
  const text = Object.values(files).join("\n");
  const services = [...text.matchAll(/^service[ \t]+([^\s#"]+)/gm)].map(([, name]) => name as string);
  const annotations = [...text.matchAll(/@\w+(?::\w+)?/g)].map(([annotation]) => annotation);
  const list = random
    .shuffle([...annotations, "@internal", "@acl:admin", "x@deprecated", "@auth: "])
    .slice(0, 1 + random.below(2));
  const byAnnotation = list.join(",").replaceAll("@,", "@a,");
  return {
    ...(random.chance(20) ? { schemaVersion: random.pick(["v9", "", "é", '"']) } : {}),
    ...(random.chance(60)
      ? {
          service: random
            .shuffle([...services, "Shop", "nobody", ""])
            .slice(0, 1 + random.below(2))
            .join(","),
        }
      : {}),
    ...(random.chance(50) ? { methodTreeShake: true } : {}),
    ...(random.chance(40) ? random.pick([{ ignore: byAnnotation }, { match: byAnnotation }]) : {}),
  };
}
