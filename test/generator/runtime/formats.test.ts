/** Formats of text: each limit, and agreement with the checks that JSON Schema validators use. */
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { checkedFormats, hasFormat } from "../../../generator/language/model/meta/keys.ts";
import { seededRandom } from "../../../generator/verify/samples/random.ts";
import { isInstalled, packagePath } from "../../openapi/tools.ts";

const label63 = "a".repeat(63);

const rows: Readonly<
  Record<string, { readonly valid: readonly string[]; readonly invalid: readonly string[] }>
> = {
  date: {
    valid: ["2026-02-28", "2028-02-29", "2000-02-29", "0000-01-01", "9999-12-31"],
    invalid: [
      "2026-02-29",
      "1900-02-29",
      "2026-02-30",
      "2026-04-31",
      "2026-13-01",
      "2026-00-10",
      "2026-01-00",
      "26-01-01",
      "2026-1-1",
      " 2026-01-01",
      "2026-01-01\n",
      "2026-01-01T00:00:00Z",
      "",
    ],
  },
  time: {
    valid: [
      "00:00:00Z",
      "23:59:59.123456789z",
      "09:30:00+02:00",
      "23:59:60Z",
      "15:59:60-08:00",
      "01:29:60+01:30",
    ],
    invalid: [
      "24:00:00Z",
      "09:60:00Z",
      "09:30:61Z",
      "09:30:00",
      "09:30Z",
      "9:30:00Z",
      "09:30:00+24:00",
      "09:30:00+02:60",
      "12:00:60Z",
      "23:59:60+01:00",
      "09:30:00.Z",
      "09:30:00Z\n",
    ],
  },
  "date-time": {
    valid: ["2026-02-28T09:30:00Z", "2026-02-28t09:30:00.5+02:00"],
    invalid: ["2026-02-30T09:30:00Z", "2026-02-28 09:30:00Z", "2026-02-28T09:30:00", "2026-02-28"],
  },
  duration: {
    valid: ["P1Y", "P1Y2M3DT4H5M6S", "PT90M", "P2W", "PT0S"],
    invalid: ["P", "PT", "P1YT", "1Y", "P1S", "P1W2D", "-P1Y", "P1.5Y", "pt1h", "PT1M1H"],
  },
  decimal: {
    valid: ["0", "-0.5", "12.50", "123456789012345678901234567890.1"],
    invalid: ["", "-", "1.", ".5", "01", "+1", "1e3", "1,5", "NaN", "0x1", " 1", "1\n"],
  },
  uuid: {
    valid: ["00000000-0000-0000-0000-000000000000", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"],
    invalid: [
      "f81d4fae7dec11d0a76500a0c91e6bf6",
      "f81d4fae-7dec-11d0-a765-00a0c91e6bf",
      "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}",
      "g81d4fae-7dec-11d0-a765-00a0c91e6bf6",
      "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    ],
  },
  email: {
    valid: [
      "ada@example.com",
      "a.b+c@sub.example.co",
      "o'neil@example.com",
      `${"a".repeat(242)}@example.com`,
    ],
    invalid: [
      "ada",
      "@example.com",
      "ada@",
      "ada@example",
      "a b@example.com",
      ".a@example.com",
      "a.@example.com",
      "a..b@example.com",
      "a@-x.com",
      "a@x-.com",
      "a@b@example.com",
      '"a b"@example.com',
      "a@example..com",
      `${"a".repeat(243)}@example.com`,
      "a@example.com\n",
    ],
  },
  hostname: {
    valid: [
      "localhost",
      "example.com",
      "a-b.example",
      label63,
      [label63, label63, label63, "a".repeat(61)].join("."),
    ],
    invalid: [
      "",
      "-a.com",
      "a-.com",
      "a..b",
      "a_b",
      `${label63}a`,
      [label63, label63, label63, "a".repeat(62)].join("."),
      "a.com:80",
    ],
  },
  ipv4: {
    valid: ["0.0.0.0", "255.255.255.255", "192.0.2.1"],
    invalid: ["256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.4.", "1.2.3.a", "1.2.3.4\n"],
  },
  ipv6: {
    valid: [
      "::",
      "::1",
      "1::",
      "2001:db8::1",
      "1:2:3:4:5:6:7:8",
      "::ffff:192.0.2.1",
      "1:2:3:4:5:6:192.0.2.1",
      "1:2:3:4:5:6:7::",
      "::2:3:4:5:6:7:8",
      "FE80::A",
      // The longest one has 45 characters.
      "1111:2222:3333:4444:5555:6666:123.123.123.123",
    ],
    invalid: [
      "",
      ":",
      ":::",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "1::2::3",
      "12345::",
      "g::",
      "::1%eth0",
      "1:2:3:4:5:6:7:192.0.2.1",
      "192.0.2.1",
      "192.0.2.1::",
      ":1:2:3:4:5:6:7",
      "::256.0.0.1",
      "1111:2222:3333:4444:5555:6666:0123.123.123.123",
    ],
  },
  uri: {
    valid: [
      "https://example.com",
      "https://u:p@example.com:8080/a/b;c?d=e/f#g?h",
      "http://[2001:db8::1]/",
      "http://[v1.a:b]",
      "urn:isbn:0451450523",
      "mailto:ada@example.com",
      "a+b-c.d:/x",
      "file:///a",
      "http://example.com/%20",
    ],
    invalid: [
      "",
      "example.com",
      "/a",
      "//example.com",
      "1a:b",
      "http://exa mple.com",
      "http://example.com/%2",
      "http://example.com/ü",
      "http://[1]/",
      "http://a:b:c",
      "a:",
      "http://example.com/#a#b",
      "http://example.com/a[b]",
      "http://example.com/\n",
      "http://a@b@c/",
      "https://",
      "http:///a",
    ],
  },
};

test("every checked format has rows", () => {
  expect(Object.keys(rows).sort()).toEqual(Object.keys(checkedFormats).sort());
});

describe.each(Object.entries(rows))("%s", (format, { valid, invalid }) => {
  test.each(valid)("%j is valid", (text) => expect(hasFormat(text, format)).toBe(true));
  test.each(invalid)("%j is invalid", (text) => expect(hasFormat(text, format)).toBe(false));

  // Quadratic time would take minutes.
  test("long texts take linear time", () => {
    for (const part of ["a", "-", ".", "a.", "1", "1:", "%", "@", "0:", "P", "a-"])
      for (const [start, end] of [
        ["", ""],
        ["a@", "!"],
        ["http://", "@"],
        ["P", "x"],
        ["1.", "x"],
      ] as const) {
        hasFormat(`${start}${part.repeat(200_000)}${end}`, format);
      }
  });
});

type Checks = Readonly<
  Record<string, ((text: string) => boolean) | RegExp | { readonly validate: (text: string) => boolean }>
>;

/** Ajv accepts more: a dot after host names, offsets such as `+0200`, UUIDs as URNs, longer emails, and `http://a:b:c` as a path, and `http:/[::1]`. */
const looser: Readonly<Record<string, RegExp>> = {
  time: /[+-]\d\d(?:\d\d)?$/,
  "date-time": /[+-]\d\d(?:\d\d)?$|[^t]\d\d:/i,
  uuid: /^urn:uuid:/i,
  hostname: /\.$/,
  email: /^.{255}/,
  uri: /^[^:]*:\//,
};

const require = createRequire(import.meta.url);

test.runIf(isInstalled)("100,000 generated texts have the same formats for Ajv", () => {
  const { fullFormats } = require(packagePath("ajv-formats/dist/formats.js")) as { fullFormats: Checks };
  const random = seededRandom(7);
  const names = Object.keys(rows).filter((name) => Object.hasOwn(fullFormats, name));
  expect(names).toHaveLength(Object.keys(rows).length - 1);
  const seeds = names.flatMap((name) => [...(rows[name]?.valid ?? []), ...(rows[name]?.invalid ?? [])]);
  const alphabet = [..."0123456789abcfgzTZPYMWDHS:.-+@/?#[]%&=~_ \nü"];
  const counts = { valid: 0, invalid: 0 };
  for (let count = 0; count < 100_000; count++) {
    const text = mutated(random.pick(seeds), alphabet, random);
    const name = random.pick(names);
    const ours = hasFormat(text, name);
    counts[ours ? "valid" : "invalid"]++;
    const check = fullFormats[name];
    const theirs =
      check instanceof RegExp
        ? check.test(text)
        : typeof check === "function"
          ? check(text)
          : check?.validate(text);
    if (ours !== theirs && (ours || looser[name]?.test(text) !== true))
      expect.fail(`${name} ${JSON.stringify(text)}: ${ours}, Ajv ${theirs}`);
  }
  expect(counts.valid).toBeGreaterThan(2_000);
});

function mutated(seed: string, alphabet: readonly string[], random: ReturnType<typeof seededRandom>): string {
  let text = seed;
  for (let edits = random.below(3); edits > 0; edits--) {
    const at = random.below(text.length + 1);
    const cut = random.below(2);
    const added = random.below(3) === 0 ? "" : random.pick(alphabet);
    text = text.slice(0, at) + added + text.slice(at + cut);
  }
  return text;
}
