import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { formats } from "../../../../generator/verify/responses/response-validator.ts";
import { builtInTexts, plainWords } from "../../../../generator/verify/samples/example-texts.ts";
import { meaningOf, textMeanings } from "../../../../generator/verify/samples/meaning.ts";
import { seededRandom } from "../../../../generator/verify/samples/random.ts";
import { usualRange } from "../../../../generator/verify/samples/values.ts";

const ajv = new Ajv2020({ formats });

test.each(["email", "uri", "uuid", "date", "time", "date-time", "hostname", "ipv4", "ipv6"])(
  "texts of the format %s are valid",
  (format) => {
    const meaning = meaningOf(format, undefined);
    if (meaning === undefined) throw new Error("no meaning");
    const validate = ajv.compile({ type: "string", format });
    const random = seededRandom(1);
    const texts = Array.from({ length: 200 }, () => builtInTexts.text(meaning, random));
    expect(texts.filter((text) => !validate(text))).toEqual([]);
  },
);

test("each meaning has texts, and the same seed gives the same texts", () => {
  const all = (): string[] => {
    const random = seededRandom(7);
    return textMeanings.map((meaning) => builtInTexts.text(meaning, random));
  };
  expect(all()).toEqual(all());
  expect(all().filter((text) => text === "")).toEqual([]);
});

test.each<[struct: string, field: string, meaning: string | undefined]>([
  ["User", "name", "person"],
  ["Room", "name", "title"],
  ["User", "displayName", "person"],
  ["User", "title", "title"],
  ["Author", "heading", "title"],
  ["Room", "fileName", "title"],
  ["User", "firstName", "firstName"],
  ["User", "emailAddress", "email"],
  ["User", "e_mail", "email"],
  ["Wallet", "walletAddress", "hexAddress"],
  ["Shop", "address", "street"],
  ["Nft", "imageURL", "imageUrl"],
  ["Nft", "externalUrl", "url"],
  ["Tx", "txHash", "hexHash"],
  ["Pet", "created_at", "dateTime"],
  ["Pet", "chat", undefined],
  ["Pet", "ownerID", "id"],
  ["Pet", "grid", undefined],
  ["Pet", "price", "price"],
])("%s.%s is %s", (struct, field, meaning) => {
  expect(meaningOf(undefined, { struct, field })).toBe(meaning);
});

test("a format has priority over a name", () => {
  expect(meaningOf("uuid", { struct: "User", field: "email" })).toBe("uuid");
});

test.each([0, 1, 5, 24, 300])("words have the length %i", (length) => {
  const random = seededRandom(3);
  for (let time = 0; time < 50; time++) {
    const text = plainWords(length, random);
    expect(text).toHaveLength(length);
    expect(text.trim()).toBe(text);
  }
});

test.each<[low: number, high: number, range: object | undefined]>([
  [0, 1000, { low: 18, high: 80 }],
  [18, 80, { low: 18, high: 80 }],
  [20, 30, { low: 20, high: 30 }],
  [80, 90, { low: 80, high: 80 }],
  [81, 90, undefined],
])("bounds from %i to %i win over what an age usually is", (low, high, range) => {
  expect(usualRange({ struct: "Pet", field: "age" }, { low, high })).toEqual(range);
});
