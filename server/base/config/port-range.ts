/** The first and the last port of `443` or `1024-65535`. */
export function readPorts(text: string): readonly [number, number] {
  const [first = "", last = first] = text.split("-");
  return [Number(first), Number(last)];
}

/** What is wrong with ports, if anything. */
export function faultOfPorts(text: string): string | undefined {
  const [first, last] = readPorts(text);
  const isGood = /^[0-9]{1,5}(-[0-9]{1,5})?$/.test(text) && first >= 1 && first <= last && last <= 65_535;
  return isGood ? undefined : `"${text}" is no port or range of ports, as 443 or 1024-65535`;
}
