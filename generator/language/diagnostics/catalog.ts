/**
 * All diagnostics of ridlkit except lint rules, which are in `lint/rules/`. Codes never change their meaning and are never reused;
 * messages may improve. `catalog/` has one file per area, and each area has its own range of codes:
 *
 *     RK1xx syntax · RK2xx files and imports · RK3xx rules of the language · RK4xx meta keys · RK500 to RK529 IR JSON ·
 *     RK530 to RK549 kept versions ·
 *     RK600 to RK609 written files · RK610 to RK649 YAML · RK650 to RK679 conversion · RK680 to RK689 handlers ·
 *     RK690 to RK699 outdated generated files · RK700 to RK739 and RK790 style · RK740 to RK789 breaking changes ·
 *     RK8xx configuration · RK9xx the run
 */
import { breaking } from "./catalog/breaking.ts";
import { configuration } from "./catalog/configuration.ts";
import { convert } from "./catalog/convert.ts";
import { declarations } from "./catalog/declarations.ts";
import { errors } from "./catalog/errors.ts";
import { files } from "./catalog/files.ts";
import { handlers } from "./catalog/handlers.ts";
import { history } from "./catalog/history.ts";
import { ir } from "./catalog/ir.ts";
import { meta } from "./catalog/meta.ts";
import { outdated } from "./catalog/outdated.ts";
import { run } from "./catalog/run.ts";
import { services } from "./catalog/services.ts";
import { style } from "./catalog/style.ts";
import { syntax } from "./catalog/syntax.ts";
import { writing } from "./catalog/writing.ts";
import { yaml } from "./catalog/yaml.ts";

type Catalog = typeof syntax &
  typeof files &
  typeof declarations &
  typeof errors &
  typeof services &
  typeof meta &
  typeof ir &
  typeof history &
  typeof writing &
  typeof yaml &
  typeof convert &
  typeof handlers &
  typeof outdated &
  typeof style &
  typeof breaking &
  typeof configuration &
  typeof run;

export const catalog: Catalog = {
  ...syntax,
  ...files,
  ...declarations,
  ...errors,
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

export type CatalogName = keyof Catalog;

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** The parameters of a message: `{ readonly name: string | number }` for `"There is no type {name}."`. */
export type MessageParameters<Message extends string> = {
  readonly [Key in Placeholders<Message>]: string | number;
};

export type ParametersOf<Name extends CatalogName> = MessageParameters<Catalog[Name]["message"]>;
