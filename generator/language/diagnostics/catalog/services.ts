/** Errors, services and methods; together with `declarations` RK300 to RK399. */
export const services = {
  "error-name": {
    code: "RK315",
    severity: "error",
    message: 'The error name "{name}" must start with an uppercase letter (A to Z).',
  },
  "error-name-reserved": {
    code: "RK316",
    severity: "error",
    message: 'The error name "{name}" starts with "Webrpc", which is reserved for the built-in errors.',
  },
  "error-code": {
    code: "RK317",
    severity: "error",
    message: "The error code {code} must be at least 1; codes up to 0 are reserved for the built-in errors.",
  },
  "error-code-clamped": {
    code: "RK318",
    severity: "warning",
    message: "The error code {code} is too large, so webrpc changes it to 2147483647.",
  },
  "error-message": {
    code: "RK319",
    severity: "error",
    message: 'The error "{name}" has no message.',
  },
  "error-status": {
    code: "RK320",
    severity: "error",
    message: 'The HTTP status {status} of "{name}" must be between 400 and 599.',
  },
  "duplicate-error-name": {
    code: "RK321",
    severity: "error",
    message: 'The error "{name}" is declared twice.',
  },
  "duplicate-error-code": {
    code: "RK322",
    severity: "error",
    message: 'The error code {code} is already used by "{other}".',
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
    advice: 'Add one, such as "- Ping()".',
    inYaml: { advice: 'Add one, such as "methods: { Ping: }".' },
  },
  "duplicate-method": {
    code: "RK325",
    severity: "error",
    message: '"{service}" has two methods named "{name}".',
  },
  "succinct-pair": {
    code: "RK326",
    severity: "error",
    message: '"{method}" uses the succinct form on one side only.',
    advice:
      "Write (Request) => (Response), each with one struct; use an empty struct for a method that returns nothing.",
    inYaml: {
      advice: "Give input and output one struct each; use an empty struct for a method that returns nothing.",
    },
  },
  "succinct-type": {
    code: "RK327",
    severity: "error",
    message: 'The succinct form needs a struct, but "{name}" is {kind}.',
  },
  "succinct-alone": {
    code: "RK328",
    severity: "error",
    message: 'The argument "{name}" has no type.',
    advice: 'Write "name: Type", or use a single struct for the succinct form.',
  },
  "unknown-error": {
    code: "RK329",
    severity: "error",
    message: '"{method}" lists the error "{name}", which no schema file declares.',
  },
  "duplicate-argument": {
    code: "RK330",
    severity: "warning",
    message: '"{method}" has two arguments named "{name}".',
  },
  "argument-name": {
    code: "RK331",
    severity: "warning",
    message: 'The argument name "{name}" should consist of letters, digits and "_", and start with a letter.',
  },
  "method-name": {
    code: "RK335",
    severity: "warning",
    message: 'The method name "{name}" should consist of letters, digits and "_", and start with a letter.',
  },
  "unbuilt-stream": {
    code: "RK338",
    severity: "warning",
    message: '"{method}" streams its request, which no webrpc generator supports.',
  },
  "unbuilt-proxy": {
    code: "RK339",
    severity: "warning",
    message: '"proxy {method}" is read as a method without arguments, because proxying is not implemented.',
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
  "file-place": {
    code: "RK347",
    severity: "error",
    message: "A file is not a JSON value, so it cannot be {place}.",
    advice:
      "Make it an argument of the method or a field of its request, as file or []file, or the whole response, as (name: file).",
  },
  "file-named-json": {
    code: "RK348",
    severity: "error",
    message: 'A file cannot be called "json".',
    advice: 'Give it another name: the other arguments are sent in the form part "json".',
  },
  "file-struct-place": {
    code: "RK353",
    severity: "error",
    message: 'The struct "{name}" has a file, so it cannot be {place}.',
    advice: "Use it as the request of a method or as an argument, or take the file out of the struct.",
  },
  "file-name-clash": {
    code: "RK354",
    severity: "error",
    message: 'Two files of the method have the name "{name}".',
    advice: "Rename one: files of structs are sent under the names of their fields.",
  },
  "file-never-absent": {
    code: "RK355",
    severity: "warning",
    message: 'The response "{name}" is always a file, so "?" has no effect.',
    advice: 'Remove the "?", and return an error if there is no file.',
  },
  "route-verb": {
    code: "RK356",
    severity: "error",
    message: '"{verb}" is not the verb of a route.',
    advice: "The verbs are GET, POST, PUT, PATCH, DELETE and QUERY, in upper case.",
  },
  "route-of-stream": {
    code: "RK357",
    severity: "error",
    message: '"{method}" streams, so it cannot have a route.',
    advice: "Remove the route: streams are called by POST on their default path.",
  },
  "route-of-file": {
    code: "RK358",
    severity: "error",
    message: '"{method}" transfers a file, so it cannot have a route.',
    advice: "Remove the route: methods with files are called by POST on their default path.",
  },
  "route-path": {
    code: "RK359",
    severity: "error",
    message: "{what} {reason}.",
  },
  "route-parameter-twice": {
    code: "RK360",
    severity: "error",
    message: 'The route of "{method}" has the parameter "{name}" twice.',
  },
  "route-parameter-unknown": {
    code: "RK361",
    severity: "error",
    message: 'The route of "{method}" has the parameter "{name}", but the request has no such field.',
    advice: "A parameter has the name of an argument, or the JSON name of a field.",
  },
  "route-parameter-optional": {
    code: "RK362",
    severity: "error",
    message: 'The field "{name}" of "{method}" is optional, so it cannot be in the path.',
    advice: "Make it required, or leave it out of the path.",
  },
  "route-parameter-type": {
    code: "RK363",
    severity: "error",
    message: 'The field "{name}" of "{method}" is of type {type}, which a path cannot hold.',
    advice: "A path holds bool, numbers, string, timestamp and enums.",
  },
  "route-query-type": {
    code: "RK364",
    severity: "error",
    message: 'The field "{name}" of "{method}" is of type {type}, which the query of {verb} cannot hold.',
    advice:
      "A query holds bool, numbers, string, timestamp, enums and lists of these. POST, PUT and PATCH have a body.",
  },
  "route-of-two-services": {
    code: "RK365",
    severity: "error",
    message: '"{route}" overlaps "{other}" of {owner}, which is in another service.',
    advice: "Give each service its own path.",
  },
  "route-twice": {
    code: "RK366",
    severity: "error",
    message: '"{route}" has the same verb and path as "{other}" of {owner}.',
  },
  "route-ambiguous": {
    code: "RK367",
    severity: "error",
    message:
      '"{route}" and "{other}" of {owner} are ambiguous: a request can match both, and neither is more specific.',
    advice: "Change a fixed segment, so that no request matches both.",
  },
  "route-default-path": {
    code: "RK368",
    severity: "error",
    message: '"{route}" can match "{path}", the default path of a method.',
    advice: 'Start the route with a fixed segment, such as "/pets/{id}".',
  },
  "route-dots": {
    code: "RK374",
    severity: "warning",
    message: '{what} has the segment "{segment}", which clients remove from URLs.',
    advice: "Remove the segment or rename it. No call could reach a method on such a path.",
  },
  "cache-not-read": {
    code: "RK370",
    severity: "error",
    message: '"{method}" has "@cache", but is not a read.',
    advice: "Add @readonly or a GET or QUERY route, or remove @cache. Streams and uploads are not cached.",
    inYaml: {
      advice: "Add readonly or a GET or QUERY route, or remove cache. Streams and uploads are not cached.",
    },
  },
  "cache-duration": {
    code: "RK371",
    severity: "error",
    message: '"@cache" of "{method}" needs a duration up to 365d at its start, found {found}.',
    advice:
      'Start with whole seconds, minutes, hours or days: @cache:"60s". With "0s", caches ask each time.',
    inYaml: {
      advice:
        'Start with whole seconds, minutes, hours or days: cache: "60s". With "0s", caches ask each time.',
    },
  },
  "cache-word": {
    code: "RK372",
    severity: "error",
    message: '"@cache" of "{method}" contains {found}, {reason}.',
    advice:
      'After the duration and a comma, write "public" or "private", and "vary X-Header" for each header.',
  },
  "cache-shared": {
    code: "RK373",
    severity: "error",
    message: 'Shared caches could answer callers of "{method}" with the response of another caller.',
    advice:
      'The method has @auth: add ", vary X-Access-Key" with the header of the credential, or ", private".',
  },
  "idempotency-key-unused": {
    code: "RK375",
    severity: "warning",
    message: '"@idempotencyKey" of "{method}" has no effect: {reason}.',
    advice: "Remove @idempotencyKey.",
    inYaml: { advice: "Remove idempotencyKey." },
  },
  "paging-ignored": {
    code: "RK376",
    severity: "warning",
    message: 'Clients cannot page through "{method}": {reason}.',
  },
  "resume-ignored": {
    code: "RK377",
    severity: "warning",
    message: 'Clients cannot resume "{method}": {reason}.',
  },
  "deprecation-date": {
    code: "RK378",
    severity: "warning",
    message: '"@{annotation}" of "{method}" is not sent to callers: {reason}.',
    advice: "Write a date such as 2027-01-31. The sunset is on the day of the deprecation, or later.",
  },
  "no-errors-value": {
    code: "RK349",
    severity: "warning",
    message: '"@noErrors" of "{method}" is ignored, because it has a value.',
    advice: "Write @noErrors without a value.",
    inYaml: { advice: "Write noErrors without a value." },
  },
  "no-errors-and-list": {
    code: "RK350",
    severity: "warning",
    message: '"{method}" lists errors, so its "@noErrors" is ignored.',
    advice: "Remove the annotation or the list.",
  },
} as const;
