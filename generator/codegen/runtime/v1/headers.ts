/** Checks request headers, and filters the headers of failures. */

interface HeaderSource {
  header(name: string): string | undefined;
}

/** Returns why a body with these headers cannot be read; undefined if it can. */
export function faultOfHeaders(headers: HeaderSource, isForm: boolean): string | undefined {
  const type = headers.header("content-type");
  if (isForm || type !== "application/json") {
    const fault = isForm ? faultOfFormType(type) : faultOfType(type);
    if (fault !== undefined) return fault;
  }
  const encoding = headers.header("content-encoding");
  if (encoding === undefined || encoding.toLowerCase() === "identity") return undefined;
  return "Content-Encoding is not supported";
}

function faultOfFormType(type = ""): string | undefined {
  return /^multipart\/form-data\s*;/i.test(type) ? undefined : "Content-Type must be multipart/form-data";
}

/** Accepts `Application/JSON; charset=UTF-8`, too, but no other charset. */
function faultOfType(type: string | undefined): string | undefined {
  const [essence = "", ...parameters] = (type ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (essence !== "application/json") return "Content-Type must be application/json";
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (charset === undefined || /^"?(utf-?8|us-ascii)"?$/.test(charset)) return undefined;
  return "the charset must be UTF-8";
}

/** Removes headers that cannot be sent. A line break in a value would start another header, or the body. */
export function validHeaders(
  headers: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const sound = Object.entries(headers).filter(
    ([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  );
  return Object.fromEntries(sound);
}
