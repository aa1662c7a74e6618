import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Special ranges that `ipaddr.js` reports as ordinary: those of https://www.iana.org/assignments/iana-ipv4-special-registry and
 * its IPv6 counterpart, and public addresses at which clouds offer services to their machines.
 */
const extraRanges: readonly (readonly [string, string])[] = [
  ["IETF protocol assignments", "192.0.0.0/24"],
  ["benchmarking", "198.18.0.0/15"],
  ["6to4 relays", "192.88.99.0/24"],
  ["a cloud's own service", "168.63.129.16/32"],
  ["IPv4-compatible", "::/96"],
  ["site-local", "fec0::/10"],
  ["local translation", "64:ff9b:1::/48"],
  ["IETF protocol assignments", "2001::/23"],
  ["documentation", "2001:db8::/32"],
  ["documentation", "3fff::/20"],
];

const parsed: Readonly<Record<"ipv4" | "ipv6", readonly (readonly [string, [Address, number]])[]>> = {
  ipv4: read((range) => range.includes(".")),
  ipv6: read((range) => range.includes(":")),
};

function read(isWanted: (range: string) => boolean): readonly (readonly [string, [Address, number]])[] {
  return extraRanges
    .filter(([, range]) => isWanted(range))
    .map(([name, range]) => [name, ipaddr.parseCIDR(range)]);
}

/** All IPv6 addresses that are allocated to the public so far (RFC 4291, section 2.4). */
const publicIpv6 = ipaddr.parseCIDR("2000::/3");

/** Returns the special range of an address: `loopback`, `private`; undefined: a public address. */
export function specialRange(text: string): string | undefined {
  if (!ipaddr.isValid(text)) return "not an IP address";
  // Treats IPv4-mapped IPv6 as IPv4.
  const address = ipaddr.process(text);
  const range = address.range();
  if (range !== "unicast") return names[range] ?? range;
  const extra = parsed[address.kind()].find(([, cidr]) => address.match(cidr));
  if (extra !== undefined) return extra[0];
  return address.kind() === "ipv6" && !address.match(publicIpv6) ? "unallocated" : undefined;
}

const names: Readonly<Record<string, string>> = {
  unspecified: "unspecified",
  broadcast: "broadcast",
  multicast: "multicast",
  linkLocal: "link-local",
  loopback: "loopback",
  carrierGradeNat: "shared with a carrier",
  private: "private",
  reserved: "reserved",
  uniqueLocal: "private",
  ipv4Mapped: "IPv4-mapped",
  rfc6145: "IPv4-translated",
  rfc6052: "IPv4-translated",
  "6to4": "6to4",
  teredo: "Teredo",
};
