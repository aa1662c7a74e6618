/** Returns what is wrong with a URL, if anything. Never quotes the URL: a misplaced password could be anywhere in it. */
export function faultOfUrl(url: string): string | undefined {
  const [authority = ""] = url.slice(url.indexOf("://") + 3).split(/[/?#]/);
  const hasStrayCharacter = url.includes("#") || (url.includes("@") && !authority.includes("@"));
  if (hasStrayCharacter || !isParsed(url, authority)) return `expected a URL in the form ${urlFormat}`;
  return undefined;
}

const urlFormat =
  'scheme://user:password@host:port/name with a port up to 65535; "%", "@", ":", "/", "?", "#" and spaces in a password are written %25, %40, %3A, %2F, %3F, %23 and %20';

function isParsed(url: string, authority: string): boolean {
  try {
    // `postgres://user@/name?host=/run/postgresql`: the host may be in the query.
    const { username, password } = new URL(authority.endsWith("@") ? url.replace("@/", "@host/") : url);
    decodeURIComponent(username);
    decodeURIComponent(password);
    return true;
  } catch {
    return false;
  }
}
