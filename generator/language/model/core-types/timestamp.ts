import type { FormattedDescriptor } from "./descriptor.ts";

const pattern = (zone: string): string =>
  `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?${zone}$`;

const edges = ["2026-03-04T05:06:07.123456789Z", "1999-12-31T23:59:59.5Z", "2026-03-04T05:06:07Z"] as const;

export const timestamp: FormattedDescriptor = {
  kind: "formatted",
  shape: "text",
  foreignNames: ["datetime", "date", "time", "instant"],
  description: 'text in RFC 3339, in UTC: `"2026-01-31T12:00:00Z"`',
  json: "string /* RFC 3339 */",
  typescript: "string",
  option: "timestamps",
  recorded: "text",
  widensTo: { text: "always" },
  invalid: [
    ["2026-02-31T00:00:00Z", "is not a calendar day"],
    ["yesterday", "is not a timestamp"],
  ],
  isDefault: (text) => !Number.isNaN(Date.parse(text)),
  format: "date-time",
  pattern: { request: pattern("(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"), response: pattern("Z") },
  expected: {
    request: "an RFC 3339 timestamp, such as 2025-01-31T12:00:00Z",
    response: "an RFC 3339 timestamp in UTC, such as 2025-01-31T12:00:00Z",
  },
  test: "isUtcTimestamp",
  read: "utcOf",
  edges: { request: [...edges, "2026-03-04T05:06:07+02:00"], response: edges },
};
