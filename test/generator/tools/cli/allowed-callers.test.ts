import { expect, test } from "vitest";
import { allowedCallers } from "../../../../generator/tools/cli/servers/server-options.ts";

test("the options are lists; without them, only callers of this machine are allowed", () => {
  expect(allowedCallers({})).toEqual({ hosts: [], origins: [] });
  expect(
    allowedCallers({
      allowHost: "dev.example, [::2]",
      allowOrigin: "https://app.example,http://b.example:8080",
    }),
  ).toEqual({ hosts: ["dev.example", "[::2]"], origins: ["https://app.example", "http://b.example:8080"] });
});

test.each(["dev.example:3000", "http://dev.example", "*", "a b"])("%s is no name of a host", (allowHost) => {
  expect(allowedCallers({ allowHost })).toBe(
    `--allow-host takes host names without a port, such as dev.example; found "${allowHost}".`,
  );
});

test.each(["app.example", "https://app.example/", "https://app.example/page", "null", "*"])(
  "%s is no origin",
  (allowOrigin) => {
    expect(allowedCallers({ allowOrigin })).toBe(
      `--allow-origin takes origins without a path, such as https://app.example; found "${allowOrigin}".`,
    );
  },
);
