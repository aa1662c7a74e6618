import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/**
 * Makes a folder contain the given files, and no other file that `isBuilt` accepts. Programs that run load parts of a build later,
 * so unchanged files are not touched, and the others are replaced atomically.
 */
export async function writeBuild(folder, files, isBuilt = () => true) {
  const built = new Set();
  for (const { path, contents } of files) {
    const name = relative(folder, path);
    built.add(name);
    const bytes = Buffer.from(contents);
    if ((await readFile(path).catch(() => undefined))?.equals(bytes)) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.${process.pid}.tmp`, bytes);
    await rename(`${path}.${process.pid}.tmp`, path);
  }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const name = relative(folder, join(entry.parentPath, entry.name));
    const isOther = !entry.isDirectory() && !built.has(name) && !name.endsWith(".tmp");
    if (isOther && isBuilt(name)) await rm(join(folder, name), { force: true });
  }
}
