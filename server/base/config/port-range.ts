/** Returns the first and last port of `443` or `1024-65535`. */
export function readPorts(text: string): readonly [number, number] {
  const [first = "", last = first] = text.split("-");
  return [Number(first), Number(last)];
}

/** Returns what is wrong with a port range, if anything. */
export function faultOfPorts(text: string): string | undefined {
  const [first, last] = readPorts(text);
  const isValid = /^[0-9]{1,5}(-[0-9]{1,5})?$/.test(text) && first >= 1 && first <= last && last <= 65_535;
  return isValid ? undefined : `"${text}" is not a port or port range such as 443 or 1024-65535`;
}
