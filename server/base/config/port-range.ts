export function readPorts(text: string): readonly [number, number] {
  const [first = "", last = first] = text.split("-");
  return [Number(first), Number(last)];
}

export function faultOfPorts(text: string): string | undefined {
  const [first, last] = readPorts(text);
  const isValid = /^[0-9]{1,5}(-[0-9]{1,5})?$/.test(text) && first >= 1 && first <= last && last <= 65_535;
  return isValid ? undefined : `"${text}" is not a port or port range such as 443 or 1024-65535`;
}
