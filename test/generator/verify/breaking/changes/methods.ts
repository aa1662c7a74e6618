import { both, type Change, change, contract, head } from "./change.ts";

/** A function and three types. */
const renames = ["type-renamed", "type-renamed", "type-renamed", "type-renamed"] as const;

function service(name: string, ...methods: readonly string[]): string {
  const lines = methods.map((method) => `  - ${method}(name: string) => (ok: bool)\n`);
  return `service ${name}\n${lines.join("")}`;
}

export const methodChanges: readonly Change[] = [
  both("a method more", {}, { methods: "  - More() => ()" }, ["same", "breaks"]),
  change(
    "a service before others, with a method of the same name",
    contract({}),
    contract({}).replace("service Shop", `${service("Ahead", "Do")}\nservice Shop`),
    ["same", "breaks", "name-reused"],
  ),
  change(
    "a service behind others, with a method of the same name",
    contract({}),
    `${contract({})}\n${service("Behind", "Do")}`,
    ["same", "breaks"],
  ),
  change(
    "a method whose name a later service has",
    `${contract({})}\n${service("Returns", "Get", "Do")}`,
    `${contract({ methods: "  - Get(name: string) => (ok: bool)" })}\n${service("Returns", "Get", "Do")}`,
    ["same", "breaks", "name-reused"],
  ),
  change(
    "a service less, whose method has the name of another one",
    `${contract({})}\n${service("Returns", "Do")}`,
    `${head}basepath = /rpc\n\n${service("Returns", "Do")}`,
    ["breaks", "same", "service-removed", "name-reused", ...renames],
  ),
  both("a method less", { methods: "  - More() => ()" }, {}, ["breaks", "same", "method-removed"]),
  both("a method renamed", {}, { method: "Make" }, ["breaks", "breaks", "method-removed"]),
  both(
    "a method renamed, as the schema says",
    {},
    { method: "Make", annotations: "@renamedFrom:Do", request: "name: string" },
    ["breaks", "breaks", "request-field-required", "method-removed"],
  ),
  both("a method moved to another service", {}, { service: "Store", annotations: "@renamedFrom:Shop.Do" }, [
    "breaks",
    "breaks",
    "method-removed",
  ]),
  both("a service renamed", {}, { service: "Store" }, ["breaks", "breaks", "service-removed"]),
  both("another base path", {}, { basepath: "/v2" }, ["breaks", "breaks", "basepath-changed"]),
  both("credentials", {}, { annotations: '@auth:"token"' }, ["breaks", "same", "credentials-required"]),
  both("other credentials", { annotations: '@auth:"token"' }, { annotations: '@auth:"token,secret"' }, [
    "breaks",
    "same",
    "credentials-required",
  ]),
  both("no credentials any more", { annotations: '@auth:"token"' }, { annotations: "@public" }, [
    "same",
    "breaks",
  ]),
  both("one answer became a stream", {}, { stream: true }, ["breaks", "breaks", "response-kind-changed"]),
  both("an item of a stream", { stream: true, answer: "n: int8" }, { stream: true, answer: "n: int16" }, [
    "breaks",
    "same",
    "response-value-unexpected",
  ]),
  both("a field of an item of a stream more", { stream: true }, { stream: true, answer: "n: int16" }, [
    "same",
    "breaks",
  ]),
  both("not idempotent any more", { annotations: "@idempotent" }, {}, ["differs", "same", "repeat-unsafe"]),
  both("without keys", { annotations: "@idempotencyKey" }, {}, ["differs", "same", "repeat-unsafe"]),
  both("repeated only with a key", { annotations: "@idempotent" }, { annotations: "@idempotencyKey" }, [
    "differs",
    "same",
    "repeat-unsafe",
  ]),
  both("not cached any more", { annotations: '@readonly @cache:"60s"' }, { annotations: "@readonly" }, [
    "differs",
    "same",
    "read-removed",
  ]),
];
