import { expect, test } from "vitest";
import { noResponseText } from "../../../../generator/tools/cli/servers/failures.ts";

test("the reason of a failed connection cannot control the terminal", () => {
  expect(noResponseText("http://a.example", new Error("\u001b[31mred"))).toBe(
    "No response from http://a.example: <U+001B>[31mred. Start the server, or check --url.",
  );
});

test("a port that fetch blocks is named", async () => {
  const err = await fetch("http://127.0.0.1:6000").catch((reason: unknown) => reason);
  expect(noResponseText("http://127.0.0.1:6000", err)).toBe(
    "No response from http://127.0.0.1:6000: the Fetch standard blocks port 6000. Let the server listen on another one.",
  );
});
