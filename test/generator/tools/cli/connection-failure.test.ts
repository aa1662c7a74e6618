import { expect, test } from "vitest";
import { noResponseText } from "../../../../generator/tools/cli/servers/connection-failure.ts";

test("the reason of a failed connection cannot control the terminal", () => {
  expect(noResponseText("http://a.example", new Error("\u001b[31mred"))).toBe(
    "No response from http://a.example: <U+001B>[31mred. Start the server, or check --url.",
  );
});
