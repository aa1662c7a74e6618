/** The meaning of a string, derived from its format or the name of its field. */
export type TextMeaning = (typeof textMeanings)[number];

export const textMeanings = [
  "person",
  "firstName",
  "lastName",
  "username",
  "email",
  "phone",
  "company",
  "street",
  "city",
  "country",
  "countryCode",
  "postcode",
  "url",
  "imageUrl",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
  "id",
  "date",
  "time",
  "dateTime",
  "duration",
  "decimal",
  "title",
  "sentence",
  "word",
  "slug",
  "color",
  "currency",
  "locale",
  "timezone",
  "hexAddress",
  "hexHash",
  "price",
] as const;

/** The field of a value and its struct: `email` in `Customer`. */
export interface FieldContext {
  readonly field: string;
  readonly struct: string;
  /** The field of the list, if the value is an item: `emails` if `field` is `email`. */
  readonly listField?: string;
}

/** Formats of JSON Schema, and two that blockchain schemas use. */
const formatMeanings: Readonly<Record<string, TextMeaning>> = {
  email: "email",
  uri: "url",
  url: "url",
  uuid: "uuid",
  date: "date",
  time: "time",
  duration: "duration",
  decimal: "decimal",
  "date-time": "dateTime",
  hostname: "hostname",
  ipv4: "ipv4",
  ipv6: "ipv6",
  phone: "phone",
  color: "color",
  address: "hexAddress",
  "hex-address": "hexAddress",
};

/** Matched against the lower-case words at the end of a name. The first match counts. */
const nameMeanings: readonly (readonly [RegExp, TextMeaning])[] = [
  [/(^| )(e ?mail|mail)( address)?$/, "email"],
  [/(^| )(image|img|photo|picture|avatar|icon|logo|thumbnail|banner)( (ur[il]|link))?$/, "imageUrl"],
  [/(^| )(ur[il]|link|website|homepage|href|webhook)$/, "url"],
  [/(^| )(first|given) ?name$/, "firstName"],
  [/(^| )(last|family|sur) ?name$/, "lastName"],
  [/(^| )(user ?name|login|nick ?name|handle)$/, "username"],
  [/(^| )(full ?name|author|owner name|customer name|contact)$/, "person"],
  [/(^| )(phone|mobile|fax|tel)( number)?$/, "phone"],
  [/(^| )(company|organi[sz]ation|employer|vendor|brand)( name)?$/, "company"],
  [
    /(^| )(wallet|contract|token|account|sender|recipient|spender|owner|signer|collection|to|from) address$/,
    "hexAddress",
  ],
  [/(^| )(tx|transaction|block|parent)( ?hash)?$|(^| )hash$|(^| )(digest|sha ?256)$/, "hexHash"],
  [/(^| )(street|address|line ?[12])$/, "street"],
  [/(^| )(city|town)$/, "city"],
  [/(^| )country ?code$/, "countryCode"],
  [/(^| )country$/, "country"],
  [/(^| )(zip|post(al)?)( ?code)?$/, "postcode"],
  [/(^| )(currency|currency code)$/, "currency"],
  [/(^| )(locale|language|lang)$/, "locale"],
  [/(^| )time ?zone$/, "timezone"],
  [/(^| )colou?r$/, "color"],
  [/(^| )(ip|ip address)$/, "ipv4"],
  [/(^| )(host|host ?name|domain)$/, "hostname"],
  [/(^| )(date|day|birthday)$/, "date"],
  [/(^| )at$/, "dateTime"],
  [/(^| )(price|amount|cost|total|balance|fee)$/, "price"],
  [
    /(^| )(description|summary|bio|about|comment|note|notes|message|text|body|content|reason|caption)$/,
    "sentence",
  ],
  [/(^| )(slug|path)$/, "slug"],
  [/(^| )uuid$/, "uuid"],
  [/(^| )(id|key)$/, "id"],
  [/(^| )(tag|label|category|kind|type|status|state)$/, "word"],
  [/(^| )(title|subject|heading|headline|name|display name)$/, "title"],
];

/** Structs whose `name` is the name of a person. */
const personStructs =
  /(user|person|customer|member|author|guest|contact|employee|owner|buyer|seller|patient|student|player)/i;

/** The meaning of a string; undefined if neither its format nor its field name shows it. */
export function meaningOf(
  format: string | undefined,
  fieldContext: FieldContext | undefined,
): TextMeaning | undefined {
  const known = format === undefined ? undefined : formatMeanings[format];
  if (known !== undefined || fieldContext === undefined) return known;
  const words = wordsOf(fieldContext.field);
  const found = nameMeanings.find(([pattern]) => pattern.test(words))?.[1];
  return found === "title" && words.endsWith("name") && personStructs.test(fieldContext.struct)
    ? "person"
    : found;
}

/** `walletAddress`, `wallet_address` → `wallet address`; `imageURL` → `image url`. */
export function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[_\-.\s]+/g, " ")
    .trim()
    .toLowerCase();
}
