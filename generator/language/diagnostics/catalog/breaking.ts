/**
 * Changes between two versions of a schema: RK740 to RK789. Each is said of callers, who know one version, and of the server, which
 * has the other, so that the same words hold for either order of delivery.
 */
export const breaking = {
  "basepath-changed": {
    code: "RK740",
    severity: "error",
    message: 'Callers call "{callers}", and the server answers at "{server}".',
  },
  "service-gone": {
    code: "RK741",
    severity: "error",
    message: 'Callers call the service "{name}", which the server does not have.',
    advice: "Keep it until nobody calls it.",
  },
  "method-gone": {
    code: "RK742",
    severity: "error",
    message: 'Callers call "{name}", which the server does not have.',
    advice: "Keep it until nobody calls it.",
  },
  "credentials-needed": {
    code: "RK743",
    severity: "error",
    message: '"{name}" wants {wanted}, which its callers do not send.',
  },
  "answer-kind-changed": {
    code: "RK744",
    severity: "error",
    message: 'Callers of "{name}" expect {callers}, and the server answers {server}.',
    advice: "Add a method beside it.",
  },
  "request-kind-changed": {
    code: "RK745",
    severity: "error",
    message: 'Callers send "{name}" {callers}, and the server reads {server}.',
    advice: "Add a method beside it.",
  },
  "repeat-unsafe": {
    code: "RK746",
    severity: "warning",
    message: 'Callers may send "{name}" twice, and the server does not say that this is as good as once.',
  },
  "request-field-needed": {
    code: "RK750",
    severity: "error",
    message: '"{name}" must be sent, and callers {how}.',
    advice: "Make it optional, or give it a default.",
  },
  "request-field-ignored": {
    code: "RK751",
    severity: "warning",
    message: 'Callers may send "{name}", and the server does not read it.',
  },
  "request-value-refused": {
    code: "RK752",
    severity: "error",
    message: 'Callers send {callers} as "{name}", and the server reads {server}.',
  },
  "request-enum-value-refused": {
    code: "RK753",
    severity: "error",
    message: 'Callers send "{value}" of "{name}", which the server does not know.',
  },
  "request-bound-tightened": {
    code: "RK754",
    severity: "error",
    message: 'For "{name}" callers keep to {callers}, and the server wants {server}.',
  },
  "request-pattern-tightened": {
    code: "RK755",
    severity: "error",
    message: 'Callers may send {sample} as "{name}", which the pattern of the server refuses.',
  },
  "request-form-refused": {
    code: "RK757",
    severity: "error",
    message: 'Callers may send "{name}" {form}, which the server does not read.',
  },
  "default-changed": {
    code: "RK758",
    severity: "warning",
    message: 'Where "{name}" is left out, callers mean {callers}, and the server takes {server}.',
  },
  "enum-number-changed": {
    code: "RK759",
    severity: "error",
    message: 'The number {number} of "{name}" means "{callers}" to callers, and "{server}" to the server.',
    advice: "Write the numbers out, and give new values new ones.",
  },
  "letters-changed": {
    code: "RK760",
    severity: "warning",
    message: 'Callers know "{name}" as {callers}, and for the server it is {server}.',
  },
  "request-files-changed": {
    code: "RK761",
    severity: "error",
    message: 'Callers send "{name}" {callers}, and the server wants {server}.',
  },
  "response-field-missing": {
    code: "RK765",
    severity: "error",
    message: 'Callers expect "{name}" in an answer, and the server {how}.',
  },
  "response-value-unexpected": {
    code: "RK766",
    severity: "error",
    message: 'Callers expect {callers} as "{name}", and the server answers {server}.',
  },
  "response-enum-value-unknown": {
    code: "RK767",
    severity: "warning",
    message: 'The server may answer "{value}" of "{name}", which callers do not know.',
  },
  "response-bound-loosened": {
    code: "RK768",
    severity: "warning",
    message: 'Answers keep "{name}" to {server}, and callers count on {callers}.',
  },
  "error-code-changed": {
    code: "RK772",
    severity: "error",
    message: 'Callers know the error "{name}" by the code {callers}, and the server gives it {server}.',
    advice: "A code is for ever: give new errors new ones.",
  },
  "error-status-changed": {
    code: "RK773",
    severity: "warning",
    message: 'Callers know the error "{name}" with the status {callers}, and the server gives it {server}.',
  },
  "error-unknown": {
    code: "RK774",
    severity: "warning",
    message: "{method} may return {errors}, which its callers do not expect.",
  },
  "error-unlisted": {
    code: "RK775",
    severity: "warning",
    message:
      'Every method of the server may return "{name}", because none lists it; callers expect it only where it is listed.',
    advice: "List it where it is returned, or remove it.",
  },
  "error-newly-listed": {
    code: "RK776",
    severity: "warning",
    message:
      'Callers expect "{name}" from every method, because none lists it; the server has it only where it is listed.',
    advice: "An error that the host raises around every method stays out of all lists.",
  },
  "type-renamed": {
    code: "RK778",
    severity: "warning",
    message: 'Code that names "{callers}" finds "{server}" in its place.',
  },
  "code-type-changed": {
    code: "RK779",
    severity: "warning",
    message: 'In code "{name}" is {callers} to callers, and {server} to the server.',
  },
  "code-field-gone": {
    code: "RK780",
    severity: "warning",
    message: 'Code of callers that reads "{name}" finds no such field.',
  },
  "replay-broke": {
    code: "RK785",
    severity: "error",
    message: "{who}: a call of {name} fails in its {where}: {what}.",
  },
  "replay-differs": {
    code: "RK786",
    severity: "warning",
    message: "{who}: a call of {name} differs in its {where}: {what}.",
  },
} as const;
