import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { builtInTexts, type TextSource } from "../../../verify/samples/example-texts.ts";
import type { Faker } from "../../../verify/samples/faker-texts.ts";

/** Uses `@faker-js/faker` if the project has it installed, otherwise the built-in example texts. */
export async function exampleTexts(cwd: string): Promise<TextSource> {
  try {
    const path = createRequire(join(cwd, "package.json")).resolve("@faker-js/faker/locale/en");
    const { faker } = (await import(pathToFileURL(path).href)) as { readonly faker: Faker };
    const { fakerTexts } = await import("../../../verify/samples/faker-texts.ts");
    return fakerTexts(faker);
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException;
    if (code === "MODULE_NOT_FOUND" || code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return builtInTexts;
    throw err;
  }
}
