/** Hides keys in URLs. Providers put them into the path, into the query, or before an "@". */

const hidden = "[redacted]";

/** A URL in running text, JSON or HTML; ends at a delimiter of these. */
const urlPattern = /\b((?:https?|wss?):\/\/)([^\s"'<>`\\]+)/gi;

/** A path segment that is a name, not a key: `v2`, `rpc`, `eth-mainnet`, `137`. Keys are longer, or mix letters and digits. */
const plainSegment = /^(?:v\d{1,3}|\d{1,6}|[a-z]{1,8}(?:-[a-z]{1,8}){0,3})$/;

/** Redacts all URLs in a text: keeps scheme, host, and the path segments that cannot be keys. */
export function hideUrlSecrets(text: string): string {
  return text.replace(urlPattern, (_, scheme: string, rest: string) => `${scheme}${hideIn(rest)}`);
}

function hideIn(rest: string): string {
  const [, authority = "", path = "", query = ""] = /^([^/?#]*)([^?#]*)(.*)$/.exec(rest) ?? [];
  const host = authority.includes("@")
    ? `${hidden}${authority.slice(authority.lastIndexOf("@"))}`
    : authority;
  const segments = path.split("/").map((part) => (part === "" || plainSegment.test(part) ? part : hidden));
  return `${host}${segments.join("/")}${query.length > 1 ? `${query[0]}${hidden}` : query}`;
}

/**
 * Returns a function that redacts the secrets of `url` wherever they occur in a text: a provider may quote the key that it
 * rejects.
 */
export function hideSecretsOf(url: string): (text: string) => string {
  const secrets = secretsOf(new URL(url));
  if (secrets.length === 0) return hideUrlSecrets;
  const pattern = new RegExp(secrets.map(escaped).join("|"), "gi");
  return (text) => hideUrlSecrets(text.replace(pattern, hidden));
}

/** Longest first, so that no secret is hidden only in part. */
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
