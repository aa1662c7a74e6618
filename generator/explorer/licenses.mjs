import { readdirSync, readFileSync } from "node:fs";

/** The licenses of all packages whose files are in a bundle. */
export function licensesOf(files) {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
      const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
      return `${name} ${version}\n${file === undefined ? license : readFileSync(`${folder}/${file}`, "utf8")}`;
    })
    .join("\n\n");
}
