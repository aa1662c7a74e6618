/** Kinds of settings. Each kind reads the text of a flag or of an environment variable, and the value of a file. */

export interface Setting<Value> {
  /** Returns the value, or what was expected: "expected …". */
  readonly read: (given: unknown) => { readonly value: Value } | { readonly expected: string };
  readonly fallback: Value;
  /** A secret has no flag: every user of a machine can read the arguments of its processes. */
  readonly secret?: boolean;
  /** Placeholder of the value in the usage text. */
  readonly valueName?: string;
  /** The possible values, for the docs: "0 to 3600". */
  readonly values?: string;
  readonly help: string;
}

type Described<Value> = Omit<Setting<Value>, "read" | "valueName" | "values">;

export function integer<Value extends number | undefined>(
  bounds: { readonly min: number; readonly max: number },
  about: Described<Value>,
): Setting<Value | number> {
  const { min, max } = bounds;
  const values = `${min} to ${max}`;
  return {
    ...about,
    valueName: "N",
    values,
    read: (given) => {
      const isInteger =
        typeof given === "number" ? Number.isInteger(given) : /^[0-9]{1,15}$/.test(`${given}`);
      const value = Number(given);
      return isInteger && value >= min && value <= max
        ? { value }
        : { expected: `expected a whole number from ${values}` };
    },
  };
}

export function text<Value extends string | undefined>(
  valueName: string,
  about: Described<Value>,
): Setting<Value | string> {
  return {
    ...about,
    valueName,
    read: (given) =>
      typeof given === "string" && given !== ""
        ? { value: given }
        : { expected: "expected a text that is not empty" },
  };
}

/** A URL with one of these schemes. Detects two settings that were swapped. */
export function url(
  schemes: readonly string[],
  about: Described<string | undefined>,
): Setting<string | undefined> {
  const prefixes = schemes.map((scheme) => `${scheme}://`).join(" or ");
  return {
    ...about,
    valueName: "URL",
    read: (given) => {
      if (typeof given !== "string" || !schemes.some((scheme) => given.startsWith(`${scheme}://`)))
        return { expected: `expected a URL that starts with ${prefixes}` };
      const fault = faultOfUrl(given);
      return fault === undefined ? { value: given } : { expected: fault };
    },
  };
}

export function bool<Value extends boolean | undefined>(about: Described<Value>): Setting<Value | boolean> {
  return {
    ...about,
    values: "true, false",
    read: (given) =>
      given === true || given === "true" || given === "1"
        ? { value: true }
        : given === false || given === "false" || given === "0"
          ? { value: false }
          : { expected: "expected true or false" },
  };
}

export function oneOf<Value extends string>(
  values: readonly Value[],
  about: Described<Value>,
): Setting<Value> {
  return {
    ...about,
    valueName: values.join("|"),
    values: values.join(", "),
    read: (given) => {
      const value = values.find((each) => each === given);
      return value === undefined ? { expected: `expected one of ${values.join(", ")}` } : { value };
    },
  };
}

/** `"a, b"`, or a list in a file. `fault` returns what is wrong with an entry, if anything. */
export function list<Value extends readonly string[] | undefined>(
  valueName: string,
  fault: (entry: string) => string | undefined,
  about: Described<Value>,
): Setting<Value | readonly string[]> {
  return {
    ...about,
    valueName,
    read: (given) => {
      const entries = splitList(given);
      if (entries === undefined) return { expected: "expected a list such as a,b,c" };
      const wrong = entries.map(fault).filter((each) => each !== undefined);
      return wrong.length === 0 ? { value: entries } : { expected: wrong.join("; ") };
    },
  };
}

export function splitList(given: unknown): readonly string[] | undefined {
  const parts: unknown = typeof given === "string" ? given.split(",") : given;
  if (!Array.isArray(parts)) return undefined;
  return parts.map((part) => String(part).trim()).filter((part) => part !== "");
}

/** Returns what is wrong with a URL, if anything. Never quotes the URL: a misplaced password could be anywhere in it. */
function faultOfUrl(url: string): string | undefined {
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

/** Returns what is wrong with an origin. Valid origins have the form that browsers send: scheme, host and port only. */
export function faultOfOrigin(entry: string): string | undefined {
  const isOrigin = URL.canParse(entry) && new URL(entry).origin === entry;
  return isOrigin ? undefined : `"${entry}" is not an origin such as https://console.example`;
}

export function readPorts(text: string): readonly [number, number] {
  const [first = "", last = first] = text.split("-");
  return [Number(first), Number(last)];
}

export function faultOfPorts(text: string): string | undefined {
  const [first, last] = readPorts(text);
  const isValid = /^[0-9]{1,5}(-[0-9]{1,5})?$/.test(text) && first >= 1 && first <= last && last <= 65_535;
  return isValid ? undefined : `"${text}" is not a port or port range such as 443 or 1024-65535`;
}
