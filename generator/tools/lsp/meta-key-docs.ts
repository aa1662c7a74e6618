import type { MetaKeyName } from "../../language/model/meta/keys.ts";

/** The description of each meta key, for hovers and for docs/meta-keys.md. */
export const metaKeyDocs: Readonly<Record<MetaKeyName, string>> = {
  json: "The name of a field, or of a value of an integer enum, in JSON. A field with `-` is never sent.",
  pattern:
    "A regular expression (ECMA-262, Unicode mode). The value must contain a match; to match the whole value, use `^` and `$`.",
  minimum: "The smallest allowed value.",
  maximum: "The largest allowed value.",
  minLength: "The minimum number of characters.",
  maxLength: "The maximum number of characters.",
  minItems: "The minimum number of items.",
  maxItems: "The maximum number of items.",
  format:
    "A format of JSON Schema or OpenAPI, such as `email`, or one of your own, with a dot or `x-` in front. Servers check `date`, `date-time`, `time`, `duration`, `decimal`, `uuid`, `email`, `hostname`, `ipv4`, `ipv6` and `uri`; other formats are only in generated documents.",
  default: "The value of a request field that is absent.",
  "default.empty":
    "`true`: an absent request field is an empty string, list or map, or a struct of the defaults of its fields.",
  example: "An example value for documents, the mock and the explorer. Repeatable.",
  deprecated: "Why the field should no longer be used, or `true`.",
  alias: "Another name that requests may use for the field. Repeatable.",
  twin: "Another name under which responses also contain the field. Repeatable.",
  oneOf: "The group of an optional field. Exactly one field of each group of a struct is set.",
  when: "The kind for which this optional field is set. `kind.card` means: the required enum field `kind`, named as in the schema, has the value `card`. For that kind, this field is required, or optional with `kind.card?`. For kinds without a line, it is absent. Repeatable.",
  accepts: "Additional JSON types that requests may use: `string,integer`.",
  normalize:
    "`lowercase`: converts values in requests to lower case; values in responses must be lower case.",
  nullable:
    "`read`: null is read as absent. `always`: null differs from absent in requests, and responses have null instead of absent.",
  secret: "`true`: the value never appears in a log, a recording or a message.",
  pii: "`true`: personal data. The value never appears in a log, a recording or a message.",
  brand:
    "`true`: in TypeScript, values of this type differ from other text or numbers, such as those of other ids. A generated function, such as `toPatientId`, marks plain values.",
  renamedFrom: "The previous name, so that `ridlkit breaking` recognizes the rename.",
  message: "The message of an issue if the value breaks a rule of this field or alias. Forms show it.",
  errorData: "The name of an error. This alias of a struct is the type of the error's data.",
  omit: "A field of the struct that the derived struct lacks, by its name in the schema. Repeatable.",
  pick: "A field of the struct that the derived struct has; it lacks all others. Repeatable.",
  partial: "`true`: all fields of the derived struct are optional and have no defaults, as in a patch.",
};
