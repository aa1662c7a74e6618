import { answer, type Change } from "./change.ts";

export const responseChanges: readonly Change[] = [
  answer("a field more", "", "name: string", ["same", "breaks"]),
  answer("a required field less", "name: string", "", ["breaks", "same", "response-field-missing"]),
  answer("an optional field less", "name?: string", "", ["same", "same", "code-field-removed"]),
  answer(
    "an optional field renamed, as the schema says",
    "name?: string",
    "title?: string + renamedFrom = name",
    ["same", "same", "code-field-removed"],
  ),
  answer("required became optional", "name: string", "name?: string", [
    "breaks",
    "same",
    "response-field-missing",
  ]),
  answer("optional became required", "name?: string", "name: string", ["same", "breaks"]),
  answer("null where nothing was", "name?: string", "name?: string + nullable = always", [
    "breaks",
    "breaks",
    "response-field-missing",
  ]),
  answer("renamed", "name: string", "title: string", ["breaks", "breaks", "response-field-missing"]),
  answer("renamed with a twin", "name: string", "title: string + twin = name", ["same", "breaks"]),
  answer("int32 became int64", "n: int32", "n: int64", ["breaks", "same", "response-value-unexpected"]),
  answer("int64 became int32", "n: int64", "n: int32", ["same", "breaks"]),
  answer("int64 became bigint", "n: int64", "n: bigint", ["breaks", "breaks", "response-value-unexpected"]),
  answer("a looser bound", "name: string + maxLength = 5", "name: string + maxLength = 9", [
    "differs",
    "same",
    "response-bound-loosened",
  ]),
  answer("a tighter bound", "name: string + maxLength = 9", "name: string + maxLength = 5", [
    "same",
    "differs",
  ]),
  answer("a struct became a list", "in: Part", "in: []Part", [
    "breaks",
    "breaks",
    "response-value-unexpected",
  ]),
];
