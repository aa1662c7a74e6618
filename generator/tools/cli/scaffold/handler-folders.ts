import { existsSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { suffixOf } from "../../../codegen/emit/imports.ts";
import { resolveOptions } from "../../../codegen/options.ts";
import type { HandlerFolders, PackageExport } from "../../../handlers/folders.ts";
import type { Schema } from "../config/schemas.ts";
import { foldersAbove } from "../files/folders-above.ts";

/** The folders of a schema's handlers and generated code. Undefined if the configuration names only one of them or none. */
export function handlerFolders(
  { generation }: Schema,
  cwd: string,
  folder?: string,
): HandlerFolders | undefined {
  const handlers = folder ?? generation?.handlers;
  if (generation?.out === undefined || handlers === undefined) return undefined;
  const { out, otherOuts, context, importExtension } = generation;
  return {
    cwd,
    root: folderName(handlers),
    generated: folderName(out),
    packageExports: packageExports(cwd, handlers, out),
    otherGenerated: otherOuts.map(folderName),
    ...(context === undefined ? {} : { context }),
    importSuffix: suffixOf(resolveOptions({ importExtension }).importExtension),
  };
}

/** The exports of the package of the generated code, if the handlers belong to another package that depends on it. */
function packageExports(cwd: string, handlers: string, out: string): readonly PackageExport[] {
  const [own, other] = [packageAbove(resolve(cwd, handlers)), packageAbove(resolve(cwd, out))];
  if (own === undefined || other === undefined || own.folder === other.folder) return [];
  const { name, exports } = other.manifest;
  if (
    typeof name !== "string" ||
    !packageLists.some((list) => Object.hasOwn(Object(own.manifest[list]), name))
  )
    return [];
  const folder = posix.relative(cwd, other.folder);
  return Object.entries(Object(exports)).flatMap(([key, target]) =>
    targetsOf(target).map((path) => ({ specifier: posix.join(name, key), path: posix.join(folder, path) })),
  );
}

const packageLists = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** The TypeScript files of an entry of `exports`, which may have conditions. */
function targetsOf(target: unknown): readonly string[] {
  if (typeof target === "string") return /(?<![.]d)[.]ts$/.test(target) ? [target] : [];
  return typeof target === "object" && target !== null ? Object.values(target).flatMap(targetsOf) : [];
}

/** The nearest package.json of a folder. */
function packageAbove(start: string) {
  const folder = foldersAbove(start).find((one) => existsSync(join(one, "package.json")));
  if (folder === undefined) return undefined;
  try {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as unknown;
    return { folder, manifest: Object(manifest) as Readonly<Record<string, unknown>> };
  } catch {
    return undefined;
  }
}

/** `./handlers/` → `handlers`, so that folders can be compared by name. */
function folderName(path: string): string {
  const name = posix.normalize(path);
  return name.length > 1 && name.endsWith("/") ? name.slice(0, -1) : name;
}
