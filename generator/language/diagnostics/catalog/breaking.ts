import type { Example, Examples } from "./entry.ts";

const command = "ridlkit breaking --against before.ridl api.ridl";
const users: readonly string[] = ["service Users"];
const getName = "  - GetName() => (name: string)";
const byName: readonly string[] = ["  - Get(name: string) => (id: uint64)", "    GET /users/{name}"];
const role: readonly string[] = ["enum Role: string"];
const roleInRequest: readonly string[] = [...users, "  - List(role: Role)"];
const roleInResponse: readonly string[] = [...users, "  - Get() => (role: Role)"];
const twoErrors: readonly string[] = ['error 1 Gone "gone"', 'error 2 Busy "busy"'];

function withName(...meta: readonly string[]): readonly string[] {
  return [...queryStruct("  - name: string", meta), ...users, "  - Find(Query) => (Empty)"];
}

function withOptionalName(...meta: readonly string[]): readonly string[] {
  return [...queryStruct("  - name?: string", meta), ...users, "  - Find(Query) => (Empty)"];
}

function inResponse(...meta: readonly string[]): readonly string[] {
  return [...queryStruct("  - name: string", meta), ...users, "  - Get(Empty) => (Query)"];
}

/** A struct with a group of fields, in requests. */
function pay(...methods: readonly string[]): readonly string[] {
  return [...payment(methods), ...users, "  - Pay(Payment) => (Empty)"];
}

function paid(...methods: readonly string[]): readonly string[] {
  return [...payment(methods), ...users, "  - Paid(Empty) => (Payment)"];
}

function payment(methods: readonly string[]): readonly string[] {
  const fields = ["iban", ...methods].flatMap((name) => [`  - ${name}?: string`, "    + oneOf = method"]);
  return ["struct Empty", "struct Payment", ...fields];
}

/** A struct with fields that depend on its kind, in requests. */
function payKind(...fields: readonly string[]): readonly string[] {
  return [...kinds, ...fields, ...users, "  - Pay(Payment) => (Empty)"];
}

function paidKind(...fields: readonly string[]): readonly string[] {
  return [...kinds, ...fields, ...users, "  - Paid(Empty) => (Payment)"];
}

const kinds: readonly string[] = [
  ...["enum Kind: string", "  - card", "  - cash", "struct Empty", "struct Payment", "  - kind: Kind"],
];

function queryStruct(field: string, meta: readonly string[]): readonly string[] {
  return ["struct Empty", "struct Query", field, ...meta.map((line) => `    ${line}`)];
}

/**
 * Breaking changes between two versions of a schema: RK740 to RK789. Clients have one version and the server has the other, so the
 * messages are true whichever side is deployed first.
 */
