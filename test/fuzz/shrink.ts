import type { Files } from "../support/memory-reader.ts";

/** At most this many tries for one input: each costs a question to the reference. */
const triesMost = 600;

/** Leaves out lines, then tokens, then characters, as long as `stillFails`. The result fails too. */
export async function shrinkFiles(files: Files, stillFails: (files: Files) => Promise<boolean>): Promise<Files> {
  let current = files;
  let tries = 0;
  const attempt = async (candidate: Files): Promise<boolean> => {
    if (++tries > triesMost || !(await stillFails(candidate))) return false;
    current = candidate;
    return true;
  };
  for (const path of Object.keys(files)) {
    const { [path]: _, ...rest } = current;
    await attempt(rest);
  }
  for (const split of [/(?<=\n)/, /(?=\s)|(?<=\s)|(?<=\W)|(?=\W)/, /(?:)/u]) {
    for (const path of Object.keys(current)) {
      let parts = (current[path] ?? "").split(split);
      for (let size = Math.max(1, parts.length >> 1); size >= 1; size = size === 1 ? 0 : size >> 1) {
        for (let at = 0; at < parts.length; ) {
          const fewer = [...parts.slice(0, at), ...parts.slice(at + size)];
          if (await attempt({ ...current, [path]: fewer.join("") })) parts = fewer;
          else at += size;
        }
      }
    }
  }
  return current;
}
