import { expect, test } from "vitest";
import { hideSecretsOf, hideUrlSecrets } from "../../../server/base/url-secrets.ts";

test.each([
  ["https://node.example", "https://node.example"],
  ["https://user@node.example/", "https://[redacted]@node.example/"],
  ["https://:password@node.example/", "https://[redacted]@node.example/"],
  ["https://user:password@node.example/", "https://[redacted]@node.example/"],
  ["https://user:p@ssword@node.example/", "https://[redacted]@node.example/"],
  ["https://node.example/?", "https://node.example/?"],
  ["https://node.example/?k", "https://node.example/?[redacted]"],
  ["https://node.example/#k", "https://node.example/#[redacted]"],
  ["WSS://node.example/Key", "WSS://node.example/[redacted]"],
  ["postgres://node.example/Key", "postgres://node.example/Key"],
  ['it answered <a href="https://a.example/Key">', 'it answered <a href="https://a.example/[redacted]">'],
])("%s is shown as %s", (text, told) => {
  expect(hideUrlSecrets(text)).toBe(told);
});

test.each([
  ["v1", true],
  ["v123", true],
  ["v1234", false],
  ["137", true],
  ["999999", true],
  ["1000000", false],
  ["mainnets", true],
  ["mainnetss", false],
  ["a-b-c-d", true],
  ["a-b-c-d-e", false],
  ["Rpc", false],
  ["rpc1", false],
])("whether the path segment %s is a word and not a key: %s", (part, isPlain) => {
  expect(hideUrlSecrets(`https://node.example/${part}/`)).toBe(
    `https://node.example/${isPlain ? part : "[redacted]"}/`,
  );
});

test.each([
  ["ab", "ab"],
  ["abc", "[redacted]"],
])("a key %s that a provider quotes is shown as %s: shorter keys occur in too many words", (key, told) => {
  const hide = hideSecretsOf(`https://node.example/v2?apikey=${key}`);
  expect(hide(`the key ${key} is used up`)).toBe(`the key ${told} is used up`);
});

test.each([
  ["https://us%20er:p%2Fw!@node.example/", "us er has not p/w!, nor p%2Fw!"],
  ["https://node.example/Long/LongKey", "LongKey has not Long, nor longkey"],
])("the keys of %s are hidden however they are written", (url, quoted) => {
  expect(hideSecretsOf(url)(quoted)).toBe("[redacted] has not [redacted], nor [redacted]");
});