export const breaking = {
  "basepath-changed": {
    code: "RK740",
    severity: "error",
    message: 'Clients call "{callers}", but the server listens at "{server}".',
    rule: "The basepath stays the same.",
    reason: "Every call of an old client goes to a path that no longer exists.",
    examples: (): Examples =>
      change([...users, "", getName], [...users, "", getName], { basepath: ["/rpc", "/v2"] }),
  },
  "service-removed": {
    code: "RK741",
    severity: "error",
    message: 'Clients call the service "{name}", which {how}.',
    advice: "Keep it until no client calls it.",
    rule: "A service that clients call keeps its name.",
    reason: "The name is part of every path.",
    examples: (): Examples => change(["service Users", getName], ["service People", getName]),
  },
  "method-removed": {
    code: "RK742",
    severity: "error",
    message: 'Clients call "{name}", which {how}.',
    advice: "Keep it until no client calls it.",
    rule: "A method that clients call keeps its name.",
    reason: "The name is part of the path.",
    examples: (): Examples => change([...users, getName, "  - Ping()"], [...users, getName]),
  },
  "credentials-required": {
    code: "RK743",
    severity: "error",
    message: '"{name}" requires the credentials {wanted}, which clients do not send.',
    rule: "An existing method does not require new credentials.",
    reason: "Calls that used to succeed would be rejected. The values of @auth are compared.",
    examples: (): Examples => change([...users, getName], [...users, `  @auth:token ${getName.trim()}`]),
  },
  "response-kind-changed": {
    code: "RK744",
    severity: "error",
    message: 'Clients of "{name}" expect {callers}, but the server returns {server}.',
    advice: "Add a new method instead.",
    rule: "A single response stays a single response, a stream a stream, and a file a file.",
    reason: "These forms differ on the wire and in code.",
    examples: (): Examples =>
      change([...users, "  - List() => (name: string)"], [...users, "  - List() => stream (name: string)"]),
  },
  "request-kind-changed": {
    code: "RK745",
    severity: "error",
    message: 'Clients send the request of "{name}" {callers}, but the server reads it {server}.',
    advice: "Add a new method instead.",
    rule: "A request does not change between JSON, a form with files, and a stream.",
    reason:
      "Adding the first file, even an optional one, turns the request into a form, and removing the last file turns it back into JSON.",
    examples: (): Examples =>
      change([...users, "  - Save(name: string)"], [...users, "  - Save(name: string, photo?: file)"]),
  },
  "repeat-unsafe": {
    code: "RK746",
    severity: "warning",
    message: 'Clients may retry "{name}", but the server no longer declares that repeating it is safe.',
    rule: "A method that is safe to repeat stays safe to repeat.",
    reason:
      "Clients with the interceptor retries() call @idempotent, @readonly and @idempotencyKey methods again when a response was lost.",
    examples: (): Examples => change([...users, `  @idempotent ${getName.trim()}`], [...users, getName]),
  },
  "route-changed": {
    code: "RK747",
    severity: "error",
    message: 'Clients call "{name}" by "{callers}", but the server has it at "{server}".',
    advice: "Add a new method instead.",
    rule: "The verb and the path of a method stay the same.",
    reason: "The server accepts calls of the method at no other address.",
    examples: (): Examples =>
      change([...users, getName, "    GET /name"], [...users, getName, "    GET /users/name"]),
  },
  "route-taken": {
    code: "RK748",
    severity: "error",
    message: 'Some calls of "{name}" reach "{other}", because "{route}" fits their path better.',
    advice: "Choose a route that no call of the old one matches.",
    rule: "A new route takes no calls of an existing method.",
    reason:
      "Servers prefer a fixed segment to a parameter. A call with that text as its value reaches the new method instead.",
    examples: (): Examples =>
      change(
        [...users, ...byName],
        [...users, ...byName, "  - Count() => (users: uint32)", "    GET /users/count"],
      ),
  },
  "read-removed": {
    code: "RK749",
    severity: "warning",
    message: '"{name}" is no longer called by GET and QUERY, but clients may do so.',
    advice: 'Keep "@cache". With @cache:"0s", caches ask the server each time.',
    rule: "A method with @cache keeps it.",
    reason:
      "Without @cache, a method is called by POST only. Clients with the option `reads`, images and links call it by GET, and get WebrpcBadMethod.",
    examples: (): Examples =>
      change(
        [...users, `  @readonly @cache:"60s" ${getName.trim()}`],
        [...users, `  @readonly ${getName.trim()}`],
      ),
  },
  "request-field-required": {
    code: "RK750",
    severity: "error",
    message: '"{name}" is required, but clients {how}.',
    advice: "Make it optional, or give it a default.",
    rule: "A request requires no field that clients may omit or do not know.",
    reason: "Requests without the field are rejected. A new field with a default breaks nothing.",
    examples: (): Examples =>
      change([...users, "  - Find(name: string)"], [...users, "  - Find(name: string, age: int32)"]),
  },
  "request-field-ignored": {
    code: "RK751",
    severity: "warning",
    message: 'Clients may send "{name}", {what}.',
    rule: "The server reads every field that clients may send.",
    reason: "Unknown fields are ignored, so the call succeeds without doing what was requested.",
    examples: (): Examples =>
      change([...users, "  - Find(name: string, age?: int32)"], [...users, "  - Find(name: string)"]),
  },
  "request-value-rejected": {
    code: "RK752",
    severity: "error",
    message: 'Clients send "{name}" as {callers}, but the server expects {server}.',
    rule: "The server accepts every value that clients may send.",
    reason:
      "A wider type may replace a narrower one: int32 may replace int16, bigint may replace int64, and any may replace all types.",
    examples: (): Examples => change([...users, "  - Find(age: int32)"], [...users, "  - Find(age: int16)"]),
  },
  "request-enum-value-rejected": {
    code: "RK753",
    severity: "error",
    message: 'Clients may send the value "{value}" of "{name}", but the server rejects it.',
    rule: "The server knows every enum value that clients may send.",
    reason: "Unknown values are rejected.",
    examples: (): Examples =>
      change([...role, "  - USER", "  - ADMIN", ...roleInRequest], [...role, "  - USER", ...roleInRequest]),
  },
  "request-bound-tightened": {
    code: "RK754",
    severity: "error",
    message: 'Clients send "{name}" with {callers}, but the server requires {server}.',
    rule: "Limits on requests are never tightened.",
    reason: "Values between the old limit and the new one would be rejected.",
    examples: (): Examples => change(withName("+ maxLength = 40"), withName("+ maxLength = 20")),
  },
  "request-pattern-tightened": {
    code: "RK755",
    severity: "error",
    message: 'Clients may send {sample} as "{name}", but the pattern of the server rejects it.',
    rule: "A pattern on requests accepts every text that the earlier pattern accepted.",
    reason:
      "ridlkit generates strings that match the earlier pattern and tests them with the new pattern. The message shows a string that the new pattern rejects.",
    examples: (): Examples => change(withName('+ pattern = "^[a-z]+$"'), withName('+ pattern = "^[a-f]+$"')),
  },
  "request-form-rejected": {
    code: "RK757",
    severity: "error",
    message: 'Clients may send "{name}" {form}, but the server does not accept that.',
    rule: "Alternative names and forms of a field stay valid in requests.",
    reason: "The schema has promised to accept them.",
    examples: (): Examples =>
      change(withName("+ alias = label"), withName("+ maxLength = 40"), withName("+ alias = label")),
  },
  "default-changed": {
    code: "RK758",
    severity: "warning",
    message: 'If clients omit "{name}", they expect {callers}, but the server uses {server}.',
    rule: "The default of a field stays the same.",
    reason: "The same call would silently do something else.",
    examples: (): Examples =>
      change(withOptionalName("+ default = all"), withOptionalName("+ default = none")),
  },
  "null-changed": {
    code: "RK756",
    severity: "warning",
    message: 'In requests, null for "{name}" means {callers} to clients, but {server} to the server.',
    rule: "Null keeps its meaning in requests: a field keeps nullable = always, and does not get it.",
    reason: "A call that clears a value would leave it as it is, or the other way around.",
    examples: (): Examples => change(withOptionalName("+ nullable = always"), withOptionalName()),
  },
  "enum-number-changed": {
    code: "RK759",
    severity: "error",
    message: 'The number {number} of "{name}" means "{callers}" to clients, but "{server}" to the server.',
    advice: "Write the numbers out, and give new values new numbers.",
    rule: "A number of an enum keeps its meaning.",
    reason:
      "Requests may use the number. If values are numbered by position, inserting one changes the numbers after it.",
    examples: (): Examples =>
      change(
        ["enum Role: uint8", "  - USER", "  - ADMIN", ...roleInRequest],
        ["enum Role: uint8", "  - GUEST", "  - USER", "  - ADMIN", ...roleInRequest],
      ),
  },
  "normalize-changed": {
    code: "RK760",
    severity: "warning",
    message: 'For "{name}", clients expect {callers}, but the server uses {server}.',
    rule: "A string keeps its meta key normalize.",
    reason: "Handlers and clients may compare such strings, and the result depends on letter case.",
    examples: (): Examples =>
      change(withName("+ maxLength = 40"), withName("+ maxLength = 40", "+ normalize = lowercase")),
  },
  "request-files-changed": {
    code: "RK761",
    severity: "error",
    message: 'For "{name}", clients {callers}, but the server {server}.',
    rule: "The files of a request stay the same.",
    reason: "A missing file is rejected, and so is an unexpected one.",
    examples: (): Examples =>
      change(
        [...users, "  - Save(photo: file)"],
        [...users, "  - Save(photo: file, other: file)"],
        [...users, "  - Save(photo: file, other?: file)"],
      ),
  },
  "request-group-narrowed": {
    code: "RK762",
    severity: "error",
    message: 'The server requires one of {fields} in "{name}", but clients may send none or several of them.',
    rule: "Every request sets exactly one field of each group (oneOf) that the server knows.",
    reason:
      "Requests with none or several of the fields are rejected. A new field in a group, or no group at all, breaks no requests.",
    examples: (): Examples => change(pay("card", "cash"), pay("card"), pay("card", "cash", "coupon")),
  },
  "request-kind-narrowed": {
    code: "RK763",
    severity: "error",
    message: 'If "{kind}" is {values}, the server {reader} "{name}", but clients may {writer} it.',
    rule: "For each kind (when) that clients know, the server requires no more fields, and rejects no others.",
    reason:
      "Requests without a field of their kind are rejected, and so are requests with a field of another kind. A new kind breaks no requests.",
    examples: (): Examples =>
      change(
        payKind("  - card?: string", "    + when = kind.card?"),
        payKind("  - card?: string", "    + when = kind.card"),
        payKind("  - card?: string", "    + when = kind.card?", "    + when = kind.cash?"),
      ),
  },
  "response-field-missing": {
    code: "RK765",
    severity: "error",
    message: 'Clients expect "{name}" in the response, but the server {how}.',
    rule: "Every response contains the fields that clients rely on.",
    reason: "Code that reads the field would find nothing, or null.",
    examples: (): Examples =>
      change(
        [...users, "  - Get() => (name: string, age: int32)"],
        [...users, "  - Get() => (name: string)"],
      ),
  },
  "response-value-unexpected": {
    code: "RK766",
    severity: "error",
    message: 'Clients expect "{name}" as {callers}, but the server returns {server}.',
    rule: "Every value of a response has a type that clients can read.",
    reason: "A narrower type may replace a wider one, but not the other way round.",
    examples: (): Examples =>
      change([...users, "  - Get() => (age: int32)"], [...users, "  - Get() => (age: int64)"]),
  },
  "response-enum-value-unknown": {
    code: "RK767",
    severity: "warning",
    message: 'The server may return the value "{value}" of "{name}", which clients do not know.',
    rule: "Responses contain only enum values that clients know.",
    reason:
      "Clients pass unknown values on, and code that handles every known value does not handle this one. Clients generated with closed enums reject the response.",
    examples: (): Examples =>
      change([...role, "  - USER", ...roleInResponse], [...role, "  - USER", "  - ADMIN", ...roleInResponse]),
  },
  "response-bound-loosened": {
    code: "RK768",
    severity: "warning",
    message: 'Clients expect "{name}" with {callers}, but the server guarantees {server}.',
    rule: "Limits on responses are never loosened.",
    reason: "Clients may have reserved space for the old limit.",
    examples: (): Examples => change(inResponse("+ maxLength = 20"), inResponse("+ maxLength = 40")),
  },
  "response-group-widened": {
    code: "RK769",
    severity: "error",
    message: 'Clients expect one of {fields} in "{name}", but the server may return none or several of them.',
    rule: "Every response sets exactly one field of each group (oneOf) that clients know.",
    reason: "Code that handles each field of the group has no branch for the other values.",
    examples: (): Examples => change(paid("card", "cash"), paid("card", "cash", "coupon")),
  },
  "response-kind-widened": {
    code: "RK770",
    severity: "error",
    message: 'If "{kind}" is {values}, clients {reader} "{name}", but the server may {writer} it.',
    rule: "For each kind (when) that clients know, responses set the fields that clients require, and no others.",
    reason: "Code that handles a kind reads the fields of that kind.",
    examples: (): Examples =>
      change(
        paidKind("  - card?: string", "    + when = kind.card"),
        paidKind("  - card?: string", "    + when = kind.card?"),
      ),
  },
  "error-code-changed": {
    code: "RK772",
    severity: "error",
    message: 'Clients know the error "{name}" by the code {callers}, but the server uses the code {server}.',
    advice: "Keep the code of an error forever, and give new errors new codes.",
    rule: "An error keeps its code.",
    reason: "Clients identify errors by code.",
    examples: (): Examples =>
      change(['error 1 Gone "gone"', ...users, getName], ['error 2 Gone "gone"', ...users, getName]),
  },
  "error-status-changed": {
    code: "RK773",
    severity: "warning",
    message:
      'Clients expect the error "{name}" with the HTTP status {callers}, but the server sends {server}.',
    rule: "An error keeps its HTTP status.",
    reason: "Proxies and retry logic depend on it.",
    examples: (): Examples =>
      change(
        ['error 1 Gone "gone" HTTP 404', ...users, getName],
        ['error 1 Gone "gone" HTTP 410', ...users, getName],
      ),
  },
  "error-unknown": {
    code: "RK774",
    severity: "warning",
    message: "{method} may return {errors}, which clients do not expect.",
    rule: "A method returns only errors that its clients expect.",
    reason:
      "Clients receive the error like any other, but code that handles every known error of the method does not handle this one.",
    examples: (): Examples =>
      change(
        [...twoErrors, ...users, `${getName} errors Gone`, "  - Ping() errors Busy"],
        [...twoErrors, ...users, `${getName} errors Gone | Busy`, "  - Ping() errors Busy"],
      ),
  },
  "error-data-missing": {
    code: "RK783",
    severity: "warning",
    message: 'Clients read the data of "{name}", but the server sends none.',
    rule: "An error that has data keeps it.",
    reason: "Clients must be able to handle the error without its data, but they lose what it says.",
    examples: (): Examples => {
      const usage = ["struct Usage", "  - limit: uint32", 'error 1 Quota "used up" HTTP 429'];
      const data = ["type QuotaData: Usage", "  + errorData = Quota"];
      return change([...usage, ...data, ...users, getName], [...usage, ...users, getName]);
    },
  },
  "error-unlisted": {
    code: "RK775",
    severity: "warning",
    message:
      'No method of the server lists "{name}", so every method may return it, but clients expect it only from some methods.',
    advice: "List the error for each method that returns it, or remove the error.",
    rule: "An error that methods list stays in at least one list.",
    reason:
      "An error that no method lists may be raised by the server's hooks, so types and documentation add it to every method.",
    examples: (): Examples =>
      change(
        [...twoErrors, ...users, `${getName} errors Gone | Busy`, "  - Ping() errors Busy"],
        [...twoErrors, ...users, `${getName} errors Busy`, "  - Ping() errors Busy"],
      ),
  },
  "error-newly-listed": {
    code: "RK776",
    severity: "warning",
    message:
      'Clients expect "{name}" from every method, but the server returns it only from the methods that list it.',
    advice: "Do not list an error that the host may raise for every method.",
    rule: "Listing an error for the first time changes the types of the methods that do not list it.",
    reason:
      "Listing it for one method removes it from all others. Code that handles it there no longer compiles, although the server's hooks may still raise it.",
    examples: (): Examples =>
      change(
        [...twoErrors, ...users, `${getName} errors Gone`, "  - Ping() errors Gone"],
        [...twoErrors, ...users, `${getName} errors Gone | Busy`, "  - Ping() errors Gone"],
      ),
  },
  "name-reused": {
    code: "RK777",
    severity: "error",
    message: 'Code that uses {names} gets "{now}" instead of "{before}".',
    advice: "Add a service behind the others, and give a new method a name that no later service has.",
    rule: "An exported name of generated code stands for the same method in all versions.",
    reason:
      "If two services have a method of one name, the first service in the schema has the plain name. If the first one changes, recompiled code calls the other method, often without a compile error.",
    examples: (): Examples =>
      change(
        [...users, getName],
        ["service Shops", getName, ...users, getName],
        [...users, getName, "service Shops", getName],
      ),
  },
  "type-renamed": {
    code: "RK778",
    severity: "warning",
    message: 'Code that uses "{callers}" has to use "{server}" instead.',
    rule: "Types, errors and functions keep their names in code.",
    reason:
      "These names are not sent, so no call breaks, but recompiled code has to use the new one. If two services have a method of one name, the first service in the schema has its plain name: add services at the end.",
    examples: (): Examples =>
      change(
        ["struct User", "  - name: string", ...users, "  - Get() => (user: User)"],
        ["struct Person", "  - name: string", ...users, "  - Get() => (user: Person)"],
      ),
  },
  "code-type-changed": {
    code: "RK779",
    severity: "warning",
    message: 'In code, "{name}" is {callers} for clients, but {server} for the server.',
    rule: "A value keeps its type in code.",
    reason: "The server reads both types, but recompiled code has to use the new one.",
    examples: (): Examples => change([...users, "  - Find(age: int64)"], [...users, "  - Find(age: bigint)"]),
  },
  "code-field-removed": {
    code: "RK780",
    severity: "warning",
    message: 'Client code may read "{name}", but the server does not have this field.',
    rule: "Optional fields of responses stay.",
    reason: "A missing optional field breaks no call, but recompiled code does not find it.",
    examples: (): Examples =>
      change(
        [...users, "  - Get() => (name: string, age?: int32)"],
        [...users, "  - Get() => (name: string)"],
      ),
  },
  "replay-broke": {
    code: "RK785",
    severity: "error",
    message: '{who}: the {where} of "{name}" fails: {what}.',
    rule: "Each version accepts the calls of the other.",
    reason:
      "ridlkit made this call with the generated client of one version and the generated server of the other, and it failed.",
    examples: (): Examples =>
      replayed([...users, "  - Find(age: int32)"], [...users, "  - Find(age: int16)"]),
  },
  "replay-differs": {
    code: "RK786",
    severity: "warning",
    message: '{who}: the {where} of "{name}" differs: {what}.',
    rule: "Calls have the same meaning in both versions.",
    reason: "ridlkit made this call and it succeeded, but the two versions read a value differently.",
    examples: (): Examples =>
      replayed([...users, "  - Find(name: string, age?: int32)"], [...users, "  - Find(name: string)"]),
  },
} as const;

/** A schema before and after a breaking change. The good example changes to `better`, or does not change. */
function change(
  before: readonly string[],
  now: readonly string[],
  better: readonly string[] | { readonly basepath: readonly [string, string] } = before,
): Examples {
  const [from, to] = "basepath" in better ? better.basepath : ["/rpc", "/rpc"];
  const good = "basepath" in better ? before : better;
  return {
    bad: compared(schema(before, from), schema(now, to), command),
    good: compared(schema(before, from), schema(good, from), command),
  };
}

function replayed(before: readonly string[], now: readonly string[]): Examples {
  const replay = `${command} --replay generated`;
  return {
    bad: compared(schema(before, "/rpc"), schema(now, "/rpc"), replay),
    good: compared(schema(before, "/rpc"), schema(before, "/rpc"), replay),
  };
}

function compared(before: readonly string[], now: readonly string[], run: string): Example {
  return { files: { "before.ridl": before, "api.ridl": now }, commands: [run] };
}

function schema(lines: readonly string[], basepath: string): readonly string[] {
  return ["webrpc = v1", "name = shop", "version = v1.0.0", `basepath = ${basepath}`, "", ...lines];
}
