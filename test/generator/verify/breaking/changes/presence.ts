import { type Change, request } from "./change.ts";

export const presenceChanges: readonly Change[] = [
  request("a required field more", "", "name: string", ["breaks", "differs", "request-field-required"]),
  request("a required field with a default more", "", "name: string + default = x", ["same", "differs"]),
  request("an optional field more", "", "name?: string", ["same", "differs"]),
  request("a required field less", "name: string", "", ["differs", "breaks", "request-field-ignored"]),
  request("an optional field less", "name?: string", "", ["differs", "same", "request-field-ignored"]),
  request("required became optional", "name: string", "name?: string", ["same", "breaks"]),
  request("optional became required", "name?: string", "name: string", [
    "breaks",
    "same",
    "request-field-required",
  ]),
  request("required got a default", "name: string", "name: string + default = x", ["same", "breaks"]),
  request("another default", "name?: string + default = a", "name?: string + default = b", [
    "differs",
    "differs",
    "default-changed",
  ]),
  request("renamed", "name: string", "title: string", ["breaks", "breaks", "request-field-required"]),
  request("renamed, as the schema says", "name: string", "title: string + renamedFrom = name", [
    "breaks",
    "breaks",
    "request-field-required",
  ]),
  request(
    "an optional field renamed, as the schema says",
    "name?: string",
    "title?: string + renamedFrom = name",
    ["differs", "differs", "request-field-ignored"],
  ),
  request("an optional field renamed to its alias", "name?: string + alias = title", "title?: string", [
    "differs",
    "same",
    "request-field-ignored",
  ]),
  request("an optional field with another name", "name?: string", "title?: string", [
    "differs",
    "differs",
    "request-field-ignored",
  ]),
  request("renamed with its name on the wire", "name: string", "title: string + json = name", [
    "same",
    "same",
  ]),
  request("renamed with an alias", "name: string", "title: string + alias = name", ["same", "breaks"]),
  request("an alias less", "name: string + alias = title", "name: string", [
    "breaks",
    "same",
    "request-form-rejected",
  ]),
  ...[
    ["null gains a meaning", "name?: string", "name?: string + nullable = always"] as const,
    ["null loses its meaning", "name?: string + nullable = always", "name?: string"] as const,
  ].map(([name, before, now]) => request(name, before, now, ["differs", "differs", "null-changed"])),
  request(
    "null means the default",
    "name?: string + nullable = always + default = a",
    "name: string + default = a",
    ["same", "same"],
  ),
  request("null still means absent", "name?: string", "name?: string + nullable = read", ["same", "same"]),
  request("null where a value was", "name: string", "name: string + nullable = always", ["same", "breaks"]),
  request("a field that may be null becomes required", "name: string + nullable = always", "name: string", [
    "breaks",
    "same",
    "request-field-required",
  ]),
];
