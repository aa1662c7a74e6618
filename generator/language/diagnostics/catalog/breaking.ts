/**
 * Breaking changes between two versions of a schema: RK740 to RK789. Clients have one version and the server has the other, so the
 * messages are true whichever side is deployed first.
 */
export const breaking = {
  "basepath-changed": {
    code: "RK740",
    severity: "error",
    message: 'Clients call "{callers}", but the server listens at "{server}".',
  },
  "service-removed": {
    code: "RK741",
    severity: "error",
    message: 'Clients call the service "{name}", which {how}.',
    advice: "Keep it until no client calls it.",
  },
  "method-removed": {
    code: "RK742",
    severity: "error",
    message: 'Clients call "{name}", which {how}.',
    advice: "Keep it until no client calls it.",
  },
  "credentials-required": {
    code: "RK743",
    severity: "error",
    message: '"{name}" requires the credentials {wanted}, which clients do not send.',
  },
  "response-kind-changed": {
    code: "RK744",
    severity: "error",
    message: 'Clients of "{name}" expect {callers}, but the server returns {server}.',
    advice: "Add a new method instead.",
  },
  "request-kind-changed": {
    code: "RK745",
    severity: "error",
    message: 'Clients send the request of "{name}" {callers}, but the server reads it {server}.',
    advice: "Add a new method instead.",
  },
  "repeat-unsafe": {
    code: "RK746",
    severity: "warning",
    message: 'Clients may retry "{name}", but the server no longer declares that repeating it is safe.',
  },
  "route-changed": {
    code: "RK747",
    severity: "error",
    message: 'Clients call "{name}" by "{callers}", but the server has it at "{server}".',
    advice: "Add a new method instead.",
  },
  "route-taken": {
    code: "RK748",
    severity: "error",
    message: 'Some calls of "{name}" reach "{other}", because "{route}" fits their path better.',
    advice: "Choose a route that no call of the old one matches.",
  },
  "read-removed": {
    code: "RK749",
    severity: "warning",
    message: '"{name}" is no longer called by GET and QUERY, but clients may do so.',
    advice: 'Keep "@cache". With @cache:"0s", caches ask the server each time.',
  },
  "request-field-required": {
    code: "RK750",
    severity: "error",
    message: '"{name}" is required, but clients {how}.',
    advice: "Make it optional, or give it a default.",
  },
  "request-field-ignored": {
    code: "RK751",
    severity: "warning",
    message: 'Clients may send "{name}", but the server ignores it.',
  },
  "request-value-rejected": {
    code: "RK752",
    severity: "error",
    message: 'Clients send "{name}" as {callers}, but the server expects {server}.',
  },
  "request-enum-value-rejected": {
    code: "RK753",
    severity: "error",
    message: 'Clients may send the value "{value}" of "{name}", but the server rejects it.',
  },
  "request-bound-tightened": {
    code: "RK754",
    severity: "error",
    message: 'Clients send "{name}" with {callers}, but the server requires {server}.',
  },
  "request-pattern-tightened": {
    code: "RK755",
    severity: "error",
    message: 'Clients may send {sample} as "{name}", but the pattern of the server rejects it.',
  },
  "request-form-rejected": {
    code: "RK757",
    severity: "error",
    message: 'Clients may send "{name}" {form}, but the server does not accept that.',
  },
  "default-changed": {
    code: "RK758",
    severity: "warning",
    message: 'If clients omit "{name}", they expect {callers}, but the server uses {server}.',
  },
  "enum-number-changed": {
    code: "RK759",
    severity: "error",
    message: 'The number {number} of "{name}" means "{callers}" to clients, but "{server}" to the server.',
    advice: "Write the numbers out, and give new values new numbers.",
  },
  "normalize-changed": {
    code: "RK760",
    severity: "warning",
    message: 'For "{name}", clients expect {callers}, but the server uses {server}.',
  },
  "request-files-changed": {
    code: "RK761",
    severity: "error",
    message: 'For "{name}", clients {callers}, but the server {server}.',
  },
  "response-field-missing": {
    code: "RK765",
    severity: "error",
    message: 'Clients expect "{name}" in the response, but the server {how}.',
  },
  "response-value-unexpected": {
    code: "RK766",
    severity: "error",
    message: 'Clients expect {callers} as "{name}", but the server returns {server}.',
  },
  "response-enum-value-unknown": {
    code: "RK767",
    severity: "warning",
    message: 'The server may return the value "{value}" of "{name}", which clients do not know.',
  },
  "response-bound-loosened": {
    code: "RK768",
    severity: "warning",
    message: 'Clients rely on {callers} for "{name}", but the server guarantees only {server}.',
  },
  "error-code-changed": {
    code: "RK772",
    severity: "error",
    message: 'Clients know the error "{name}" by the code {callers}, but the server uses the code {server}.',
    advice: "Keep the code of an error forever, and give new errors new codes.",
  },
  "error-status-changed": {
    code: "RK773",
    severity: "warning",
    message:
      'Clients expect the error "{name}" with the HTTP status {callers}, but the server sends {server}.',
  },
  "error-unknown": {
    code: "RK774",
    severity: "warning",
    message: "{method} may return {errors}, which clients do not expect.",
  },
  "error-unlisted": {
    code: "RK775",
    severity: "warning",
    message:
      'No method of the server lists "{name}", so every method may return it, but clients expect it only from some methods.',
    advice: "List the error for each method that returns it, or remove the error.",
  },
  "error-newly-listed": {
    code: "RK776",
    severity: "warning",
    message:
      'Clients expect "{name}" from every method, but the server returns it only from the methods that list it.',
    advice: "Do not list an error that the host may raise for every method.",
  },
  "type-renamed": {
    code: "RK778",
    severity: "warning",
    message: 'Code that uses "{callers}" has to use "{server}" instead.',
  },
  "code-type-changed": {
    code: "RK779",
    severity: "warning",
    message: 'In code, "{name}" is {callers} for clients, but {server} for the server.',
  },
  "code-field-removed": {
    code: "RK780",
    severity: "warning",
    message: 'Client code may read "{name}", but the server does not have this field.',
  },
  "replay-broke": {
    code: "RK785",
    severity: "error",
    message: '{who}: the {where} of "{name}" fails: {what}.',
  },
  "replay-differs": {
    code: "RK786",
    severity: "warning",
    message: '{who}: the {where} of "{name}" differs: {what}.',
  },
} as const;
