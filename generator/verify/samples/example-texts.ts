import type { TextMeaning } from "./meaning.ts";
import type { Random } from "./random.ts";

/** A source of realistic strings: a built-in table, or a package such as Faker. */
export interface TextSource {
  text(meaning: TextMeaning, random: Random): string;
}

const firstNames = "Ada Amir Clara Diego Emma Femi Hana Ivan Leila Noah Otto Rosa".split(" ");
const lastNames = "Berg Costa Diaz Fischer Haddad Ito Kaya Lopez Moreau Novak Okafor Silva".split(" ");
const cities = "Berlin Lagos Lima Lisbon Montreal Nairobi Osaka Oslo Porto Seoul".split(" ");
const streets = ["Garden Street", "Harbour Road", "Mill Lane", "Park Avenue", "Station Road"];
const adjectives = ["Amber", "Bright", "Calm", "Golden", "Northern", "Quiet", "Silver", "Swift"];
const nouns = ["Bridge", "Falcon", "Forest", "Harbour", "Lantern", "Meadow", "River", "Summit"];
const sentences = [
  "Arrives within two days.",
  "Checked and ready for use.",
  "Works as described.",
  "Please call before you come.",
  "A good start for everyone.",
];

const hex = (random: Random, digits: number): string =>
  Array.from({ length: digits }, () => random.below(16).toString(16)).join("");
const twoDigits = (value: number): string => String(value).padStart(2, "0");
const date = (random: Random): string =>
  `2026-${twoDigits(1 + random.below(12))}-${twoDigits(1 + random.below(28))}`;
const time = (random: Random): string =>
  [24, 60, 60].map((bound) => twoDigits(random.below(bound))).join(":");
const slug = (random: Random): string => `${random.pick(adjectives)}-${random.pick(nouns)}`.toLowerCase();

/** Host names use reserved domains (RFC 2606), and phone numbers are reserved for fiction. */
const textGenerators: Readonly<Record<TextMeaning, (random: Random) => string>> = {
  person: (random) => `${random.pick(firstNames)} ${random.pick(lastNames)}`,
  firstName: (random) => random.pick(firstNames),
  lastName: (random) => random.pick(lastNames),
  username: (random) => `${random.pick(firstNames)}${random.below(100)}`.toLowerCase(),
  email: (random) => `${random.pick(firstNames)}.${random.pick(lastNames)}@mail.example`.toLowerCase(),
  phone: (random) => `+1202555${String(100 + random.below(100)).padStart(4, "0")}`,
  company: (random) => `${random.pick(lastNames)} ${random.pick(["Ltd", "Inc", "GmbH", "Labs"])}`,
  street: (random) => `${1 + random.below(99)} ${random.pick(streets)}`,
  city: (random) => random.pick(cities),
  country: (random) => random.pick(["Brazil", "Canada", "Germany", "Japan", "Kenya", "Portugal"]),
  countryCode: (random) => random.pick(["BR", "CA", "DE", "JP", "KE", "PT"]),
  postcode: (random) => String(10_000 + random.below(89_999)),
  url: (random) => `https://www.example.com/${slug(random)}`,
  imageUrl: (random) => `https://www.example.com/images/${slug(random)}.png`,
  hostname: (random) => `${slug(random)}.example.com`,
  ipv4: (random) => `192.0.2.${random.below(256)}`,
  ipv6: (random) => `2001:db8::${hex(random, 4)}`,
  uuid: (random) =>
    `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`,
  id: (random) => hex(random, 12),
  date,
  time: (random) => `${time(random)}Z`,
  dateTime: (random) => `${date(random)}T${time(random)}Z`,
  duration: (random) => `PT${5 * (1 + random.below(24))}M`,
  decimal: (random) => `${random.below(200)}.${twoDigits(random.below(100))}`,
  title: (random) => `${random.pick(adjectives)} ${random.pick(nouns)}`,
  sentence: (random) => random.pick(sentences),
  word: (random) => random.pick(nouns).toLowerCase(),
  slug,
  color: (random) => `#${hex(random, 6)}`,
  currency: (random) => random.pick(["EUR", "USD", "JPY", "GBP", "BRL"]),
  locale: (random) => random.pick(["de-DE", "en-GB", "ja-JP", "pt-BR"]),
  timezone: (random) => random.pick(["Africa/Lagos", "America/Lima", "Asia/Tokyo", "Europe/Berlin"]),
  hexAddress: (random) => `0x${hex(random, 40)}`,
  hexHash: (random) => `0x${hex(random, 64)}`,
  price: (random) => `${1 + random.below(200)}.${twoDigits(random.below(100))}`,
};

