import { type Examples, headerLines } from "./entry.ts";

const quota: readonly string[] = [
  "webrpc = v1",
  "",
  'error 1 Quota "quota exceeded" HTTP 429',
  "struct Usage",
  "  - limit: uint32",
  "type QuotaData: Usage",
  "  + errorData = Quota",
];

/** A struct with fields that depend on a kind. */
function conditional(...fields: readonly string[]): readonly string[] {
  return [
    "enum PaymentKind: string",
    "  - card",
    "  - cash",
    "struct Payment",
    "  - kind: PaymentKind",
    ...fields,
  ];
}

/** Meta keys of fields and aliases: RK400 to RK499. */
export const meta = {
  "unknown-meta": {
    code: "RK401",
    severity: "warning",
    message: 'The meta key "{key}" is unknown, so it has no effect.',
    rule: "A meta key is one that ridlkit knows, or starts with the name of another tool and a dot.",
    reason:
      "An unknown key has no effect, so a typo, or the word of another library, would silently disable a check. Keys with a dot, such as go.tag.db, are for other tools.",
    examples: (): Examples => ({
      bad: ["struct User", "  - name: string", "    + max = 40"],
      good: ["struct User", "  - name: string", "    + maxLength = 40"],
    }),
  },
  "meta-value": {
    code: "RK402",
    severity: "error",
    referenceAccepts: true,
    message: '"{key}" takes {wanted}, found "{value}".',
    rule: "A meta key has a value of the expected kind.",
    reason: "A limit that is not a number, or an invalid pattern, checks nothing.",
    examples: (): Examples => ({
      bad: ["struct User", "  - age: uint8", "    + maximum = old"],
      good: ["struct User", "  - age: uint8", "    + maximum = 150"],
    }),
  },
  "meta-place": {
    code: "RK403",
    severity: "error",
    referenceAccepts: true,
    message: '"{key}" has no effect on {type}; it applies to {wanted}.',
    rule: "A meta key belongs to a type that it applies to.",
    reason: "For example, a pattern on a number checks nothing.",
    examples: (): Examples => ({
      bad: ["struct User", "  - age: uint8", '    + pattern = "[0-9]+"'],
      good: ["struct User", "  - age: string", '    + pattern = "[0-9]+"'],
    }),
  },
  "enum-value-meta": {
    code: "RK415",
    severity: "warning",
    message: '"{key}" has no effect on a value of an enum.',
    advice: 'Remove the line. Of ridlkit\'s keys, values of enums have only "json".',
    rule: 'Of the keys that ridlkit reads, only "json" is below a value of an enum.',
    reason: "webrpc stores any key there. Keys with a dot, such as go.tag.db, are for other tools.",
    examples: (): Examples => ({
      bad: ["enum Kind: uint8", "  - User", "    + deprecated = gone"],
      good: ["enum Kind: uint8", "  - User", "    + json = USER"],
    }),
  },
  "repeated-meta": {
    code: "RK404",
    severity: "warning",
    message: '"{key}" is given twice, and only the last one counts.',
    rule: "A meta key appears once, unless it allows several values.",
    reason: "The last one counts, so the first one is misleading.",
    examples: (): Examples => ({
      bad: ["struct User", "  - age: uint8", "    + maximum = 150", "    + maximum = 130"],
      good: ["struct User", "  - age: uint8", "    + maximum = 130"],
    }),
  },
  "contrary-meta": {
    code: "RK405",
    severity: "error",
    referenceAccepts: true,
    message: "{low} is above {high}, so no value is valid.",
    rule: "The lower limit is not above the upper limit, and both leave values of the type.",
    reason: "No value would be valid, so every request would be rejected.",
    examples: (): Examples => ({
      bad: ["struct User", "  - age: uint8", "    + minimum = 150", "    + maximum = 18"],
      good: ["struct User", "  - age: uint8", "    + minimum = 18", "    + maximum = 150"],
    }),
  },
  "wire-name-clash": {
    code: "RK406",
    severity: "error",
    referenceAccepts: true,
    message: '"{name}" is already the name of another field of "{type}".',
    rule: "Every name on the wire belongs to one field of a struct.",
    reason: "Otherwise, a value under this name could belong to either field.",
    examples: (): Examples => ({
      bad: ["struct User", "  - id: uint64", "  - nick: string", "    + alias = id"],
      good: ["struct User", "  - id: uint64", "  - nick: string", "    + alias = nickname"],
    }),
  },
  "non-ascii-value": {
    code: "RK407",
    severity: "warning",
    message:
      "webrpc garbles non-ASCII characters in values, so its schema hash differs from that of ridlkit.",
    advice: "Use ASCII here, or add --hash-parity to write what webrpc writes.",
    rule: "Values are ASCII if the schema hash has to match webrpc's.",
    reason:
      "webrpc treats each UTF-8 byte as a character, which garbles these values in its IR and its hash.",
    examples: (): Examples => ({
      bad: ['error 1 Closed "geschlossen für heute"'],
      good: ['error 1 Closed "closed for today"'],
    }),
  },
  "unknown-format": {
    code: "RK409",
    severity: "warning",
    message: '"{format}" is not a known format, so tools ignore it.',
    advice: 'Check the value with "pattern". A format of your own starts with "x-" or contains a dot.',
    rule: "A format is one of JSON Schema or OpenAPI, or is marked as your own.",
    reason:
      "Tools ignore unknown formats. Generated documents contain the format. Servers check date, date-time, time, duration, decimal, uuid, email, hostname, ipv4, ipv6 and uri.",
    examples: (): Examples => ({
      bad: ["struct User", "  - mail: string", "    + format = e-mail"],
      good: ["struct User", "  - mail: string", "    + format = email"],
    }),
  },
  "alias-json": {
    code: "RK410",
    severity: "warning",
    message: '"json" has no effect on a type alias, because names on the wire belong to fields.',
    advice: "Move the line below each field of this type.",
    rule: "A name for JSON is given to a field, not to its type.",
    reason: "Fields of one type have different names. webrpc accepts the line and ignores it.",
    examples: (): Examples => ({
      bad: ["type Email: string", "  + json = e_mail", "struct User", "  - email: Email"],
      good: ["type Email: string", "struct User", "  - email: Email", "    + json = e_mail"],
    }),
  },
  "error-data-unknown": {
    code: "RK413",
    severity: "error",
    referenceAccepts: true,
    message: 'There is no error "{name}".',
    advice: "Declare it, or import it.",
    rule: "The meta key errorData names an error that is visible in the file.",
    reason: "The alias is the type of the data that this error carries.",
    examples: (): Examples => ({
      bad: ["struct Usage", "  - limit: uint32", "type QuotaData: Usage", "  + errorData = Quota"],
      good: [
        "struct Usage",
        "  - limit: uint32",
        "type QuotaData: Usage",
        "  + errorData = Quota",
        'error 1 Quota "quota exceeded" HTTP 429',
      ],
    }),
  },
  "error-data-taken": {
    code: "RK414",
    severity: "error",
    referenceAccepts: true,
    message: 'The data of the error "{name}" already has the type "{other}".',
    rule: "At most one alias is the type of an error's data.",
    reason: "Callers read the data of an error as one type.",
    examples: (): Examples => ({
      bad: [
        "struct Usage",
        "  - limit: uint32",
        "type QuotaData: Usage",
        "  + errorData = Quota",
        "type MoreData: Usage",
        "  + errorData = Quota",
        'error 1 Quota "quota exceeded" HTTP 429',
      ],
      good: [
        "struct Usage",
        "  - limit: uint32",
        "type QuotaData: Usage",
        "  + errorData = Quota",
        'error 1 Quota "quota exceeded" HTTP 429',
      ],
    }),
  },
  "error-data-import": {
    code: "RK420",
    severity: "warning",
    message: 'The error "{error}" comes without its data: the import lacks {types}.',
    advice: "Add the types of its data to the imported members.",
    rule: "An import that names an error names the types of its data, too.",
    reason: "The alias with errorData describes the data. Without it, servers send the error alone.",
    examples: (): Examples => ({
      bad: {
        files: {
          "api.ridl": [...headerLines, "import quota.ridl", "  - Quota"],
          "quota.ridl": quota,
        },
      },
      good: {
        files: {
          "api.ridl": [...headerLines, "import quota.ridl", "  - Quota", "  - QuotaData", "  - Usage"],
          "quota.ridl": quota,
        },
      },
    }),
  },
  "group-member": {
    code: "RK411",
    severity: "error",
    referenceAccepts: true,
    message: '"{name}" cannot be in a group (oneOf), because {fault}.',
    rule: "A field of a group is optional and has no default.",
    reason: "One field of the group is set, and all others are absent.",
    examples: (): Examples => ({
      bad: [
        ...["struct Payment", "  - iban: string", "    + oneOf = method"],
        ...["  - card?: string", "    + oneOf = method"],
      ],
      good: [
        ...["struct Payment", "  - iban?: string", "    + oneOf = method"],
        ...["  - card?: string", "    + oneOf = method"],
      ],
    }),
  },
  "group-of-one": {
    code: "RK412",
    severity: "error",
    referenceAccepts: true,
    message: 'The group "{group}" has only one field.',
    advice: "Add another field to the group, or make this field required.",
    rule: "A group has at least two fields.",
    reason: "Exactly one field of a group is set, so the only field would always be set.",
    examples: (): Examples => ({
      bad: [
        ...["struct Payment", "  - iban?: string", "    + oneOf = method"],
        ...["  - card?: string", "    + oneOf = methods"],
      ],
      good: [
        ...["struct Payment", "  - iban?: string", "    + oneOf = method"],
        ...["  - card?: string", "    + oneOf = method"],
      ],
    }),
  },
  "conditional-field": {
    code: "RK416",
    severity: "error",
    referenceAccepts: true,
    message: '"{name}" cannot depend on a kind (when), because {fault}.',
    rule: "A field that depends on a kind is optional and has no default.",
    reason:
      "For other kinds, the field is absent. Other webrpc generators see an optional field. Servers require it for its kinds.",
    examples: (): Examples => ({
      bad: conditional("  - number: string", "    + when = kind.card"),
      good: conditional("  - number?: string", "    + when = kind.card"),
    }),
  },
  "condition-value": {
    code: "RK417",
    severity: "error",
    referenceAccepts: true,
    message: 'No field can depend on "{condition}": {fault}.',
    rule: "A condition (when) names a required enum field of the struct, and one of its values. All conditions of a struct name the same field.",
    reason: "The value of that field tells which other fields are set.",
    examples: (): Examples => ({
      bad: conditional("  - number?: string", "    + when = kind.crad"),
      good: conditional("  - number?: string", "    + when = kind.card"),
    }),
  },
  "derived-field": {
    code: "RK418",
    severity: "error",
    referenceAccepts: true,
    message: '"{struct}" has no field "{name}".',
    rule: "The meta keys omit and pick name fields of the struct.",
    reason: "With a misspelled name, a request could set a field that it must not have.",
    examples: (): Examples => ({
      bad: ["struct User", "  - id: uint64", "  - name: string", "type NewUser: User", "  + omit = idd"],
      good: ["struct User", "  - id: uint64", "  - name: string", "type NewUser: User", "  + omit = id"],
    }),
  },
  "derived-struct": {
    code: "RK419",
    severity: "error",
    referenceAccepts: true,
    message: '"{name}" cannot be derived: {fault}.',
    rule: "A derived struct has fields of its struct, and no part of a group.",
    reason: "Callers and servers need a struct with a clear meaning.",
    examples: (): Examples => ({
      bad: ["struct User", "  - name: string", "type NewUser: User", "  + omit = name"],
      good: ["struct User", "  - id: uint64", "  - name: string", "type NewUser: User", "  + omit = id"],
    }),
  },
  "schema-value": {
    code: "RK408",
    severity: "warning",
    message: "{subject} must be {wanted}, found {value}.",
    rule: "A default or an example is a valid value: it has the type and keeps all rules.",
    reason:
      "A default replaces an omitted field, and mock servers respond with examples. A value that the field cannot have has no effect.",
    examples: (): Examples => ({
      bad: ["struct User", "  - age: uint8", "    + maximum = 150", "    + default = 200"],
      good: ["struct User", "  - age: uint8", "    + maximum = 150", "    + default = 30"],
    }),
  },
} as const;
