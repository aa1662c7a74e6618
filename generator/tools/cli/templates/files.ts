import { readdirSync } from "node:fs";
import { posix, resolve } from "node:path";
import { systemReason } from "../../../language/diagnostics/system-reason.ts";
import { decode } from "../../../language/source/decode.ts";
import { isFolder } from "../files/folders.ts";
import { fileReader } from "../files/reader.ts";

/** A folder of custom templates. */
export interface TemplateFiles {
  /** The path as the user wrote it. */
  readonly folder: string;
  readonly absolute: string;
  /** Texts by path: `python/client.py.hbs`. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A folder that cannot be used, with the reason. */
export interface UnreadableTemplates extends Pick<TemplateFiles, "folder" | "absolute"> {
  /** The path of the error: the folder or a file in it. */
  readonly path: string;
  readonly reason: string;
}

/** Reads all templates (`*.hbs`) and modules. */
export function readTemplateFiles(cwd: string, folder: string): TemplateFiles | UnreadableTemplates {
  const absolute = resolve(cwd, folder);
  const texts = new Map<string, string>();
  let path = folder;
  try {
    for (const name of readdirSync(absolute).sort()) {
      path = posix.join(folder, name);
      if (!isFolder(resolve(absolute, name))) {
        if (name.endsWith(".hbs")) return { folder, absolute, path, reason: outsideTargetReason };
        continue;
      }
      for (const file of readdirSync(resolve(absolute, name)).sort()) {
        path = posix.join(folder, name, file);
        if (isFolder(resolve(absolute, name, file))) {
          if (holdsTemplates(resolve(absolute, name, file)))
            return { folder, absolute, path, reason: nestedReason };
        } else if (/\.(hbs|mjs|js)$/.test(file)) {
          const read = readText(cwd, path);
          if ("reason" in read) return { folder, absolute, path, reason: read.reason };
          texts.set(posix.join(name, file), read.text);
        }
      }
    }
  } catch (err) {
    return { folder, absolute, path, reason: `${systemReason(err)}.` };
  }
  if (texts.size === 0) return { folder, absolute, path: folder, reason: noTargetsReason };
  return { folder, absolute, texts };
}

const outsideTargetReason = "it is outside the folder of a target: move it into one.";
const nestedReason = "it contains templates in a subfolder: move them into the folder of the target.";
const noTargetsReason = "it contains no templates; expected a folder of templates for each target.";

function holdsTemplates(path: string): boolean {
  return readdirSync(path).some((name) => name.endsWith(".hbs"));
}

function readText(cwd: string, path: string): { readonly text: string } | { readonly reason: string } {
  const read = fileReader(cwd).read(path);
  if (read.kind === "unreadable") return { reason: `${read.reason}.` };
  if (read.kind === "too-large") return { reason: `it is too large (${read.bytes} bytes).` };
  const { text, looksBinary } = decode(read.bytes);
  return looksBinary ? { reason: "it is not a text file in UTF-8." } : { text: text.replace(/^\uFEFF/, "") };
}
