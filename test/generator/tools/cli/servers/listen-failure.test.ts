import { expect, test } from "vitest";
import { listenFailure } from "../../../../../generator/tools/cli/servers/failures.ts";

test.each([
  ["EADDRINUSE", "Cannot listen on port 80: another program uses it. Choose another with --port."],
  ["EACCES", "Cannot listen on port 80: permission was denied. Choose another with --port."],
  [
    "EADDRNOTAVAIL",
    "Cannot listen on port 80: the system reported EADDRNOTAVAIL. Choose another with --port.",
  ],
  [undefined, undefined],
])("an error with the code %s is reported as %s", (code, message) => {
  expect(listenFailure(Object.assign(new Error("listen"), { code }), 80)).toBe(message);
});
