import { readdirSync, readFileSync } from "node:fs";
import { posix, resolve } from "node:path";
import { hashOf } from "../../write/manifest.ts";
import { systemReason } from "../reader.ts";

/** The files of a folder of templates. */
export interface TemplateFiles {
  /** As the user wrote it. */
  readonly folder: string;
  readonly absolute: string;
  /** Texts by path in the folder, with "/": `python/client.py.hbs`. */
  readonly texts: ReadonlyMap<string, string>;
  /** Of all of it, in hex. */
  readonly hash: string;
}

/** A folder of them that cannot be read, and why. */
export interface UnreadTemplates extends Pick<TemplateFiles, "folder"> {
  readonly reason: string;
}

/** Reads `*.hbs`, and the modules that name files. */
export function readTemplateFiles(cwd: string, folder: string): TemplateFiles | UnreadTemplates {
  const absolute = resolve(cwd, folder);
  const texts = new Map<string, string>();
  try {
    for (const { name: target } of readdirSync(absolute, { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    )) {
      const names = readdirSync(resolve(absolute, target)).filter((name) => /\.(hbs|mjs|js)$/.test(name));
      for (const name of names.sort()) {
        texts.set(posix.join(target, name), readFileSync(resolve(absolute, target, name), "utf8"));
      }
    }
  } catch (err) {
    return { folder, reason: systemReason(err) };
  }
  return { folder, absolute, texts, hash: hashOf(JSON.stringify([...texts].sort())) };
}
