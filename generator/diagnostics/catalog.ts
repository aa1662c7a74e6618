/**
 * Everything ridlkit can say about a schema. Codes are stable for ever; words may improve. `error` is what the reference
 * tool refuses too (or crashes on); `warning` is what it lets pass and we find wrong: `--strict` refuses it.
 * RK1xx syntax · RK2xx files and imports · RK3xx rules of the language · RK4xx meta keys · RK5xx IR JSON.
 */
export const catalog = {
  // Syntax
  unexpected: {
    code: "RK101",
    severity: "error",
    message: (p: { expected: string; found: string }) => `Expected ${p.expected}, found ${p.found}.`,
  },
  "unknown-keyword": {
    code: "RK102",
    severity: "error",
    message: (p: { word: string }) => `"${p.word}" starts no declaration.`,
    advice:
      "A line at this level starts with webrpc, name, version, basepath, import, enum, struct, type, error or service.",
  },
  "misplaced-blank": {
    code: "RK103",
    severity: "error",
    message: (p: { before: string }) => `No blank may stand before ${p.before}.`,
    advice: "Remove the blank.",
  },
  "unclosed-string": {
    code: "RK104",
    severity: "error",
    message: (_: Record<string, never>) => "The string has no closing quote on its line.",
    advice: 'End it with " on the same line; a string cannot span lines.',
  },
  "bad-escape": {
    code: "RK105",
    severity: "error",
    message: (p: { escape: string }) => `${p.escape} is no escape.`,
    advice:
      'Only \\n, \\t and \\" are; a backslash itself cannot be written: use a character class such as [0-9] in patterns.',
  },
  "missing-value": {
    code: "RK106",
    severity: "error",
    message: (p: { after: string }) => `A value is missing after ${p.after}.`,
  },
  "empty-string": {
    code: "RK107",
    severity: "error",
    message: (_: Record<string, never>) => "The empty string cannot be written in RIDL.",
    advice: "Leave the line out; for an empty default write: default.empty = true",
  },
  "renamed-keyword": {
    code: "RK108",
    severity: "error",
    message: (_: Record<string, never>) => 'The keyword "message" was renamed to "struct".',
    advice: 'Write "struct".',
  },
  "not-a-number": {
    code: "RK109",
    severity: "error",
    message: (p: { what: string; found: string }) =>
      `${p.what} must be a number in digits, found "${p.found}".`,
  },
  "duplicate-annotation": {
    code: "RK110",
    severity: "error",
    message: (p: { name: string }) => `The method has two annotations "@${p.name}".`,
    advice: 'Keep one; several values go into one string, as @auth:"a,b".',
  },
  "lonely-at": {
    code: "RK111",
    severity: "error",
    message: (_: Record<string, never>) =>
      '"@" must be followed by the name of an annotation, without a blank.',
    advice: 'Write it as @name, @name:value or @name:"some text".',
  },
  "reserved-type-word": {
    code: "RK112",
    severity: "error",
    message: (p: { word: string }) => `"${p.word}" cannot be used as a type.`,
    advice: 'A streamed answer is written "=> stream (item: T)", before the parenthesis.',
  },
  "malformed-type": {
    code: "RK113",
    severity: "error",
    message: (p: { text: string }) => `"${p.text}" is not a type.`,
    advice: "Write Name, []T or map<K,V>.",
  },
  "type-too-deep": {
    code: "RK114",
    severity: "error",
    message: (p: { limit: number }) => `The type is nested more than ${p.limit} levels deep.`,
    advice: "Name the inner part with a type alias.",
  },
  "byte-order-mark": {
    code: "RK115",
    severity: "error",
    message: (_: Record<string, never>) => "The file starts with a byte order mark.",
    advice: 'Save it as "UTF-8" without BOM.',
  },
  "stray-word": {
    code: "RK120",
    severity: "warning",
    message: (p: { word: string }) =>
      `"${p.word}" after the method means nothing; webrpc swallows it without a word.`,
    advice: "Remove it, or write the clause it was meant to be.",
  },
  "dangling-annotation": {
    code: "RK121",
    severity: "warning",
    message: (p: { name: string }) => `"@${p.name}" stands before no method and has no effect.`,
    advice: "Put annotations on the line above the method they belong to.",
  },
  "text-after-nul": {
    code: "RK122",
    severity: "warning",
    message: (_: Record<string, never>) => "A NUL character ends the file here; what follows is not read.",
    advice: "Remove the NUL character.",
  },
  "map-without-value": {
    code: "RK123",
    severity: "warning",
    message: (_: Record<string, never>) => "The map has no value type.",
    advice: "Write map<K,V>, as map<string,any>.",
  },
  "hash-in-string": {
    code: "RK124",
    severity: "warning",
    message: (_: Record<string, never>) =>
      'webrpc also reads what follows "#" in a string as a comment of this line.',
    advice: 'Say it without "#".',
  },
  "annotations-hide-docs": {
    code: "RK125",
    severity: "warning",
    message: (p: { method: string }) =>
      `webrpc loses the comment above "${p.method}", because two lines of annotations stand between them.`,
    advice: "Put all annotations of a method on one line.",
  },
  "comment-after-meta": {
    code: "RK126",
    severity: "warning",
    message: (_: Record<string, never>) => "webrpc gives a comment after a meta line to the next field.",
    advice: "Put the comment above the field.",
  },
  "succinct-swallows": {
    code: "RK127",
    severity: "warning",
    message: (p: { what: string }) =>
      `webrpc skips the ${p.what} that follows a succinct argument without a blank.`,
    advice: "Put a blank after the closing parenthesis.",
  },
  "blank-line-needed": {
    code: "RK128",
    severity: "error",
    message: (p: { word: string }) => `webrpc reads "${p.word}" as part of the succinct method above.`,
    advice: "Put an empty line between them.",
  },
  "missing-dash": {
    code: "RK129",
    severity: "error",
    message: (p: { word: string }) => `"-" is missing before "${p.word}".`,
    advice: 'Every field, enum value and method starts with "- ".',
  },

  // Files and imports
  "unreadable-file": {
    code: "RK201",
    severity: "error",
    message: (p: { path: string; reason: string }) => `Cannot read "${p.path}": ${p.reason}.`,
  },
  "file-too-large": {
    code: "RK202",
    severity: "error",
    message: (p: { path: string; megabytes: number; limit: number }) =>
      `"${p.path}" has ${p.megabytes} MB; a schema file may have ${p.limit} MB.`,
    advice: "Split it into files that import each other, or check that this is the file you meant.",
  },
  "binary-file": {
    code: "RK203",
    severity: "error",
    message: (p: { path: string }) => `"${p.path}" is not a text file in UTF-8.`,
    advice: "Save it as UTF-8 text, or check that this is the file you meant.",
  },
  "import-cycle": {
    code: "RK204",
    severity: "error",
    message: (p: { path: string }) => `The import of "${p.path}" closes a circle.`,
    advice: "Move what both files need into a third one.",
  },
  "unknown-import-member": {
    code: "RK205",
    severity: "warning",
    message: (p: { member: string; path: string }) =>
      `"${p.path}" has no type, error or service "${p.member}".`,
  },
  "import-lacks": {
    code: "RK206",
    severity: "error",
    message: (p: { missing: string; user: string }) =>
      `"${p.user}" needs "${p.missing}", which is not imported here.`,
    advice: "Add it to the list of imported members.",
  },
  "service-imported-twice": {
    code: "RK207",
    severity: "warning",
    message: (p: { name: string }) =>
      `The service "${p.name}" comes in by two imports and is listed twice in webrpc's IR.`,
    advice: "Import the file that declares it once, from the root file.",
  },
  "schema-extension": {
    code: "RK208",
    severity: "error",
    message: (p: { path: string }) => `Cannot tell what "${p.path}" is.`,
    advice: "Name it .ridl, or .json for an IR file.",
  },

  // Rules of the language
  "webrpc-version": {
    code: "RK301",
    severity: "error",
    message: (p: { found: string | undefined }) =>
      p.found === undefined ? 'The line "webrpc = v1" is missing.' : `"webrpc = ${p.found}" is not known.`,
    advice: 'Every file, also an imported one, needs "webrpc = v1".',
  },
  "duplicate-header": {
    code: "RK302",
    severity: "error",
    message: (p: { key: string }) => `"${p.key}" is set twice.`,
  },
  "version-required": {
    code: "RK303",
    severity: "error",
    message: (_: Record<string, never>) => "A schema with services needs a version.",
    advice: 'Add a line such as "version = v1.0.0".',
  },
  basepath: {
    code: "RK304",
    severity: "error",
    message: (p: { value: string; reason: string }) => `The basepath "${p.value}" ${p.reason}.`,
    advice: 'Write a plain path, as "basepath = /rpc".',
  },
  "basepath-missing": {
    code: "RK305",
    severity: "warning",
    message: (_: Record<string, never>) => 'The schema has services and no basepath; "/rpc/" is assumed.',
    advice: 'Add the line "basepath = /rpc".',
  },
  "type-name": {
    code: "RK306",
    severity: "error",
    message: (p: { name: string }) =>
      `The type name "${p.name}" must start with an upper case letter A to Z.`,
  },
  "duplicate-type": {
    code: "RK307",
    severity: "error",
    message: (p: { name: string; other: string }) =>
      p.name === p.other
        ? `The type "${p.name}" is declared twice.`
        : `The type "${p.name}" differs from "${p.other}" only in letter case.`,
  },
  "unknown-type": {
    code: "RK308",
    severity: "error",
    message: (p: { name: string }) => `There is no type "${p.name}".`,
  },
  "map-key": {
    code: "RK309",
    severity: "error",
    message: (p: { key: string }) => `"${p.key}" cannot be the key of a map.`,
    advice: "A key is string, an integer type, or an enum.",
  },
  "field-name": {
    code: "RK310",
    severity: "error",
    message: (p: { name: string }) =>
      `The name "${p.name}" must be letters, digits and "_", starting with a letter.`,
  },
  "duplicate-field": {
    code: "RK311",
    severity: "error",
    message: (p: { name: string; other: string; type: string }) =>
      p.name === p.other
        ? `"${p.type}" has two fields "${p.name}".`
        : `The fields "${p.other}" and "${p.name}" of "${p.type}" differ only in letter case.`,
  },
  "json-name": {
    code: "RK312",
    severity: "error",
    message: (p: { value: string }) =>
      `The json name "${p.value}" must be letters, digits and "_", starting with a letter, or "-".`,
    advice: "Options of Go's encoder go into the meta key go.tag.json.",
  },
  "duplicate-json-name": {
    code: "RK313",
    severity: "error",
    message: (p: { name: string; type: string }) =>
      `Two fields of "${p.type}" have the json name "${p.name}".`,
  },
  "enum-base": {
    code: "RK314",
    severity: "error",
    message: (p: { name: string; base: string }) => `The enum "${p.name}" cannot be based on "${p.base}".`,
    advice: "Use string or an integer type, as uint8.",
  },
  "error-name": {
    code: "RK315",
    severity: "error",
    message: (p: { name: string }) =>
      `The error name "${p.name}" must start with an upper case letter A to Z.`,
  },
  "error-name-reserved": {
    code: "RK316",
    severity: "error",
    message: (p: { name: string }) =>
      `The error name "${p.name}" starts with "Webrpc", which is kept for the built-in errors.`,
  },
  "error-code": {
    code: "RK317",
    severity: "error",
    message: (p: { code: string }) =>
      `The error code ${p.code} must be at least 1; 0 and below are built in.`,
  },
  "error-code-clamped": {
    code: "RK318",
    severity: "warning",
    message: (p: { code: string }) => `The error code ${p.code} is too large; webrpc makes it 2147483647.`,
  },
  "error-message": {
    code: "RK319",
    severity: "error",
    message: (p: { name: string }) => `The error "${p.name}" has no message.`,
  },
  "error-status": {
    code: "RK320",
    severity: "error",
    message: (p: { name: string; status: string }) =>
      `The HTTP status ${p.status} of "${p.name}" must lie between 400 and 599.`,
  },
  "duplicate-error-name": {
    code: "RK321",
    severity: "error",
    message: (p: { name: string; other: string }) =>
      p.name === p.other
        ? `The error "${p.name}" is declared twice.`
        : `The error "${p.name}" differs from "${p.other}" only in letter case.`,
  },
  "duplicate-error-code": {
    code: "RK322",
    severity: "error",
    message: (p: { code: number; other: string }) =>
      `The error code ${p.code} is already that of "${p.other}".`,
  },
  "duplicate-service": {
    code: "RK323",
    severity: "error",
    message: (p: { name: string; other: string }) =>
      p.name === p.other
        ? `The service "${p.name}" is declared twice.`
        : `The service "${p.name}" differs from "${p.other}" only in letter case.`,
  },
  "empty-service": {
    code: "RK324",
    severity: "error",
    message: (p: { name: string }) => `The service "${p.name}" has no methods.`,
    advice: 'Add one, as "- Ping()".',
  },
  "duplicate-method": {
    code: "RK325",
    severity: "error",
    message: (p: { name: string; other: string; service: string }) =>
      p.name === p.other
        ? `"${p.service}" has two methods "${p.name}".`
        : `The methods "${p.other}" and "${p.name}" of "${p.service}" differ only in letter case.`,
  },
  "succinct-pair": {
    code: "RK326",
    severity: "error",
    message: (p: { method: string }) => `"${p.method}" is succinct on one side only.`,
    advice:
      "Write (Request) => (Response), both with one struct; a method without an answer gets an empty struct.",
  },
  "succinct-type": {
    code: "RK327",
    severity: "error",
    message: (p: { name: string; kind: string }) =>
      `The succinct form needs a struct, and "${p.name}" is ${p.kind}.`,
  },
  "succinct-alone": {
    code: "RK328",
    severity: "error",
    message: (p: { name: string }) => `The argument "${p.name}" has no type.`,
    advice: 'Write "name: Type", or a single struct alone for the succinct form.',
  },
  "unknown-error": {
    code: "RK329",
    severity: "error",
    message: (p: { name: string; method: string }) =>
      `"${p.method}" lists the error "${p.name}", which no schema file declares.`,
  },
  "duplicate-argument": {
    code: "RK330",
    severity: "warning",
    message: (p: { name: string; method: string }) => `"${p.method}" has two arguments "${p.name}".`,
  },
  "argument-name": {
    code: "RK331",
    severity: "warning",
    message: (p: { name: string }) =>
      `The argument name "${p.name}" should be letters, digits and "_", starting with a letter.`,
  },
  "alias-cycle": {
    code: "RK332",
    severity: "warning",
    message: (p: { path: string }) => `The alias stands for itself: ${p.path}.`,
    advice: "Let one of them stand for a real type.",
  },
  "duplicate-enum-value": {
    code: "RK333",
    severity: "warning",
    message: (p: { value: string; other: string }) => `The value ${p.value} is already that of "${p.other}".`,
    advice: "A value left out is the place in the list, counted from 0, not one more than the value before.",
  },
  "enum-value": {
    code: "RK334",
    severity: "warning",
    message: (p: { value: string; base: string }) => `"${p.value}" is not a value of ${p.base}.`,
  },
  "method-name": {
    code: "RK335",
    severity: "warning",
    message: (p: { name: string }) =>
      `The method name "${p.name}" should be letters, digits and "_", starting with a letter.`,
  },
  "type-name-characters": {
    code: "RK336",
    severity: "warning",
    message: (p: { name: string }) => `The name "${p.name}" should be letters, digits and "_".`,
    advice: "Generators turn it into an identifier.",
  },
  "endless-struct": {
    code: "RK337",
    severity: "warning",
    message: (p: { path: string }) => `No value of this struct can end, since it needs itself: ${p.path}.`,
    advice: 'Make one of the fields optional, as "next?: Node".',
  },
  "unbuilt-stream": {
    code: "RK338",
    severity: "warning",
    message: (p: { method: string }) =>
      `"${p.method}" streams its input, which no webrpc generator carries out.`,
  },
  "unbuilt-proxy": {
    code: "RK339",
    severity: "warning",
    message: (p: { method: string }) =>
      `"proxy ${p.method}" is read as a method without arguments; proxying is not built.`,
  },
  "alias-key-order": {
    code: "RK340",
    severity: "error",
    message: (p: { alias: string; key: string }) =>
      `The alias "${p.alias}" has the key "${p.key}", an alias that is declared further down.`,
    advice: "Move the declaration of the key above this one; webrpc crashes otherwise.",
  },

  // Meta keys
  "misspelt-meta": {
    code: "RK401",
    severity: "warning",
    message: (p: { key: string; meant: string }) =>
      `No tool knows the meta key "${p.key}"; did you mean "${p.meant}"?`,
    advice: "Keys of other tools have a dot in them, as go.tag.db, and pass through.",
  },
  "meta-value": {
    code: "RK402",
    severity: "warning",
    message: (p: { key: string; value: string; wanted: string }) =>
      `"${p.key}" takes ${p.wanted}, found "${p.value}".`,
  },
  "meta-place": {
    code: "RK403",
    severity: "warning",
    message: (p: { key: string; type: string; wanted: string }) =>
      `"${p.key}" says nothing of ${p.type}; it is for ${p.wanted}.`,
  },
  "repeated-meta": {
    code: "RK404",
    severity: "warning",
    message: (p: { key: string }) => `"${p.key}" is given twice; the last one counts.`,
  },
  "contrary-meta": {
    code: "RK405",
    severity: "warning",
    message: (p: { low: string; high: string }) => `"${p.low}" is above "${p.high}": no value fits.`,
  },
  "wire-name-clash": {
    code: "RK406",
    severity: "warning",
    message: (p: { name: string; type: string }) => `"${p.name}" already names another field of "${p.type}".`,
  },
  "non-ascii-value": {
    code: "RK407",
    severity: "warning",
    message: (_: Record<string, never>) =>
      "webrpc garbles characters outside of ASCII in values, so its schema hash differs from ours.",
    advice: "Use ASCII here, or --hash-parity to write what webrpc writes.",
  },

  // IR JSON
  "json-syntax": {
    code: "RK501",
    severity: "error",
    message: (p: { reason: string }) => `The file is not JSON: ${p.reason}.`,
  },
  "ir-shape": {
    code: "RK502",
    severity: "error",
    message: (p: { path: string; expected: string; found: string }) =>
      `${p.path} must be ${p.expected}, found ${p.found}.`,
  },
  "ir-type-kind": {
    code: "RK503",
    severity: "error",
    message: (p: { kind: string }) => `The kind "${p.kind}" is not one of enum, struct and alias.`,
  },
  "ir-missing": {
    code: "RK504",
    severity: "error",
    message: (p: { what: string; of: string }) => `${p.of} has no ${p.what}.`,
  },
  "ir-unwanted": {
    code: "RK505",
    severity: "error",
    message: (p: { what: string; of: string }) => `${p.of} cannot have a ${p.what}.`,
  },
  "ir-succinct": {
    code: "RK506",
    severity: "error",
    message: (p: { method: string }) => `"${p.method}" is succinct and has more than one argument.`,
  },
  "too-many": {
    code: "RK901",
    severity: "error",
    message: (p: { hidden: number }) => `${p.hidden} more faults are not shown.`,
    advice: "Mend the first ones and run again.",
  },

  // Configuration
  "config-syntax": {
    code: "RK801",
    severity: "error",
    message: (p: { format: string; reason: string }) => `The configuration is not ${p.format}: ${p.reason}.`,
  },
  "config-key": {
    code: "RK802",
    severity: "error",
    message: (p: { path: string }) => `There is no setting "${p.path}".`,
  },
  "config-value": {
    code: "RK803",
    severity: "error",
    message: (p: { path: string; wanted: string; found: string }) =>
      `${p.path} must be ${p.wanted}, found ${p.found}.`,
  },
  "config-missing": {
    code: "RK804",
    severity: "error",
    message: (p: { path: string; wanted: string }) => `${p.path} is missing; it must be ${p.wanted}.`,
  },
  "config-exclusive": {
    code: "RK805",
    severity: "error",
    message: (p: { path: string }) => `${p.path} has both "match" and "ignore".`,
    advice: "Keep one of them: they exclude each other.",
  },
  "config-same-name": {
    code: "RK806",
    severity: "error",
    message: (p: { name: string }) => `Two schemas are called "${p.name}".`,
    advice: 'Give each a "name" of its own; without one it is the file name of the entry.',
  },
  "config-repeated-key": {
    code: "RK807",
    severity: "error",
    message: (p: { path: string }) => `The setting "${p.path}" is given twice.`,
    advice: "Keep one of them.",
  },
  "config-script": {
    code: "RK808",
    severity: "error",
    message: (p: { path: string; reason: string }) => `"${p.path}" cannot be run: ${p.reason}`,
  },
  "config-rivals": {
    code: "RK809",
    severity: "error",
    message: (p: { paths: string }) => `More than one file configures ridlkit: ${p.paths}.`,
    advice: "Keep one of them, or choose one with --config.",
  },
  "config-extension": {
    code: "RK810",
    severity: "error",
    message: (p: { path: string }) => `Cannot tell what "${p.path}" is.`,
    advice: "A configuration ends in .ts, .js, .mjs, .json, .yaml or .yml, or is a package.json.",
  },
} as const satisfies Readonly<Record<string, CatalogEntry>>;

export interface CatalogEntry {
  readonly code: `RK${number}`;
  readonly severity: "error" | "warning";
  // Each entry states its own parameters; they meet again in `ParametersOf`.
  readonly message: (parameters: never) => string;
  readonly advice?: string;
}

export type CatalogName = keyof typeof catalog;
export type ParametersOf<Name extends CatalogName> = Parameters<(typeof catalog)[Name]["message"]>[0];
