import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { formats } from "../../../../generator/verify/responses/response-validator.ts";

const ajv = new Ajv2020({ strict: false, formats });

test.each<[format: string, valid: readonly unknown[], invalid: readonly unknown[]]>([
  ["date", ["2026-12-31", "2024-02-29", "0001-01-01"], ["2026-02-29", "2026-13-01", "2026-1-1", "tomorrow"]],
  ["time", ["23:59:59Z", "23:59:60Z", "00:00:00.5+14:00"], ["24:00:00Z", "12:00:00", "12:60:00Z"]],
  [
    "date-time",
    ["2026-03-04T05:06:07Z", "2026-03-04t05:06:07.123456789+02:00"],
    ["2026-02-30T00:00:00Z", "2026-03-04 05:06:07Z", "2026-03-04T05:06:07"],
  ],
  [
    "email",
    ["a@b.example", "a.b+c@b.example", `${"a".repeat(242)}@mail.example`.slice(-254)],
    ["a", "@b", "a@", "a b@c.example", "a..b@c.example", `${"a".repeat(243)}@mail.example`],
  ],
  [
    "hostname",
    ["localhost", "a-b.example", `${"a".repeat(63)}.example`],
    ["", "-a", "a_b", `${"a".repeat(64)}.example`],
  ],
  ["ipv4", ["0.0.0.0", "255.255.255.255"], ["256.0.0.1", "::1", "1.2.3", "1.2.3.4.", "1.2.3.4.5"]],
  ["ipv6", ["::1", "2001:db8::"], ["1.2.3.4", ":::"]],
  [
    "uri",
    ["https://a.example/b?c=d#e", "urn:ridl:pets", "mailto:a@b.example"],
    ["/relative", "a b:c", "https://", "https://a.example/%zz"],
  ],
  [
    "uuid",
    ["123e4567-e89b-12d3-a456-426614174000"],
    ["123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400"],
  ],
  ["int32", [-2147483648, 2147483647], [-2147483649, 2147483648]],
  ["int64", [-(2 ** 63), 2 ** 63 - 1024], [-(2 ** 63) - 2048, 2 ** 63 + 2048]],
  ["uint64", [0, 2 ** 64 - 2048], [-1, 2 ** 64 + 4096]],
])("%s", (format, valid, invalid) => {
  const validate = ajv.compile({ format });
  expect(valid.filter((value) => !validate(value))).toEqual([]);
  expect(invalid.filter((value) => validate(value))).toEqual([]);
});
