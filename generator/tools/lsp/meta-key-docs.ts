import type { MetaKeyName } from "../../language/model/meta/keys.ts";

/** Descriptions of the meta keys, shown on hover and in completion. */
export const metaKeyDocs: Readonly<Record<MetaKeyName, string>> = {
  json: "The key of the field in JSON; `-`: it never goes over the wire.",
  pattern:
    "A regular expression (ECMA-262, unicode) that some part of the text matches; anchor it with `^` and `$`.",
  minimum: "The least value.",
  maximum: "The greatest value.",
  minLength: "The least number of characters.",
  maxLength: "The greatest number of characters.",
  minItems: "The least number of items.",
  maxItems: "The greatest number of items.",
  format: "A format of JSON Schema, such as `email`. It is passed on to documents, and not checked.",
  default: "The value that an absent field has.",
  "default.empty": "`true`: an absent field is empty.",
  example: "A value as people write it, for documents and try-outs. May stand several times.",
  deprecated: "Why it should not be used any more, or `true`.",
  alias: "Another name that requests may use for the field. May stand several times.",
  twin: "Another name under which answers hold the field once more. May stand several times.",
  accepts: "JSON forms that requests may use beside the type's own: `string,integer`.",
  normalize: "`lowercase`: any letter case is read, lower case is written.",
  nullable: "`read`: null means absent. `always`: written as null, and never left out.",
  secret: "`true`: never in a log, a recording or a message.",
  pii: "`true`: personal data; hidden in logs and recordings.",
  renamedFrom: "The name that it had before, so that handlers are followed.",
};
