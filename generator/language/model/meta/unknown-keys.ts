import { suggest } from "../../diagnostics/suggest.ts";
import {
  checkedFormat,
  isMetaKeyName,
  knownFormats,
  type MetaKeyName,
  metaKeys,
  type Shape,
} from "./keys.ts";

/** What to write in place of an unknown meta key. */
export interface MetaKeyAdvice {
  readonly advice: string;
  /** The one key with the same meaning: renaming the unknown key keeps what the author wrote. */
  readonly renamed?: MetaKeyName;
}

/**
 * Advice for a key that ridlkit does not read: the key for it, if there is one, or the key that it misspells. `shape` is that of
 * the field's type, and undefined if it is unknown. `keys` are those that can be written at this place.
 *
 *     "min", "text" → minLength
 */
export function adviseMetaKey(
  key: string,
  shape: Shape | undefined,
  keys: readonly string[] = Object.keys(metaKeys),
): MetaKeyAdvice {
  const word = key.toLowerCase().replaceAll(/[_-]/g, "");
  const foreign = foreignKeys.get(word);
  if (foreign === undefined) return adviseUnlisted(key, word, keys);
  if (typeof foreign === "string") {
    const renamed = keys.find((name) => name.toLowerCase() === word) as MetaKeyName | undefined;
    return renamed === undefined ? { advice: foreign } : { advice: foreign, renamed };
  }
  const fitting = foreign.filter((name) => keys.includes(name) && applies(name, shape));
  const [first, ...more] = fitting;
  if (first === undefined) {
    const ofAliases = foreign.find((name) => metaKeys[name].aliasOnly && applies(name, shape));
    return { advice: ofAliases === undefined ? noSuchRule : `Write "${ofAliases}" below a type alias.` };
  }
  if (more.length === 0) return { advice: `Write "${first}".`, renamed: first };
  const last = more.at(-1);
  const before = fitting.slice(0, -1).map((name) => `"${name}"`);
  return { advice: `Write ${before.join(", ")} ${shape === undefined ? "or" : "and"} "${last}".` };
}

/** Whether a key belongs to another tool, as `go.tag.db` does: it contains a dot, and misspells no key of ridlkit. */
export function isOfOtherTool(key: string): boolean {
  const [first = "", ...rest] = key.split(".");
  if (rest.length === 0 || first === "" || rest.includes("")) return false;
  return !isMetaKeyName(first) && suggest(key, dottedKeys, 2) === undefined;
}

const dottedKeys = Object.keys(metaKeys).filter((key) => key.includes("."));

function adviseUnlisted(key: string, word: string, keys: readonly string[]): MetaKeyAdvice {
  const suggestion = suggest(key, keys, key.length < 6 ? 1 : 2) as MetaKeyName | undefined;
  if (suggestion !== undefined) return { advice: `Did you mean "${suggestion}"?`, renamed: suggestion };
  const sibling = keys.find((name) => name.includes(".") && name.split(".")[0] === key.split(".")[0]);
  if (sibling !== undefined && key.includes(".")) return { advice: `Did you mean "${sibling}"?` };
  const format = knownFormats.find((name) => name.replaceAll("-", "") === word);
  if (format !== undefined && keys.includes("format"))
    return {
      advice: `Write "format" with the value "${format}"${checkedFormat(format) !== undefined ? "" : '; servers check only a "pattern"'}.`,
    };
  return {
    advice:
      "A key for another tool starts with its name and a dot, such as go.tag.db, and is passed through.",
  };
}

function applies(name: MetaKeyName, shape: Shape | undefined): boolean {
  const { shapes } = metaKeys[name];
  return shape === undefined || shapes === undefined || shapes.includes(shape);
}

const noSuchRule = "No meta key does this for values of this type; check them in the handler.";

