import { both, type Change, gone, kinds, type Parts } from "./change.ts";

const busy = 'error 2 Busy "busy" HTTP 409';

const twoErrors: Parts = { errors: `${gone}\n${busy}` };

const dataOf = (type: string): string =>
  `struct Usage\n  - limit: ${type}\ntype GoneData: Usage\n  + errorData = Gone`;

export const errorChanges: readonly Change[] = [
  both(
    "an error's code",
    { errors: gone, clause: " errors Gone" },
    { errors: gone.replace("1", "7"), clause: " errors Gone" },
    ["breaks", "breaks", "error-code-changed"],
  ),
  both(
    "an error's status",
    { errors: gone, clause: " errors Gone" },
    { errors: gone.replace("404", "410"), clause: " errors Gone" },
    ["differs", "differs", "error-status-changed"],
  ),
  both(
    "an error's words",
    { errors: gone, clause: " errors Gone" },
    { errors: gone.replace('"gone"', '"it is gone"'), clause: " errors Gone" },
    ["same", "same"],
  ),
  both(
    "an error's data",
    { errors: gone, clause: " errors Gone" },
    { errors: `${gone}\n${dataOf("uint32")}`, clause: " errors Gone" },
    ["same", "differs"],
  ),
  both(
    "an error's data less",
    { errors: `${gone}\n${dataOf("uint32")}`, clause: " errors Gone" },
    { errors: gone, clause: " errors Gone" },
    ["differs", "same", "error-data-missing"],
  ),
  both(
    "another type in an error's data",
    { errors: `${gone}\n${dataOf("uint32")}`, clause: " errors Gone" },
    { errors: `${gone}\n${dataOf("string")}`, clause: " errors Gone" },
    ["breaks", "breaks", "response-value-unexpected"],
  ),
  both(
    "a value in an error's data that callers do not know",
    { errors: `${gone}\n${dataOf("Kind")}`, types: kinds("a b c d e f g h"), clause: " errors Gone" },
    { errors: `${gone}\n${dataOf("Kind")}`, types: kinds("a b c d e f g h i"), clause: " errors Gone" },
    ["differs", "same", "response-enum-value-unknown"],
  ),
  both(
    "an error of a method more",
    { ...twoErrors, clause: " errors Gone", methods: "  - Ping() errors Busy" },
    { ...twoErrors, clause: " errors Gone | Busy", methods: "  - Ping() errors Busy" },
    ["differs", "same", "error-unknown"],
  ),
  both(
    "an error of a method less",
    { ...twoErrors, clause: " errors Gone | Busy", methods: "  - Ping() errors Busy" },
    { ...twoErrors, clause: " errors Gone", methods: "  - Ping() errors Busy" },
    ["same", "differs"],
  ),
  both(
    "the last mention of an error went",
    { ...twoErrors, clause: " errors Gone | Busy", methods: "  - Ping() errors Gone" },
    { ...twoErrors, clause: " errors Gone", methods: "  - Ping() errors Gone" },
    ["differs", "same", "error-unlisted"],
  ),
  both(
    "the last mention of an error went, and every method may return any error",
    { ...twoErrors, clause: " errors Gone | Busy", methods: "  - Ping()" },
    { ...twoErrors, methods: "  - Ping()" },
    ["same", "same"],
  ),
  both(
    "the first mention of an error came",
    { ...twoErrors, clause: " errors Gone", methods: "  - Ping() errors Gone" },
    { ...twoErrors, clause: " errors Gone | Busy", methods: "  - Ping() errors Gone" },
    ["same", "differs", "error-newly-listed"],
  ),
  both(
    "the first mention of an error came, and no other method has a list",
    { ...twoErrors, clause: " errors Gone", methods: "  - Ping()" },
    { ...twoErrors, clause: " errors Gone | Busy", methods: "  - Ping()" },
    ["same", "same"],
  ),
  both(
    "a mention of an error went to another method",
    { ...twoErrors, clause: " errors Gone | Busy", methods: "  - Ping() errors Gone" },
    { ...twoErrors, clause: " errors Gone", methods: "  - Ping() errors Gone | Busy" },
    ["differs", "differs", "error-unknown"],
  ),
  both("@noErrors came", { errors: gone }, { errors: gone, annotations: "@noErrors" }, ["same", "same"]),
  both(
    "@noErrors came in place of nothing, and another method lists the error",
    { errors: gone, methods: "  - Ping() errors Gone" },
    { errors: gone, annotations: "@noErrors", methods: "  - Ping() errors Gone" },
    ["same", "differs"],
  ),
  both(
    "@noErrors went",
    { errors: gone, annotations: "@noErrors", methods: "  - Ping() errors Gone" },
    { errors: gone, methods: "  - Ping() errors Gone" },
    ["differs", "same", "error-unknown"],
  ),
  both(
    "@noErrors came in place of the last mention",
    { errors: gone, clause: " errors Gone", methods: "  @noErrors\n  - Ping()" },
    { errors: gone, annotations: "@noErrors", methods: "  @noErrors\n  - Ping()" },
    ["differs", "same", "error-unlisted"],
  ),
  both(
    "an error that no method lists more",
    { errors: gone, clause: " errors Gone" },
    { ...twoErrors, clause: " errors Gone" },
    ["differs", "same", "error-unknown"],
  ),
  both(
    "a new error that one method lists",
    { errors: gone, clause: " errors Gone", methods: "  - Ping()" },
    { ...twoErrors, clause: " errors Gone", methods: "  - Ping() errors Busy" },
    ["differs", "differs", "error-unknown"],
  ),
  both(
    "a new error that one method lists, beside a method without a list",
    { errors: gone, methods: "  - Ping()" },
    { ...twoErrors, methods: "  - Ping() errors Busy" },
    ["differs", "same", "error-unknown"],
  ),
  both("a declared error more", { errors: gone }, { errors: `${gone}\n${busy}` }, [
    "differs",
    "same",
    "error-unknown",
  ]),
];
