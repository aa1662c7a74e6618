/** Header lines, types, fields and enum values; with `services` RK300 to RK399. */
export const declarations = {
  "webrpc-version": {
    code: "RK301",
    severity: "error",
    message: '"webrpc = {found}" is not known.',
    advice: 'Write "webrpc = v1", the only version there is.',
    inYaml: {
      message: '"webrpc: {found}" is not known.',
      advice: 'Write "webrpc: v1", the only version there is.',
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
    advice: 'Write a plain path, as "basepath = /rpc".',
    inYaml: { advice: 'Write a plain path, as "basepath: /rpc".' },
  },
  "basepath-missing": {
    code: "RK305",
    severity: "warning",
    message: 'The schema has services and no basepath; "/rpc/" is assumed.',
    advice: 'Add the line "basepath = /rpc".',
    inYaml: { advice: 'Add the line "basepath: /rpc".' },
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
    message: '"{type}" has two {kind} "{name}".',
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
  "alias-key-order": {
    code: "RK340",
    severity: "error",
    message: 'The alias "{alias}" has the key "{key}", an alias that is declared further down.',
    advice: "Move the declaration of the key above this one; webrpc crashes otherwise.",
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
  "webrpc-missing": {
    code: "RK346",
    severity: "error",
    message: 'The line "webrpc = v1" is missing.',
    advice: 'Every file, also an imported one, needs "webrpc = v1".',
    inYaml: {
      message: 'The line "webrpc: v1" is missing.',
      advice: 'Every file, also an imported one, needs "webrpc: v1".',
    },
  },
} as const;
