/** Headers: what those of a request say about its body, and which of a failure may be sent. */

interface Headers {
  header(name: string): string | undefined;
}

/** Why a body of these headers is not read; undefined if it is. */
export function faultOfHeaders(headers: Headers, isForm: boolean): string | undefined {
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

/** `Application/JSON; charset=UTF-8` is as good as `application/json`; JSON of another charset is not JSON. */
function faultOfType(type: string | undefined): string | undefined {
  const [essence = "", ...parameters] = (type ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (essence !== "application/json") return "Content-Type must be application/json";
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (charset === undefined || /^"?(utf-?8|us-ascii)"?$/.test(charset)) return undefined;
  return "the charset must be UTF-8";
}

/** What no adapter could send is left out: a line break in a value would begin a header, or a body, of its own. */
export function validHeaders(
  headers: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const sound = Object.entries(headers).filter(
    ([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  );
  return Object.fromEntries(sound);
}