export const builtInTexts: TextSource = { text: (meaning, random) => textGenerators[meaning](random) };

/** Joins words into a string of exactly this length. */
export function plainWords(length: number, random: Random): string {
  let text = random.pick(adjectives);
  while (text.length < length)
    text += ` ${random.pick(random.chance(50) ? nouns : adjectives).toLowerCase()}`;
  // Servers may trim a space at the end.
  return text.slice(0, length).replace(/ $/, "s");
}

/** The start and the end of texts of a format, whose middle has any length. */
const formatEnds: Readonly<Record<string, readonly (readonly [start: string, end: string])[]>> = {
  email: [
    ["a@", ".test"],
    ["a@", ".co"],
    ["a@", ""],
  ],
  hostname: [
    ["", ".test"],
    ["", ""],
  ],
  uri: [
    ["https://a.test/", ""],
    ["a:", ""],
  ],
  ipv4: [["1.1.1.1", ""]],
  ipv6: [["::1", ""]],
};

/** Texts of a format with the wanted lengths, and with usual lengths. They may violate other rules. */
export function textsOfFormat(format: string | undefined, lengths: readonly number[]): readonly string[] {
  if (format === "decimal") return [...lengths, 1].map((length) => "1".repeat(length));
  const ends = formatEnds[format ?? ""] ?? [];
  return [...lengths, 24, 16, 12, 8, 4].flatMap((length) =>
    ends.map(([start, end]) => `${start}${labels(length - start.length - end.length)}${end}`),
  );
}

/** Characters with a dot after every 60, because the labels of a host name have at most 63. */
function labels(length: number): string {
  const isDot = (index: number): boolean => index % 61 === 60 && index < length - 1;
  return Array.from({ length: Math.max(0, length) }, (_, index) => (isDot(index) ? "." : "a")).join("");
}

type Make = () => unknown;

/** The part of `@faker-js/faker` that is used here. */
export interface Faker {
  seed(seed: number): unknown;
  readonly person: { readonly fullName: Make; readonly firstName: Make; readonly lastName: Make };
  readonly internet: { readonly username: Make };
  readonly company: { readonly name: Make };
  readonly location: {
    readonly streetAddress: Make;
    readonly city: Make;
    readonly country: Make;
    readonly countryCode: Make;
    readonly zipCode: Make;
  };
  readonly commerce: { readonly productName: Make };
  readonly lorem: { readonly sentence: Make; readonly word: Make };
}

/** Faker provides people, places and words. Hosts, keys and dates stay built in: they are reproducible and reserved for examples. */
const fakerGenerators: Partial<Readonly<Record<TextMeaning, (faker: Faker) => unknown>>> = {
  person: ({ person }) => person.fullName(),
  firstName: ({ person }) => person.firstName(),
  lastName: ({ person }) => person.lastName(),
  username: ({ internet }) => internet.username(),
  company: ({ company }) => company.name(),
  street: ({ location }) => location.streetAddress(),
  city: ({ location }) => location.city(),
  country: ({ location }) => location.country(),
  countryCode: ({ location }) => location.countryCode(),
  postcode: ({ location }) => location.zipCode(),
  title: ({ commerce }) => commerce.productName(),
  sentence: ({ lorem }) => lorem.sentence(),
  word: ({ lorem }) => lorem.word(),
};

export function fakerTexts(faker: Faker): TextSource {
  return {
    text(meaning, random) {
      const make = fakerGenerators[meaning];
      if (make === undefined) return builtInTexts.text(meaning, random);
      faker.seed(random.below(2 ** 31));
      return String(make(faker));
    },
  };
}
