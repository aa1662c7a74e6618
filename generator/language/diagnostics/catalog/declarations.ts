/** Header lines, types, fields and enum values; together with `services` RK300 to RK399. */
export const declarations = {
  "webrpc-version": {
    code: "RK301",
    severity: "error",
    message: '"webrpc = {found}" is not supported.',
    advice: 'Write "webrpc = v1", the only version.',
    inYaml: {
      message: '"webrpc: {found}" is not supported.',
      advice: 'Write "webrpc: v1", the only version.',
    },
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
    inYaml: { advice: 'Add a line such as "version: v1.0.0".' },
  },
  basepath: {
    code: "RK304",
    severity: "error",
    message: 'The basepath "{value}" {reason}.',
    advice: 'Write a plain path, such as "basepath = /rpc".',
    inYaml: { advice: 'Write a plain path, such as "basepath: /rpc".' },
  },
  "basepath-missing": {
    code: "RK305",
    severity: "warning",
    message: 'The schema has services but no basepath, so "/rpc/" is assumed.',
    advice: 'Add the line "basepath = /rpc".',
    inYaml: { advice: 'Add the line "basepath: /rpc".' },
  },
  "type-name": {
    code: "RK306",
    severity: "error",
    message: 'The type name "{name}" must start with an uppercase letter (A to Z).',
  },
  "duplicate-type": {
    code: "RK307",
    severity: "error",
    message: 'The type "{name}" is declared twice.',
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
    advice: "Use string, an integer type or an enum.",
  },
  "field-name": {
    code: "RK310",
    severity: "error",
    message: 'The name "{name}" must consist of letters, digits and "_", and start with a letter.',
  },
  "duplicate-field": {
    code: "RK311",
    severity: "error",
    message: '"{type}" has two {kind} named "{name}".',
  },
  "json-name": {
    code: "RK312",
    severity: "error",
    message:
      'The JSON name "{value}" must be "-", or consist of letters, digits and "_" and start with a letter.',
    advice: "Put options of Go's JSON encoder into the meta key go.tag.json.",
  },
  "duplicate-json-name": {
    code: "RK313",
    severity: "error",
    message: 'Two {kind} of "{type}" have the JSON name "{name}".',
  },
  "enum-base": {
    code: "RK314",
    severity: "error",
    message: 'The enum "{name}" cannot be based on "{base}".',
    advice: "Use string or an integer type, such as uint8.",
  },
  "alias-cycle": {
    code: "RK332",
    severity: "warning",
    message: "The alias refers to itself: {path}.",
    advice: "Point one of these aliases to a type that is not an alias.",
  },
  "duplicate-enum-value": {
    code: "RK333",
    severity: "warning",
    message: 'The value {value} is already used by "{other}".',
    advice:
      "A value without a number gets its position in the list, counted from 0, not the previous number plus one.",
  },
  "enum-value": {
    code: "RK334",
    severity: "warning",
    message: '"{value}" is not a valid {base} value.',
  },
  "type-name-characters": {
    code: "RK336",
    severity: "warning",
    message: 'The name "{name}" should consist of letters, digits and "_".',
    advice: "Generators turn it into an identifier.",
  },
  "endless-struct": {
    code: "RK337",
    severity: "warning",
    message: "No value of this struct is finite, because the struct requires itself: {path}.",
    advice: 'Make one of the fields optional, such as "next?: Node".',
  },
  "alias-key-order": {
    code: "RK340",
    severity: "error",
    message: 'The alias "{alias}" has the map key "{key}", an alias that is declared below it.',
    advice: "Move the declaration of the key above this alias; otherwise, webrpc crashes.",
  },
  "type-case": {
    code: "RK341",
    severity: "error",
    message: 'The type "{name}" differs from "{other}" only in letter case.',
  },
  "field-case": {
    code: "RK342",
    severity: "error",
    message: 'The {kind} "{other}" and "{name}" of "{type}" differ only in letter case.',
  },
  "enum-json-on-text": {
    code: "RK351",
    severity: "error",
    message: '"{value}" cannot have a JSON name, because the values of "{name}" are already text.',
    advice: 'Write the text as the value, such as "- dog = hund".',
    inYaml: { advice: "Write the text as the value, such as dog: hund." },
  },
  "enum-json-empty": {
    code: "RK352",
    severity: "error",
    message: 'The JSON name of "{value}" is empty.',
    advice: "Write a name, or remove the key.",
  },
  "webrpc-missing": {
    code: "RK346",
    severity: "error",
    message: 'The line "webrpc = v1" is missing.',
    advice: 'Every file needs "webrpc = v1", including imported files.',
    inYaml: {
      message: 'The line "webrpc: v1" is missing.',
      advice: 'Every file needs "webrpc: v1", including imported files.',
    },
  },
} as const;
