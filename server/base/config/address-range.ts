import { isIP, isIPv6 } from "node:net";

/** Returns what is wrong with an address range, if anything. Valid: `10.0.0.0/8`, `::1`. */
export function faultOfRange(range: string): string | undefined {
  const [address = "", bits, ...rest] = range.split("/");
  const max = isIPv6(address) ? 128 : 32;
  const isValid =
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= max));
  return isValid ? undefined : `"${range}" is not an address range such as 10.0.0.0/8`;
}
