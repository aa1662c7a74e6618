import { expect, test } from "vitest";
import { convert } from "../../../generator/convert/convert.ts";
import { memoryReader } from "../../support/memory-reader.ts";

test("a private comment stays right above its item, below comments that stand apart", () => {
  const ridl = `webrpc = v1

# Errors of the host.

#! ridlkit-ignore unused-errors: raised by the host
# Too many calls.
error 1 RateLimited "slow down" HTTP 429
`;
  const yaml = convert("api.ridl", memoryReader({ "api.ridl": ridl }), { to: "yaml" }).text ?? "";
  expect(yaml.slice(yaml.indexOf("errors:"))).toBe(`errors:
  # Errors of the host.

  #! ridlkit-ignore unused-errors: raised by the host
  # Too many calls.
  RateLimited: { code: 1, message: slow down, status: 429 }
`);
  expect(convert("api.yaml", memoryReader({ "api.yaml": yaml }), { to: "ridl" }).text).toBe(ridl);
});
