import { expect, test } from "vitest";
import { isAdminHost } from "../../../../server/host/observability/admin-server.ts";

test.each([
  ["127.0.0.1:4001", true],
  ["10.0.0.7", true],
  ["[::1]:4001", true],
  ["[fd00::7]", true],
  ["localhost:4001", true],
  ["platform:4001", true],
  ["Platform", true],
  ["metrics.example:4001", true],
  ["METRICS.example", true],
  ["metrics.example.evil", false],
  ["evil.metrics.example", false],
  ["evil.example:4001", false],
  ["localhost.", false],
  ["127.0.0.1.evil.example", false],
  ["[evil]", false],
  ["[::1", false],
  ["", false],
  [undefined, false],
])("a request for metrics with host %s is accepted: %s", (host, expected) => {
  expect(isAdminHost(host, ["metrics.example"])).toBe(expected);
});
