/** An origin is what a browser sends: scheme, host and port, nothing after. */
export function faultOfOrigin(entry: string): string | undefined {
  const isOrigin = URL.canParse(entry) && new URL(entry).origin === entry;
  return isOrigin ? undefined : `"${entry}" is no origin, as https://console.example`;
}
