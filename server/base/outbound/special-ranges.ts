import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * What `ipaddr.js` counts as ordinary addresses and is not: https://www.iana.org/assignments/iana-ipv4-special-registry, the same
 * for IPv6, and services that clouds offer their machines on public addresses.
 */
const furtherRanges: readonly (readonly [string, string])[] = [
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
  return furtherRanges
    .filter(([, range]) => isWanted(range))
    .map(([name, range]) => [name, ipaddr.parseCIDR(range)]);
}

/** All that IPv6 has given out to the public so far (RFC 4291, section 2.4). */
const publicIpv6 = ipaddr.parseCIDR("2000::/3");

/** Which special range an IP address lies in: `loopback`, `private`; undefined: it is one of the public internet. */
export function specialRange(text: string): string | undefined {
  if (!ipaddr.isValid(text)) return "no IP address";
  // IPv4 as IPv6 writes it is judged as IPv4.
  const address = ipaddr.process(text);
  const range = address.range();
  if (range !== "unicast") return names[range] ?? range;
  const further = parsed[address.kind()].find(([, cidr]) => address.match(cidr));
  if (further !== undefined) return further[0];
  return address.kind() === "ipv6" && !address.match(publicIpv6) ? "not given out" : undefined;
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
