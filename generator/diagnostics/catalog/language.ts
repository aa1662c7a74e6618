/** Laws that hold whatever the front end: RK300 to RK399. What webrpc refuses is an error, what it lets pass a warning. */
export const language = {
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
  "type-case": {
    code: "RK341",
    severity: "error",
    message: 'The type "{name}" differs from "{other}" only in letter case.',
  },
  "field-case": {
    code: "RK342",
    severity: "error",
    message: 'The fields "{other}" and "{name}" of "{type}" differ only in letter case.',
  },
  "error-case": {
    code: "RK343",
    severity: "error",
    message: 'The error "{name}" differs from "{other}" only in letter case.',
  },
  "service-case": {
    code: "RK344",
    severity: "error",
    message: 'The service "{name}" differs from "{other}" only in letter case.',
  },
  "method-case": {
    code: "RK345",
    severity: "error",
    message: 'The methods "{other}" and "{name}" of "{service}" differ only in letter case.',
  },
  "webrpc-missing": {
    code: "RK346",
    severity: "error",
    message: 'The line "webrpc = v1" is missing.',
    advice: 'Every file, also an imported one, needs "webrpc = v1".',
  },
} as const;
