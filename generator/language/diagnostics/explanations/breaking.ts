import type { breaking as codes } from "../catalog/breaking.ts";
import type { Example, Explanations } from "./explanation.ts";

const command = "ridlkit breaking --against before.ridl api.ridl";
const users: readonly string[] = ["service Users"];
const getName = "  - GetName() => (name: string)";
const role: readonly string[] = ["enum Role: string"];
const byRole: readonly string[] = [...users, "  - List(role: Role)"];
const ofRole: readonly string[] = [...users, "  - Get() => (role: Role)"];
const twoErrors: readonly string[] = ['error 1 Gone "gone"', 'error 2 Busy "busy"'];

function named(...meta: readonly string[]): readonly string[] {
  return [...request("  - name: string", meta), ...users, "  - Find(Query) => (Empty)"];
}

function optionallyNamed(...meta: readonly string[]): readonly string[] {
  return [...request("  - name?: string", meta), ...users, "  - Find(Query) => (Empty)"];
}

function answered(...meta: readonly string[]): readonly string[] {
  return [...request("  - name: string", meta), ...users, "  - Get(Empty) => (Query)"];
}

function request(field: string, meta: readonly string[]): readonly string[] {
  return ["struct Empty", "struct Query", field, ...meta.map((line) => `    ${line}`)];
}

