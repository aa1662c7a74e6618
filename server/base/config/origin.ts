/** Returns what is wrong with an origin. Valid origins have the form that browsers send: scheme, host and port only. */
export function faultOfOrigin(entry: string): string | undefined {
  const isOrigin = URL.canParse(entry) && new URL(entry).origin === entry;
  return isOrigin ? undefined : `"${entry}" is not an origin such as https://console.example`;
}
