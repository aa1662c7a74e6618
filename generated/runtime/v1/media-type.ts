/** What the headers of a request say about its body. */

interface Headers {
  header(name: string): string | undefined;
}

/** Why a body of these headers is not read; undefined if it is. */
export function faultOfHeaders(headers: Headers): string | undefined {
  const type = headers.header("content-type");
  if (type !== "application/json") {
    const fault = faultOfType(type);
    if (fault !== undefined) return fault;
  }
  const encoding = headers.header("content-encoding");
  if (encoding === undefined || encoding.toLowerCase() === "identity") return undefined;
  return "Content-Encoding is not supported";
}

/** `Application/JSON; charset=UTF-8` is as good as `application/json`; JSON of another charset is not JSON. */
function faultOfType(type: string | undefined): string | undefined {
  const [essence = "", ...parameters] = (type ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (essence !== "application/json") return "Content-Type must be application/json";
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (charset === undefined || /^"?(utf-?8|us-ascii)"?$/.test(charset)) return undefined;
  return "the charset must be UTF-8";
}
