import { posix } from "node:path";
import type { CustomTarget, CustomTemplates } from "../../../codegen/emit/custom/custom.ts";
import type { CustomTemplate } from "../../../codegen/emit/render.ts";
import { templateNames } from "../../../codegen/emit/template-names.ts";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { didYouMean } from "../refusal.ts";
import { customTarget } from "./custom-target.ts";
import { faultAt } from "./fault.ts";
import type { TemplateFiles } from "./files.ts";
import { TemplateBook } from "./template-book.ts";

/** Texts to functions. Throws `TemplateFault`. The compiler of templates is loaded here, and for users' templates alone. */
export async function compileTemplates(files: TemplateFiles): Promise<CustomTemplates> {
  const { default: handlebars } = await import("handlebars");
  const folders = new Set([...files.texts.keys()].map((path) => posix.dirname(path)));
  const overrides = new Map<string, CustomTemplate>();
  const targets: CustomTarget[] = [];
  for (const folder of folders) {
    const book = new TemplateBook(handlebars, files, folder);
    if (ourOutput.has(folder.toLowerCase())) throw faultAt(posix.join(files.folder, folder), isOurs);
    if (!ownFolders.has(folder)) targets.push(await customTarget(book, files, folder));
    else for (const name of book.names) overrides.set(ownName(files, folder, name), book.template(name));
  }
  return { overrides, targets };
}

/** Folders whose templates stand for ours. */
const ownFolders: ReadonlySet<string> = new Set(templateNames.map((name) => posix.dirname(name)));

/** Folders of our own output that no template of ours is named after. */
const ourOutput: ReadonlySet<string> = new Set(["runtime", "validators", "json-schema"]);
const isOurs = "a folder of this name is written by ridlkit itself: give the target another one.";

function ownName({ folder }: TemplateFiles, target: string, file: string): string {
  const name = posix.join(target, file);
  if (templateNames.includes(name)) return name;
  const known = templateNames.filter((one) => posix.dirname(one) === target);
  const reason = `there is no template "${name}" to override.${didYouMean(suggest(name, known)) || ` There are ${known.join(", ")}.`}`;
  throw faultAt(posix.join(folder, `${name}.hbs`), reason);
}
