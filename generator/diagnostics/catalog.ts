/**
 * Everything ridlkit can say about a schema. Codes are stable for ever; words may improve. `error` is what the reference
 * tool refuses too (or crashes on); `warning` is what it lets pass and we find wrong: `--strict` refuses it.
 * RK1xx syntax · RK2xx files and imports · RK3xx rules of the language · RK4xx meta keys · RK5xx IR JSON · RK8xx configuration.
 */
export const catalog = {
  // Syntax
  unexpected: {
    code: "RK101",
    severity: "error",
    message: "Expected {expected}, found {found}.",
  },
  "unknown-keyword": {
    code: "RK102",
    severity: "error",
    message: '"{word}" starts no declaration.',
    advice:
      "A line at this level starts with webrpc, name, version, basepath, import, enum, struct, type, error or service.",
  },
  "misplaced-blank": {
    code: "RK103",
    severity: "error",
    message: "No blank may stand before {before}.",
    advice: "Remove the blank.",
  },
  "unclosed-string": {
    code: "RK104",
    severity: "error",
    message: "The string has no closing quote on its line.",
    advice: 'End it with " on the same line; a string cannot span lines.',
  },
  "bad-escape": {
    code: "RK105",
    severity: "error",
    message: "{escape} is no escape.",
    advice:
      'Only \\n, \\t and \\" are; a backslash itself cannot be written: use a character class such as [0-9] in patterns.',
  },
  "missing-value": {
    code: "RK106",
    severity: "error",
    message: "A value is missing after {after}.",
  },
  "empty-string": {
    code: "RK107",
    severity: "error",
    message: "The empty string cannot be written in RIDL.",
    advice: "Leave the line out; for an empty default write: default.empty = true",
  },
  "renamed-keyword": {
    code: "RK108",
    severity: "error",
    message: 'The keyword "message" was renamed to "struct".',
    advice: 'Write "struct".',
  },
  "not-a-number": {
    code: "RK109",
    severity: "error",
    message: '{what} must be a number in digits, found "{found}".',
  },
  "duplicate-annotation": {
    code: "RK110",
    severity: "error",
    message: 'The method has two annotations "@{name}".',
    advice: 'Keep one; several values go into one string, as @auth:"a,b".',
  },
  "lonely-at": {
    code: "RK111",
    severity: "error",
    message: '"@" must be followed by the name of an annotation, without a blank.',
    advice: 'Write it as @name, @name:value or @name:"some text".',
  },
  "reserved-type-word": {
    code: "RK112",
    severity: "error",
    message: '"{word}" cannot be used as a type.',
    advice: 'A streamed answer is written "=> stream (item: T)", before the parenthesis.',
  },
  "malformed-type": {
    code: "RK113",
    severity: "error",
    message: '"{text}" is not a type.',
    advice: "Write Name, []T or map<K,V>.",
  },
  "type-too-deep": {
    code: "RK114",
    severity: "error",
    message: "The type is nested more than {limit} levels deep.",
    advice: "Name the inner part with a type alias.",
  },
  "byte-order-mark": {
    code: "RK115",
    severity: "error",
    message: "The file starts with a byte order mark.",
    advice: 'Save it as "UTF-8" without BOM.',
  },
  "stray-word": {
    code: "RK120",
    severity: "warning",
    message: '"{word}" after the method means nothing; webrpc swallows it without a word.',
    advice: "Remove it, or write the clause it was meant to be.",
  },
  "dangling-annotation": {
    code: "RK121",
    severity: "warning",
    message: '"@{name}" stands before no method and has no effect.',
    advice: "Put annotations on the line above the method they belong to.",
  },
  "text-after-nul": {
    code: "RK122",
    severity: "warning",
    message: "A NUL character ends the file here; what follows is not read.",
    advice: "Remove the NUL character.",
  },
  "map-without-value": {
    code: "RK123",
    severity: "warning",
    message: "The map has no value type.",
    advice: "Write map<K,V>, as map<string,any>.",
  },
  "hash-in-string": {
    code: "RK124",
    severity: "warning",
    message: 'webrpc also reads what follows "#" in a string as a comment of this line.',
    advice: 'Say it without "#".',
  },
  "annotations-hide-docs": {
    code: "RK125",
    severity: "warning",
    message:
      'webrpc loses the comment above "{method}", because two lines of annotations stand between them.',
    advice: "Put all annotations of a method on one line.",
  },
  "comment-after-meta": {
    code: "RK126",
    severity: "warning",
    message: "webrpc gives a comment after a meta line to the next field.",
    advice: "Put the comment above the field.",
  },
  "succinct-swallows": {
    code: "RK127",
    severity: "warning",
    message: "webrpc skips the {what} that follows a succinct argument without a blank.",
    advice: "Put a blank after the closing parenthesis.",
  },
  "blank-line-needed": {
    code: "RK128",
    severity: "error",
    message: 'webrpc reads "{word}" as part of the succinct method above.',
    advice: "Put an empty line between them.",
  },
  "missing-dash": {
    code: "RK129",
    severity: "error",
    message: '"-" is missing before "{word}".',
    advice: 'Every field, enum value and method starts with "- ".',
  },

  // Files and imports
  "unreadable-file": {
    code: "RK201",
    severity: "error",
    message: 'Cannot read "{path}": {reason}.',
  },
  "file-too-large": {
    code: "RK202",
    severity: "error",
    message: '"{path}" has {megabytes} MB; a schema file may have {limit} MB.',
    advice: "Split it into files that import each other, or check that this is the file you meant.",
  },
  "binary-file": {
    code: "RK203",
    severity: "error",
    message: '"{path}" is not a text file in UTF-8.',
    advice: "Save it as UTF-8 text, or check that this is the file you meant.",
  },
  "import-cycle": {
    code: "RK204",
    severity: "error",
    message: 'The import of "{path}" closes a circle.',
    advice: "Move what both files need into a third one.",
  },
  "unknown-import-member": {
    code: "RK205",
    severity: "warning",
    message: '"{path}" has no type, error or service "{member}".',
  },
  "import-lacks": {
    code: "RK206",
    severity: "error",
    message: '"{user}" needs "{missing}", which is not imported here.',
    advice: "Add it to the list of imported members.",
  },
  "service-imported-twice": {
    code: "RK207",
    severity: "warning",
    message: 'The service "{name}" comes in by two imports and is listed twice in webrpc\'s IR.',
    advice: "Import the file that declares it once, from the root file.",
  },
  "too-many-services": {
    code: "RK209",
    severity: "error",
    message: "Imports bring in {limit} services or more, each as often as there are ways to it.",
    advice: "Import a file with services once, from the root file.",
  },
  "schema-extension": {
    code: "RK208",
    severity: "error",
    message: 'Cannot tell what "{path}" is.',
    advice: "Name it .ridl, or .json for an IR file.",
  },

  // Rules of the language
  "webrpc-missing": {
    code: "RK346",
    severity: "error",
    message: 'The line "webrpc = v1" is missing.',
    advice: 'Every file, also an imported one, needs "webrpc = v1".',
  },
  "webrpc-version": {
    code: "RK301",
    severity: "error",
    message: '"webrpc = {found}" is not known.',
    advice: 'Write "webrpc = v1", the only version there is.',
  },
  "duplicate-header": {
    code: "RK302",
    severity: "error",
    message: '"{key}" is set twice.',
  },
  "version-required": {
    code: "RK303",
    severity: "error",
    message: "A schema with services needs a version.",
    advice: 'Add a line such as "version = v1.0.0".',
  },
  basepath: {
    code: "RK304",
    severity: "error",
    message: 'The basepath "{value}" {reason}.',
    advice: 'Write a plain path, as "basepath = /rpc".',
  },
  "basepath-missing": {
    code: "RK305",
    severity: "warning",
    message: 'The schema has services and no basepath; "/rpc/" is assumed.',
    advice: 'Add the line "basepath = /rpc".',
  },
  "type-name": {
    code: "RK306",
    severity: "error",
    message: 'The type name "{name}" must start with an upper case letter A to Z.',
  },
  "duplicate-type": {
    code: "RK307",
    severity: "error",
    message: 'The type "{name}" is declared twice.',
  },
  "type-case": {
    code: "RK341",
    severity: "error",
    message: 'The type "{name}" differs from "{other}" only in letter case.',
  },
  "unknown-type": {
    code: "RK308",
    severity: "error",
    message: 'There is no type "{name}".',
  },
  "map-key": {
    code: "RK309",
    severity: "error",
    message: '"{key}" cannot be the key of a map.',
    advice: "A key is string, an integer type, or an enum.",
  },
  "field-name": {
    code: "RK310",
    severity: "error",
    message: 'The name "{name}" must be letters, digits and "_", starting with a letter.',
  },
  "duplicate-field": {
    code: "RK311",
    severity: "error",
    message: '"{type}" has two fields "{name}".',
  },
  "field-case": {
    code: "RK342",
    severity: "error",
    message: 'The fields "{other}" and "{name}" of "{type}" differ only in letter case.',
  },
  "json-name": {
    code: "RK312",
    severity: "error",
    message: 'The json name "{value}" must be letters, digits and "_", starting with a letter, or "-".',
    advice: "Options of Go's encoder go into the meta key go.tag.json.",
  },
  "duplicate-json-name": {
    code: "RK313",
    severity: "error",
    message: 'Two fields of "{type}" have the json name "{name}".',
  },
  "enum-base": {
    code: "RK314",
    severity: "error",
    message: 'The enum "{name}" cannot be based on "{base}".',
    advice: "Use string or an integer type, as uint8.",
  },
  "error-name": {
    code: "RK315",
    severity: "error",
    message: 'The error name "{name}" must start with an upper case letter A to Z.',
  },
  "error-name-reserved": {
    code: "RK316",
    severity: "error",
    message: 'The error name "{name}" starts with "Webrpc", which is kept for the built-in errors.',
  },
  "error-code": {
    code: "RK317",
    severity: "error",
    message: "The error code {code} must be at least 1; 0 and below are built in.",
  },
  "error-code-clamped": {
    code: "RK318",
    severity: "warning",
    message: "The error code {code} is too large; webrpc makes it 2147483647.",
  },
  "error-message": {
    code: "RK319",
    severity: "error",
    message: 'The error "{name}" has no message.',
  },
  "error-status": {
    code: "RK320",
    severity: "error",
    message: 'The HTTP status {status} of "{name}" must lie between 400 and 599.',
  },
  "duplicate-error-name": {
    code: "RK321",
    severity: "error",
    message: 'The error "{name}" is declared twice.',
  },
  "error-case": {
    code: "RK343",
    severity: "error",
    message: 'The error "{name}" differs from "{other}" only in letter case.',
  },
  "duplicate-error-code": {
    code: "RK322",
    severity: "error",
    message: 'The error code {code} is already that of "{other}".',
  },
  "duplicate-service": {
    code: "RK323",
    severity: "error",
    message: 'The service "{name}" is declared twice.',
  },
  "service-case": {
    code: "RK344",
    severity: "error",
    message: 'The service "{name}" differs from "{other}" only in letter case.',
  },
  "empty-service": {
    code: "RK324",
    severity: "error",
    message: 'The service "{name}" has no methods.',
    advice: 'Add one, as "- Ping()".',
  },
  "duplicate-method": {
    code: "RK325",
    severity: "error",
    message: '"{service}" has two methods "{name}".',
  },
  "method-case": {
    code: "RK345",
    severity: "error",
    message: 'The methods "{other}" and "{name}" of "{service}" differ only in letter case.',
  },
  "succinct-pair": {
    code: "RK326",
    severity: "error",
    message: '"{method}" is succinct on one side only.',
    advice:
      "Write (Request) => (Response), both with one struct; a method without an answer gets an empty struct.",
  },
  "succinct-type": {
    code: "RK327",
    severity: "error",
    message: 'The succinct form needs a struct, and "{name}" is {kind}.',
  },
  "succinct-alone": {
    code: "RK328",
    severity: "error",
    message: 'The argument "{name}" has no type.',
    advice: 'Write "name: Type", or a single struct alone for the succinct form.',
  },
  "unknown-error": {
    code: "RK329",
    severity: "error",
    message: '"{method}" lists the error "{name}", which no schema file declares.',
  },
  "duplicate-argument": {
    code: "RK330",
    severity: "warning",
    message: '"{method}" has two arguments "{name}".',
  },
  "argument-name": {
    code: "RK331",
    severity: "warning",
    message: 'The argument name "{name}" should be letters, digits and "_", starting with a letter.',
  },
  "alias-cycle": {
    code: "RK332",
    severity: "warning",
    message: "The alias stands for itself: {path}.",
    advice: "Let one of them stand for a real type.",
  },
  "duplicate-enum-value": {
    code: "RK333",
    severity: "warning",
    message: 'The value {value} is already that of "{other}".',
    advice: "A value left out is the place in the list, counted from 0, not one more than the value before.",
  },
  "enum-value": {
    code: "RK334",
    severity: "warning",
    message: '"{value}" is not a value of {base}.',
  },
  "method-name": {
    code: "RK335",
    severity: "warning",
    message: 'The method name "{name}" should be letters, digits and "_", starting with a letter.',
  },
  "type-name-characters": {
    code: "RK336",
    severity: "warning",
    message: 'The name "{name}" should be letters, digits and "_".',
    advice: "Generators turn it into an identifier.",
  },
  "endless-struct": {
    code: "RK337",
    severity: "warning",
    message: "No value of this struct can end, since it needs itself: {path}.",
    advice: 'Make one of the fields optional, as "next?: Node".',
  },
  "unbuilt-stream": {
    code: "RK338",
    severity: "warning",
    message: '"{method}" streams its input, which no webrpc generator carries out.',
  },
  "unbuilt-proxy": {
    code: "RK339",
    severity: "warning",
    message: '"proxy {method}" is read as a method without arguments; proxying is not built.',
  },
  "alias-key-order": {
    code: "RK340",
    severity: "error",
    message: 'The alias "{alias}" has the key "{key}", an alias that is declared further down.',
    advice: "Move the declaration of the key above this one; webrpc crashes otherwise.",
  },

  // Meta keys
  "misspelt-meta": {
    code: "RK401",
    severity: "warning",
    message: 'No tool knows the meta key "{key}"; did you mean "{meant}"?',
    advice: "Keys of other tools have a dot in them, as go.tag.db, and pass through.",
  },
  "meta-value": {
    code: "RK402",
    severity: "warning",
    message: '"{key}" takes {wanted}, found "{value}".',
  },
  "meta-place": {
    code: "RK403",
    severity: "warning",
    message: '"{key}" says nothing of {type}; it is for {wanted}.',
  },
  "repeated-meta": {
    code: "RK404",
    severity: "warning",
    message: '"{key}" is given twice; the last one counts.',
  },
  "contrary-meta": {
    code: "RK405",
    severity: "warning",
    message: '"{low}" is above "{high}": no value fits.',
  },
  "wire-name-clash": {
    code: "RK406",
    severity: "warning",
    message: '"{name}" already names another field of "{type}".',
  },
  "non-ascii-value": {
    code: "RK407",
    severity: "warning",
    message: "webrpc garbles characters outside of ASCII in values, so its schema hash differs from ours.",
    advice: "Use ASCII here, or --hash-parity to write what webrpc writes.",
  },

  // IR JSON
  "json-syntax": {
    code: "RK501",
    severity: "error",
    message: "The file is not JSON: {reason}.",
  },
  "ir-shape": {
    code: "RK502",
    severity: "error",
    message: "{path} must be {expected}, found {found}.",
  },
  "ir-type-kind": {
    code: "RK503",
    severity: "error",
    message: 'The kind "{kind}" is not one of enum, struct and alias.',
  },
  "ir-missing": {
    code: "RK504",
    severity: "error",
    message: "{of} has no {what}.",
  },
  "ir-unwanted": {
    code: "RK505",
    severity: "error",
    message: "{of} cannot have a {what}.",
  },
  "ir-succinct": {
    code: "RK506",
    severity: "error",
    message: '"{method}" is succinct and has more than one argument.',
  },
  "too-many": {
    code: "RK901",
    severity: "error",
    message: "{hidden} more faults are not shown.",
    advice: "Mend the first ones and run again.",
  },

  // Writing
  "edited-file": {
    code: "RK601",
    severity: "error",
    message: '"{path}" was generated and then edited by hand.',
    advice: "Move what you added out of the folder, or write over it with --force.",
  },
  "foreign-file": {
    code: "RK602",
    severity: "error",
    message: '"{path}" stands where a generated file should, and was not generated.',
    advice: "Move it, choose another output folder, or write over it with --force.",
  },
  "cannot-write": {
    code: "RK603",
    severity: "error",
    message: 'Cannot write "{path}": {reason}.',
    advice: "Nothing that stood there before was changed.",
  },

  // Configuration
  "config-syntax": {
    code: "RK801",
    severity: "error",
    message: "The configuration is not {format}: {reason}.",
  },
  "config-key": {
    code: "RK802",
    severity: "error",
    message: 'There is no setting "{path}".',
  },
  "config-value": {
    code: "RK803",
    severity: "error",
    message: "{path} must be {wanted}, found {found}.",
  },
  "config-missing": {
    code: "RK804",
    severity: "error",
    message: "{path} is missing; it must be {wanted}.",
  },
  "config-exclusive": {
    code: "RK805",
    severity: "error",
    message: '{path} has both "match" and "ignore".',
    advice: "Keep one of them: they exclude each other.",
  },
  "config-same-name": {
    code: "RK806",
    severity: "error",
    message: 'Two schemas are called "{name}".',
    advice: 'Give each a "name" of its own; without one it is the file name of the entry.',
  },
  "config-repeated-key": {
    code: "RK807",
    severity: "error",
    message: 'The setting "{path}" is given twice.',
    advice: "Keep one of them.",
  },
  "config-script": {
    code: "RK808",
    severity: "error",
    message: '"{path}" cannot be run: {reason}',
  },
  "config-rivals": {
    code: "RK809",
    severity: "error",
    message: "More than one file configures ridlkit: {paths}.",
    advice: "Keep one of them, or choose one with --config.",
  },
  "config-extension": {
    code: "RK810",
    severity: "error",
    message: 'Cannot tell what "{path}" is.',
    advice: "A configuration ends in .ts, .js, .mjs, .json, .yaml or .yml, or is a package.json.",
  },
} as const;

export interface CatalogEntry {
  readonly code: string;
  readonly severity: "error" | "warning";
  /** `{name}` stands for a parameter. */
  readonly message: string;
  readonly advice?: string;
}

export type CatalogName = keyof typeof catalog;

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** What the message of an entry needs: `{ readonly name: string | number }` for `"There is no type {name}."`. */
export type ParametersOf<Name extends CatalogName> = {
  readonly [Key in Placeholders<(typeof catalog)[Name]["message"]>]: string | number;
};
