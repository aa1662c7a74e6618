import { expect, test } from "vitest";
import { convert } from "../../../generator/language/convert/convert.ts";
import { memoryReader } from "../../support/memory-reader.ts";

test.each([
  ["api.yaml", "openapi: 3.1.0\ninfo: { title: x }\npaths: {}\n", "an OpenAPI document"],
  ["api.yml", 'swagger: "2.0"\n', "an OpenAPI document"],
  ["api.json", '{"info":{"title":"x"},"openapi":"3.0.3","paths":{}}', "an OpenAPI document"],
  ["api.yaml", "asyncapi: 3.0.0\n", "an AsyncAPI document"],
  ["user.json", '{\n  "$schema": "https://json-schema.org/draft/2020-12/schema"\n}', "a JSON Schema"],
  ["user.yaml", "$defs: {}\n", "a JSON Schema"],
  ["shop.ridl", 'syntax = "proto3";\nmessage A {\n  string a = 1;\n}\n', "a Protocol Buffers file"],
  ["shop.proto", 'syntax = "proto3";\n', "a Protocol Buffers file"],
  ["shop.graphql", "type A { a: Int }\n", "a GraphQL schema"],
  ["shop.ridl", "type Query {\n  user(id: ID!): User\n}\n", "a GraphQL schema"],
])("%s with %j is reported as what it is, once", (path, text, what) => {
  const { diagnostics } = convert(path, memoryReader({ [path]: text }), { to: "ridl" });
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ["RK213", `"${path}" is ${what}, which ridlkit cannot read.`],
  ]);
});

test.each([
  ["a.yaml", "webrpc: v1\nopenapi: 3\n", ["RK611"]],
  ["a.ridl", "webrpc = v1\nstruct A\n - a: Nope # openapi: 3\n", ["RK308"]],
  ["a.ridl", "struct A\n - a: int\n", ["RK346"]],
])("mistakes in the schema %s stay as they are: %j", (path, text, codes) => {
  const { diagnostics } = convert(path, memoryReader({ [path]: text }), { to: "ridl" });
  expect(diagnostics.map(({ code }) => code)).toEqual(codes);
});
