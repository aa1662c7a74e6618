/** What is wrong with a URL, if anything. Nothing of it is quoted, as it may hold a password, also in a place where none belongs. */
export function faultOfUrl(url: string): string | undefined {
  const [authority = ""] = url.slice(url.indexOf("://") + 3).split(/[/?#]/);
  const hasStrayCharacter = url.includes("#") || (url.includes("@") && !authority.includes("@"));
  if (hasStrayCharacter || !isParsed(url, authority)) return `expected a URL, as ${form}`;
  return undefined;
}

const form =
  'scheme://user:password@host:port/name with a port up to 65535; "%", "@", ":", "/", "?", "#" and blanks in a password are written %25, %40, %3A, %2F, %3F, %23 and %20';

function isParsed(url: string, authority: string): boolean {
  try {
    // `postgres://user@/name?host=/run/postgresql`: the host may stand elsewhere.
    const { username, password } = new URL(authority.endsWith("@") ? url.replace("@/", "@host/") : url);
    decodeURIComponent(username);
    decodeURIComponent(password);
    return true;
  } catch {
    return false;
  }
}
