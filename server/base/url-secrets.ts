/** Keys in addresses: providers put them into the path, the query, or before an "@". */

const hidden = "[redacted]";

/** Ends at what closes an address in a sentence, in JSON or in HTML. */
const addresses = /\b((?:https?|wss?):\/\/)([^\s"'<>`\\]+)/gi;

/** A part of a path that names something: `v2`, `rpc`, `eth-mainnet`, `137`. Keys are longer, or mix letters and digits. */
const plainSegment = /^(?:v\d{1,3}|\d{1,6}|[a-z]{1,8}(?:-[a-z]{1,8}){0,3})$/;

/** The same text; of each address in it only what cannot be a key is left: scheme, host and plain words of the path. */
export function hideUrlSecrets(text: string): string {
  return text.replace(addresses, (_, scheme: string, rest: string) => `${scheme}${hideIn(rest)}`);
}

function hideIn(rest: string): string {
  const [, authority = "", path = "", query = ""] = /^([^/?#]*)([^?#]*)(.*)$/.exec(rest) ?? [];
  const host = authority.includes("@")
    ? `${hidden}${authority.slice(authority.lastIndexOf("@"))}`
    : authority;
  const segments = path.split("/").map((part) => (part === "" || plainSegment.test(part) ? part : hidden));
  return `${host}${segments.join("/")}${query.length > 1 ? `${query[0]}${hidden}` : query}`;
}

/** Hides in a text what may be a key of this address, wherever it stands: a provider may quote the key that it refuses. */
export function hideSecretsOf(url: string): (text: string) => string {
  const secrets = secretsOf(new URL(url));
  if (secrets.length === 0) return hideUrlSecrets;
  const pattern = new RegExp(secrets.map(escaped).join("|"), "gi");
  return (text) => hideUrlSecrets(text.replace(pattern, hidden));
}

/** The longest first, so that none is hidden in part. */
function secretsOf({ username, password, pathname, searchParams, hash }: URL): readonly string[] {
  const segments = pathname.split("/").filter((part) => !plainSegment.test(part));
  const parts = [username, password, hash.slice(1), ...segments, ...searchParams.values()];
  const forms = parts.flatMap((part) => [part, decoded(part), encodeURIComponent(decoded(part))]);
  return [...new Set(forms)].filter((part) => part.length > 2).sort((a, b) => b.length - a.length);
}

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/-]/g, "\\$&");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
