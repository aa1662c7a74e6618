import { expect, test } from "vitest";
import { connect } from "../../client/index.ts";

test.each(["http://host", "https://host/", "https://host:1/path//"])("%s is the URL of a platform", (url) => {
  expect(() => connect({ url })).not.toThrow();
});

test.each([
  ["host", 'invalid url "host"'],
  ["ftp://host", 'found "ftp:"'],
  ["xhttp://host", 'found "xhttp:"'],
  ["httpsx://host", 'found "httpsx:"'],
  ["http://host?a=1", 'remove "?a=1"'],
  ["http://host#a", 'remove "#a"'],
  ["http://host/?a=1#b", 'remove "?a=1#b"'],
])("%s is no URL of a platform", (url, message) => {
  expect(() => connect({ url })).toThrow(TypeError);
  expect(() => connect({ url })).toThrow(message);
});