/** Keys of Zod, Joi, JSON Schema, OpenAPI, Protovalidate, class-validator and Go validators, without case, "_" and "-". */
const foreignKeys: ReadonlyMap<string, readonly MetaKeyName[] | string> = new Map([
  ...entries("min gte ge atleast minvalue", ["minimum", "minLength", "minItems"]),
  ...entries("max lte le atmost maxvalue", ["maximum", "maxLength", "maxItems"]),
  ...entries(
    "minlen minsize mincount minchars minproperties minpairs minentries nonempty notempty notblank",
    ["minLength", "minItems"],
  ),
  ...entries("maxlen maxsize maxcount maxchars maxproperties maxpairs maxentries", ["maxLength", "maxItems"]),
  ...entries("len length size count", ["minLength", "maxLength", "minItems", "maxItems"]),
  ...entries("range between", ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"]),
  ...entries("positive nonnegative unsigned", ["minimum"]),
  ...entries("negative nonpositive", ["maximum"]),
  ...entries(
    "gt lt exclusivemin exclusivemax exclusiveminimum exclusivemaximum greaterthan lessthan morethan",
    'Limits are inclusive: for integers, write "minimum" or "maximum" with the next number.',
  ),
  ...entries("regex regexp re match matches", ["pattern"]),
  ...entries(
    "startswith prefix endswith suffix contains includes alpha alphanum alphanumeric numeric ascii hex uppercase",
    'Write it as a "pattern".',
  ),
  ...entries(
    "required notnull nonnull mandatory isdefined nonoptional",
    'Remove it: a field is required unless its name ends with "?".',
  ),
  ...entries(
    "optional omitempty isoptional nullish",
    'Remove it, and write "?" after the name of the field.',
  ),
  ...entries(
    "unique uniqueitems distinct multipleof step precision scale decimals int integer finite patternproperties additionalproperties immutable trim strip",
    noSuchRule,
  ),
  ...entries(
    "enum enums in isin values allowed options choices valid const literal notin not",
    "Declare an enum with the allowed values and use it as the type.",
  ),
  ...entries(
    "readonly outputonly responseonly generated computed",
    'Requests need a type without the field, such as an alias NewOrder of Order with "omit" and the name of the field.',
  ),
  ...entries("union anyof xor", ["oneOf"]),
  ...entries("branded nominal opaque newtype", ["brand"]),
  ...entries("if onlyif onlywhen requiredif requiredwhen requiredwith dependson dependentrequired", ["when"]),
  ...entries(
    "discriminator discriminant discriminatedby tag kind variant variants",
    'Declare an enum of the kinds and a field of it. Below each field of a kind, write "when" with the value, such as kind.card.',
  ),
  ...entries(
    "oneof",
    'Declare an enum with the allowed values. If exactly one of several fields is set, write "oneOf" and a name for all of them.',
  ),
  ...entries(
    "title description desc doc docs documentation comment comments summary note help label",
    "Write it as a comment above.",
  ),
  ...entries("type", "The type follows the name of the field."),
  ...entries("properties", "A struct has fields, each with a name and a type."),
  ...entries("items", "A list is written with brackets: []T in RIDL, T[] in YAML."),
  ...entries("$ref", "Write the name of the type as the type."),
  ...entries("name rename jsonname wirename serializedname fieldname", ["json"]),
  ...entries("ignore skip exclude hidden", 'Write "json" with the value "-".'),
  ...entries("except without omits", ["omit"]),
  ...entries("only select picks", ["pick"]),
  ...entries("aliases aka", ["alias"]),
  ...entries("oldname previousname renamed formername", ["renamedFrom"]),
  ...entries("defaultvalue initial fallback", ["default"]),
  ...entries("examples sample", ["example"]),
  ...entries("obsolete deprecation deprecate isdeprecated", ["deprecated"]),
  ...entries("null isnullable allownull", 'Write "nullable" with the value "read" or "always".'),
  ...entries("sensitive redact redacted mask masked confidential password writeonly debugredact", ["secret"]),
  ...entries("personal personaldata gdpr", ["pii"]),
  ...entries("coerce cast convert", ["accepts"]),
  ...entries("lowercase tolowercase lower", 'Write "normalize" with the value "lowercase".'),
  ...entries(
    "validate validation validator rules constraints check checks binding",
    "Write each rule with a key of its own, such as minLength. A key for another tool contains a dot, such as go.tag.validate.",
  ),
]);

function entries(
  words: string,
  meaning: readonly MetaKeyName[] | string,
): (readonly [string, readonly MetaKeyName[] | string])[] {
  return words.split(" ").map((word) => [word, meaning]);
}
