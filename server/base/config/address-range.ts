import { isIP, isIPv6 } from "node:net";

/** What is wrong with a range of addresses, if anything: `10.0.0.0/8` and `::1` are ranges. */
export function faultOfRange(range: string): string | undefined {
  const [address = "", bits, ...rest] = range.split("/");
  const max = isIPv6(address) ? 128 : 32;
  const isGood =
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= max));
  return isGood ? undefined : `"${range}" is no range of addresses, as 10.0.0.0/8`;
}
