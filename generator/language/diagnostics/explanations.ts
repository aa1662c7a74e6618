import type { CatalogName } from "./catalog.ts";
import { breaking } from "./explanations/breaking.ts";
import { configuration } from "./explanations/configuration.ts";
import { convert } from "./explanations/convert.ts";
import { declarations } from "./explanations/declarations.ts";
import type { Explanations } from "./explanations/explanation.ts";
import { files } from "./explanations/files.ts";
import { handlers } from "./explanations/handlers.ts";
import { history } from "./explanations/history.ts";
import { ir } from "./explanations/ir.ts";
import { meta } from "./explanations/meta.ts";
import { outdated } from "./explanations/outdated.ts";
import { run } from "./explanations/run.ts";
import { services } from "./explanations/services.ts";
import { style } from "./explanations/style.ts";
import { syntax } from "./explanations/syntax.ts";
import { writing } from "./explanations/writing.ts";
import { yaml } from "./explanations/yaml.ts";

/** The rule, reason and examples of each code. Only `explain`, SARIF output and the docs load them; checks do not need them. */
export const explanations: Explanations<CatalogName> = {
  ...syntax,
  ...files,
  ...declarations,
  ...services,
  ...meta,
  ...ir,
  ...history,
  ...writing,
  ...yaml,
  ...convert,
  ...handlers,
  ...outdated,
  ...style,
  ...breaking,
  ...configuration,
  ...run,
};
