import type { breaking as codes } from "../catalog/breaking.ts";
import type { Example, Explanations } from "./explanation.ts";

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

function queryStruct(field: string, meta: readonly string[]): readonly string[] {
  return ["struct Empty", "struct Query", field, ...meta.map((line) => `    ${line}`)];
}

export const breaking: Explanations<keyof typeof codes> = {
  "basepath-changed": {
    rule: "The basepath stays the same.",
    reason: "Every call of an old client goes to a path that no longer exists.",
    ...change([...users, "", getName], [...users, "", getName], { basepath: ["/rpc", "/v2"] }),
  },
  "service-removed": {
    rule: "A service that clients call keeps its name.",
    reason: "The name is part of every path.",
    ...change(["service Users", getName], ["service People", getName]),
  },
  "method-removed": {
    rule: "A method that clients call keeps its name.",
    reason: "The name is part of the path.",
    ...change([...users, getName, "  - Ping()"], [...users, getName]),
  },
  "route-changed": {
    rule: "The verb and the path of a method stay the same.",
    reason: "The server accepts calls of the method at no other address.",
    ...change([...users, getName, "    GET /name"], [...users, getName, "    GET /users/name"]),
  },
  "route-taken": {
    rule: "A new route takes no calls of an existing method.",
    reason:
      "Servers prefer a fixed segment to a parameter. A call with that text as its value reaches the new method instead.",
    ...change(
      [...users, ...byName],
      [...users, ...byName, "  - Count() => (users: uint32)", "    GET /users/count"],
    ),
  },
  "credentials-required": {
    rule: "An existing method does not require new credentials.",
    reason: "Calls that used to succeed would be rejected. The values of @auth are compared.",
    ...change([...users, getName], [...users, `  @auth:token ${getName.trim()}`]),
  },
  "response-kind-changed": {
    rule: "A single response stays a single response, a stream a stream, and a file a file.",
    reason: "These forms differ on the wire and in code.",
    ...change([...users, "  - List() => (name: string)"], [...users, "  - List() => stream (name: string)"]),
  },
  "request-kind-changed": {
    rule: "A request does not change between JSON, a form with files, and a stream.",
    reason:
      "Adding the first file, even an optional one, turns the request into a form, and removing the last file turns it back into JSON.",
    ...change([...users, "  - Save(name: string)"], [...users, "  - Save(name: string, photo?: file)"]),
  },
  "repeat-unsafe": {
    rule: "A method that is safe to repeat stays safe to repeat.",
    reason:
      "Clients with the interceptor retries() call @idempotent, @readonly and @idempotencyKey methods again when a response was lost.",
    ...change([...users, `  @idempotent ${getName.trim()}`], [...users, getName]),
  },
  "read-removed": {
    rule: "A method with @cache keeps it.",
    reason:
      "Without @cache, a method is called by POST only. Clients with the option `reads`, images and links call it by GET, and get WebrpcBadMethod.",
    ...change(
      [...users, `  @readonly @cache:"60s" ${getName.trim()}`],
      [...users, `  @readonly ${getName.trim()}`],
    ),
  },
  "request-field-required": {
    rule: "A request requires no field that clients may omit or do not know.",
    reason: "Requests without the field are rejected. A new field with a default breaks nothing.",
    ...change([...users, "  - Find(name: string)"], [...users, "  - Find(name: string, age: int32)"]),
  },
  "request-field-ignored": {
    rule: "The server reads every field that clients may send.",
    reason: "Unknown fields are ignored, so the call succeeds without doing what was requested.",
    ...change([...users, "  - Find(name: string, age?: int32)"], [...users, "  - Find(name: string)"]),
  },
  "request-value-rejected": {
    rule: "The server accepts every value that clients may send.",
    reason:
      "A wider type may replace a narrower one: int32 may replace int16, bigint may replace int64, and any may replace all types.",
    ...change([...users, "  - Find(age: int32)"], [...users, "  - Find(age: int16)"]),
  },
  "request-enum-value-rejected": {
    rule: "The server knows every enum value that clients may send.",
    reason: "Unknown values are rejected.",
    ...change([...role, "  - USER", "  - ADMIN", ...roleInRequest], [...role, "  - USER", ...roleInRequest]),
  },
  "request-bound-tightened": {
    rule: "Limits on requests are never tightened.",
    reason: "Values between the old limit and the new one would be rejected.",
    ...change(withName("+ maxLength = 40"), withName("+ maxLength = 20")),
  },
  "request-pattern-tightened": {
    rule: "A pattern on requests accepts every text that the earlier pattern accepted.",
    reason:
      "ridlkit generates strings that match the earlier pattern and tests them with the new pattern. The message shows a string that the new pattern rejects.",
    ...change(withName('+ pattern = "^[a-z]+$"'), withName('+ pattern = "^[a-f]+$"')),
  },
  "request-form-rejected": {
    rule: "Alternative names and forms of a field stay valid in requests.",
    reason: "The schema has promised to accept them.",
    ...change(withName("+ alias = label"), withName("+ maxLength = 40"), withName("+ alias = label")),
  },
  "default-changed": {
    rule: "The default of a field stays the same.",
    reason: "The same call would silently do something else.",
    ...change(withOptionalName("+ default = all"), withOptionalName("+ default = none")),
  },
  "enum-number-changed": {
    rule: "A number of an enum keeps its meaning.",
    reason:
      "Requests may use the number. If values are numbered by position, inserting one changes the numbers after it.",
    ...change(
      ["enum Role: uint8", "  - USER", "  - ADMIN", ...roleInRequest],
      ["enum Role: uint8", "  - GUEST", "  - USER", "  - ADMIN", ...roleInRequest],
    ),
  },
  "normalize-changed": {
    rule: "A string keeps its meta key normalize.",
    reason: "Handlers and clients may compare such strings, and the result depends on letter case.",
    ...change(withName("+ maxLength = 40"), withName("+ maxLength = 40", "+ normalize = lowercase")),
  },
  "request-files-changed": {
    rule: "The files of a request stay the same.",
    reason: "A missing file is rejected, and so is an unexpected one.",
    ...change(
      [...users, "  - Save(photo: file)"],
      [...users, "  - Save(photo: file, other: file)"],
      [...users, "  - Save(photo: file, other?: file)"],
    ),
  },
  "response-field-missing": {
    rule: "Every response contains the fields that clients rely on.",
    reason: "Code that reads the field would find nothing, or null.",
    ...change(
      [...users, "  - Get() => (name: string, age: int32)"],
      [...users, "  - Get() => (name: string)"],
    ),
  },
  "response-value-unexpected": {
    rule: "Every value of a response has a type that clients can read.",
    reason: "A narrower type may replace a wider one, but not the other way round.",
    ...change([...users, "  - Get() => (age: int32)"], [...users, "  - Get() => (age: int64)"]),
  },
  "response-enum-value-unknown": {
    rule: "Responses contain only enum values that clients know.",
    reason:
      "Clients pass unknown values on, and code that handles every known value does not handle this one. Clients generated with closed enums reject the response.",
    ...change(
      [...role, "  - USER", ...roleInResponse],
      [...role, "  - USER", "  - ADMIN", ...roleInResponse],
    ),
  },
  "response-bound-loosened": {
    rule: "Limits on responses are never loosened.",
    reason: "Clients may have reserved space for the old limit.",
    ...change(inResponse("+ maxLength = 20"), inResponse("+ maxLength = 40")),
  },
  "error-code-changed": {
    rule: "An error keeps its code.",
    reason: "Clients identify errors by code.",
    ...change(['error 1 Gone "gone"', ...users, getName], ['error 2 Gone "gone"', ...users, getName]),
  },
  "error-status-changed": {
    rule: "An error keeps its HTTP status.",
    reason: "Proxies and retry logic depend on it.",
    ...change(
      ['error 1 Gone "gone" HTTP 404', ...users, getName],
      ['error 1 Gone "gone" HTTP 410', ...users, getName],
    ),
  },
  "error-unknown": {
    rule: "A method returns only errors that its clients expect.",
    reason:
      "Clients receive the error like any other, but code that handles every known error of the method does not handle this one.",
    ...change(
      [...twoErrors, ...users, `${getName} errors Gone`, "  - Ping() errors Busy"],
      [...twoErrors, ...users, `${getName} errors Gone | Busy`, "  - Ping() errors Busy"],
    ),
  },
  "error-unlisted": {
    rule: "An error that methods list stays in at least one list.",
    reason:
      "An error that no method lists may be raised by the server's hooks, so types and documentation add it to every method.",
    ...change(
      [...twoErrors, ...users, `${getName} errors Gone | Busy`, "  - Ping() errors Busy"],
      [...twoErrors, ...users, `${getName} errors Busy`, "  - Ping() errors Busy"],
    ),
  },
  "error-newly-listed": {
    rule: "An error that no method lists stays unlisted.",
    reason:
      "Listing it for one method removes it from all others. Code that handles it there no longer compiles, although the server's hooks may still raise it.",
    ...change(
      [...twoErrors, ...users, `${getName} errors Gone`, "  - Ping() errors Gone"],
      [...twoErrors, ...users, `${getName} errors Gone | Busy`, "  - Ping() errors Gone"],
    ),
  },
  "type-renamed": {
    rule: "Types and errors keep their names in code.",
    reason: "Names of types are not sent, so no call breaks, but recompiled code has to use the new name.",
    ...change(
      ["struct User", "  - name: string", ...users, "  - Get() => (user: User)"],
      ["struct Person", "  - name: string", ...users, "  - Get() => (user: Person)"],
    ),
  },
  "code-type-changed": {
    rule: "A value keeps its type in code.",
    reason: "The server reads both types, but recompiled code has to use the new one.",
    ...change([...users, "  - Find(age: int64)"], [...users, "  - Find(age: bigint)"]),
  },
  "code-field-removed": {
    rule: "Optional fields of responses stay.",
    reason: "A missing optional field breaks no call, but recompiled code does not find it.",
    ...change(
      [...users, "  - Get() => (name: string, age?: int32)"],
      [...users, "  - Get() => (name: string)"],
    ),
  },
  "replay-broke": {
    rule: "Each version accepts the calls of the other.",
    reason:
      "ridlkit made this call with the generated client of one version and the generated server of the other, and it failed.",
    ...replayed([...users, "  - Find(age: int32)"], [...users, "  - Find(age: int16)"]),
  },
  "replay-differs": {
    rule: "Calls have the same meaning in both versions.",
    reason: "ridlkit made this call and it succeeded, but the two versions read a value differently.",
    ...replayed([...users, "  - Find(name: string, age?: int32)"], [...users, "  - Find(name: string)"]),
  },
};

interface Pair {
  readonly bad: Example;
  readonly good: Example;
}

/** A schema before and after a breaking change. The good example changes to `better`, or does not change. */
function change(
  before: readonly string[],
  now: readonly string[],
  better: readonly string[] | { readonly basepath: readonly [string, string] } = before,
): Pair {
  const [from, to] = "basepath" in better ? better.basepath : ["/rpc", "/rpc"];
  const good = "basepath" in better ? before : better;
  return {
    bad: compared(schema(before, from), schema(now, to), command),
    good: compared(schema(before, from), schema(good, from), command),
  };
}

function replayed(before: readonly string[], now: readonly string[]): Pair {
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
