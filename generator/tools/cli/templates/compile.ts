import { posix } from "node:path";
import type { CustomTarget, CustomTemplates } from "../../../codegen/emit/custom/custom.ts";
import type { CustomTemplate } from "../../../codegen/emit/render.ts";
import { templateNames } from "../../../codegen/emit/template-names.ts";
import { suggest } from "../../../language/diagnostics/suggest.ts";
import { didYouMean } from "../command-error.ts";
import { customTarget } from "./custom-target.ts";
import { faultInFile } from "./fault.ts";
import type { TemplateFiles } from "./files.ts";
import { TemplateRegistry } from "./template-registry.ts";

/** Compiles custom templates. Throws `TemplateFault`. Handlebars is loaded here and only for custom templates. */
export async function compileTemplates(files: TemplateFiles): Promise<CustomTemplates> {
  const { default: handlebars } = await import("handlebars");
  const folders = new Set([...files.texts.keys()].map((path) => posix.dirname(path)));
  const overrides = new Map<string, CustomTemplate>();
  const targets: CustomTarget[] = [];
  for (const folder of folders) {
    const book = new TemplateRegistry(handlebars, files, folder);
    if (reservedFolders.has(folder.toLowerCase()))
      throw faultInFile(posix.join(files.folder, folder), reservedReason);
    if (!builtInFolders.has(folder)) targets.push(await customTarget(book, files, folder));
    else for (const name of book.names) overrides.set(builtInName(files, folder, name), book.template(name));
  }
  return { overrides, targets };
}

/** Folders whose templates override built-in templates. */
const builtInFolders: ReadonlySet<string> = new Set(templateNames.map((name) => posix.dirname(name)));

/** Output folders that have no built-in templates. */
const reservedFolders: ReadonlySet<string> = new Set(["runtime", "validators", "json-schema"]);
const reservedReason = "ridlkit generates a folder of this name itself: rename the target.";

function builtInName({ folder }: TemplateFiles, target: string, file: string): string {
  const name = posix.join(target, file);
  if (templateNames.includes(name)) return name;
  const known = templateNames.filter((one) => posix.dirname(one) === target);
  const reason = `there is no template "${name}" to override.${didYouMean(suggest(name, known)) || ` Templates: ${known.join(", ")}.`}`;
  throw faultInFile(posix.join(folder, `${name}.hbs`), reason);
}