export const breaking: Explanations<keyof typeof codes> = {
  "basepath-changed": {
    rule: "Paths of calls stay.",
    reason: "Every call of an old client goes to an address where nobody answers.",
    ...change([...users, "", getName], [...users, "", getName], { basepath: ["/rpc", "/v2"] }),
  },
  "service-gone": {
    rule: "A service that is called stays, under its name.",
    reason: "Its name is part of every path.",
    ...change(["service Users", getName], ["service People", getName]),
  },
  "method-gone": {
    rule: "A method that is called stays, under its name.",
    reason: "Its name is part of its path.",
    ...change([...users, getName, "  - Ping()"], [...users, getName]),
  },
  "credentials-needed": {
    rule: "A method does not want credentials that it did not want.",
    reason: "Calls that were answered are refused. What @auth names is compared.",
    ...change([...users, getName], [...users, `  @auth:token ${getName.trim()}`]),
  },
  "answer-kind-changed": {
    rule: "One answer, a stream of answers and a file do not take each other's place.",
    reason: "They are different on the wire and in code.",
    ...change([...users, "  - List() => (name: string)"], [...users, "  - List() => stream (name: string)"]),
  },
  "request-kind-changed": {
    rule: "A request stays JSON, a form with files, or a stream.",
    reason:
      "The first file makes a form of the request, even an optional one, and the last one makes JSON of it.",
    ...change([...users, "  - Save(name: string)"], [...users, "  - Save(name: string, photo?: file)"]),
  },
  "repeat-unsafe": {
    rule: "A method that may be sent twice stays so.",
    reason: "Clients repeat @idempotent and @readonly methods by themselves when an answer was lost.",
    ...change([...users, `  @idempotent ${getName.trim()}`], [...users, getName]),
  },
  "request-field-needed": {
    rule: "A request needs nothing that callers may leave out or do not know.",
    reason:
      "It is refused without. What has a default may be left out, so that a new field with one breaks nothing.",
    ...change([...users, "  - Find(name: string)"], [...users, "  - Find(name: string, age: int32)"]),
  },
  "request-field-ignored": {
    rule: "What callers may send is read.",
    reason: "Unknown fields are ignored: the call passes, and does something else than was asked for.",
    ...change([...users, "  - Find(name: string, age?: int32)"], [...users, "  - Find(name: string)"]),
  },
  "request-value-refused": {
    rule: "What callers send is of a type that the server reads.",
    reason:
      "A wider type may take the place of a narrower one: int32 that of int16, bigint that of int64, any that of all.",
    ...change([...users, "  - Find(age: int32)"], [...users, "  - Find(age: int16)"]),
  },
  "request-enum-value-refused": {
    rule: "What callers may send of an enum is known to the server.",
    reason: "A value that it does not know is refused.",
    ...change([...role, "  - USER", "  - ADMIN", ...byRole], [...role, "  - USER", ...byRole]),
  },
  "request-bound-tightened": {
    rule: "Bounds of requests are only ever loosened.",
    reason: "What lies between the old bound and the new one is refused.",
    ...change(named("+ maxLength = 40"), named("+ maxLength = 20")),
  },
  "request-pattern-tightened": {
    rule: "A pattern of requests takes all that the earlier one took.",
    reason: "Texts that the earlier one takes are tried on the new one; the one that is shown is refused.",
    ...change(named('+ pattern = "^[a-z]+$"'), named('+ pattern = "^[a-f]+$"')),
  },
  "request-form-refused": {
    rule: "Other names and forms that requests may use stay.",
    reason: "The schema has promised that they are read.",
    ...change(named("+ alias = label"), named("+ maxLength = 40"), named("+ alias = label")),
  },
  "default-changed": {
    rule: "What a field means that is left out stays.",
    reason: "Nobody notices, and the same call does another thing.",
    ...change(optionallyNamed("+ default = all"), optionallyNamed("+ default = none")),
  },
  "enum-number-changed": {
    rule: "A number of an enum keeps its meaning.",
    reason:
      "Requests may use the number. Values that are numbered by their places move when one comes in between.",
    ...change(
      ["enum Role: uint8", "  - USER", "  - ADMIN", ...byRole],
      ["enum Role: uint8", "  - GUEST", "  - USER", "  - ADMIN", ...byRole],
    ),
  },
  "letters-changed": {
    rule: "Text keeps its letter case, or is made lower case, as before.",
    reason: "Handlers and callers compare it.",
    ...change(named("+ maxLength = 40"), named("+ maxLength = 40", "+ normalize = lowercase")),
  },
  "request-files-changed": {
    rule: "Files of a request are taken as before.",
    reason: "A file that is missing is refused, and so is one that nobody wants.",
    ...change(
      [...users, "  - Save(photo: file)"],
      [...users, "  - Save(photo: file, other: file)"],
      [...users, "  - Save(photo: file, other?: file)"],
    ),
  },
  "response-field-missing": {
    rule: "What callers count on is in every answer.",
    reason: "Code that reads the field finds nothing there, or null.",
    ...change(
      [...users, "  - Get() => (name: string, age: int32)"],
      [...users, "  - Get() => (name: string)"],
    ),
  },
  "response-value-unexpected": {
    rule: "What is answered is of a type that callers read.",
    reason: "A narrower type may take the place of a wider one, not the other way round.",
    ...change([...users, "  - Get() => (age: int32)"], [...users, "  - Get() => (age: int64)"]),
  },
  "response-enum-value-unknown": {
    rule: "Answers have no value of an enum that callers do not know.",
    reason:
      "Clients pass it on, so that nothing fails by itself; code that looks at each value meets one more.",
    ...change([...role, "  - USER", ...ofRole], [...role, "  - USER", "  - ADMIN", ...ofRole]),
  },
  "response-bound-loosened": {
    rule: "Bounds of answers are only ever tightened.",
    reason: "Whoever has made room for what the schema said may find more.",
    ...change(answered("+ maxLength = 20"), answered("+ maxLength = 40")),
  },
  "error-code-changed": {
    rule: "An error keeps its code.",
    reason: "Callers tell errors apart by it.",
    ...change(['error 1 Gone "gone"', ...users, getName], ['error 2 Gone "gone"', ...users, getName]),
  },
  "error-status-changed": {
    rule: "An error keeps its status of HTTP.",
    reason: "What stands between, as proxies and retries, decides by it.",
    ...change(
      ['error 1 Gone "gone" HTTP 404', ...users, getName],
      ['error 1 Gone "gone" HTTP 410', ...users, getName],
    ),
  },
  "error-unknown": {
    rule: "A method answers no errors that its callers do not expect.",
    reason:
      "They get it as an error like any other; code that looks at each error of the method meets one more.",
    ...change(
      [...twoErrors, ...users, `${getName} errors Gone`, "  - Ping() errors Busy"],
      [...twoErrors, ...users, `${getName} errors Gone | Busy`, "  - Ping() errors Busy"],
    ),
  },
  "error-unlisted": {
    rule: "An error that methods list stays listed by one of them.",
    reason:
      "An error that no method lists counts as the host's: it becomes an error of every method, in types and in documents.",
    ...change(
      [...twoErrors, ...users, `${getName} errors Gone | Busy`, "  - Ping() errors Busy"],
      [...twoErrors, ...users, `${getName} errors Busy`, "  - Ping() errors Busy"],
    ),
  },
  "error-newly-listed": {
    rule: "An error that no method lists stays unlisted.",
    reason:
      "The first method that lists it takes it from all others: code that handles it there no longer compiles, though hooks of the host may still raise it.",
    ...change(
      [...twoErrors, ...users, `${getName} errors Gone`, "  - Ping() errors Gone"],
      [...twoErrors, ...users, `${getName} errors Gone | Busy`, "  - Ping() errors Gone"],
    ),
  },
  "type-renamed": {
    rule: "Types and errors keep their names in code.",
    reason:
      "Names of types do not go over the wire, so that only code has to follow when it is compiled anew.",
    ...change(
      ["struct User", "  - name: string", ...users, "  - Get() => (user: User)"],
      ["struct Person", "  - name: string", ...users, "  - Get() => (user: Person)"],
    ),
  },
  "code-type-changed": {
    rule: "A value keeps its type in code.",
    reason: "The server reads both, and code that is compiled anew has to give the other.",
    ...change([...users, "  - Find(age: int64)"], [...users, "  - Find(age: bigint)"]),
  },
  "code-field-gone": {
    rule: "Fields that code of callers may read stay.",
    reason: "An optional field that never comes breaks no call; code that is compiled anew does not find it.",
    ...change(
      [...users, "  - Get() => (name: string, age?: int32)"],
      [...users, "  - Get() => (name: string)"],
    ),
  },
  "replay-broke": {
    rule: "Calls of one version are answered by the other.",
    reason:
      "This one was made, by the generated client of the one to the generated server of the other, and failed.",
    ...replayed([...users, "  - Find(age: int32)"], [...users, "  - Find(age: int16)"]),
  },
  "replay-differs": {
    rule: "Calls of one version mean the same to the other.",
    reason: "This one was made and answered, and one of the two sides saw another thing than before.",
    ...replayed([...users, "  - Find(name: string, age?: int32)"], [...users, "  - Find(name: string)"]),
  },
};

interface Pair {
  readonly bad: Example;
  readonly good: Example;
}

/** A schema before and after a change. The good one is `better`, or no change at all. */
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
