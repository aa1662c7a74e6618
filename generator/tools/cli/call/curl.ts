import type { TransportInit } from "../../../verify/client/method-client.ts";
import { shellQuote } from "../output/terminal.ts";
import type { Credential } from "./settings.ts";

export interface CurlInput {
  readonly url: string;
  readonly init: Pick<TransportInit, "method" | "headers" | "body">;
  /** Their values are printed as environment variables. */
  readonly credentials: readonly Credential[];
  /** Paths of the files of a form, in the order of its parts. */
  readonly filePaths: readonly string[];
  /** Options of curl itself. */
  readonly options: readonly string[];
}

/** Prints a request as a curl command for any POSIX shell. */
export function curlCommand({ url, init, credentials, filePaths, options }: CurlInput): string {
  const { method, headers, body } = init;
  const implied = body === null ? "GET" : "POST";
  const words = ["curl", ...options];
  if (method !== implied) words.push("-X", method);
  // In the form that HTTP clients send: curl sends URLs as they are.
  words.push(shellQuote(new URL(url).href));
  for (const [name, value] of Object.entries(headers)) {
    const credential = credentials.find(({ header }) => header.toLowerCase() === name);
    words.push(
      "-H",
      credential === undefined ? shellQuote(`${titled(name)}: ${value}`) : credentialWord(credential),
    );
  }
  if (typeof body === "string") words.push("--data-binary", shellQuote(body));
  else if (body !== null) words.push(...formWords(body, filePaths));
  return words.join(" ");
}

/** `content-type` → `Content-Type`. Clients send names in lower case. */
function titled(name: string): string {
  return name.replace(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase());
}

/** `'Authorization: Bearer '"$RIDLKIT_AUTH"`. */
function credentialWord({ header, prefix, variable }: Credential): string {
  return `${shellQuote(`${header}: ${prefix}`)}"$${variable}"`;
}

function formWords(form: FormData, filePaths: readonly string[]): readonly string[] {
  const paths = [...filePaths];
  return [...form].flatMap(([name, value]) =>
    typeof value === "string"
      ? ["--form-string", shellQuote(`${name}=${value}`)]
      : [
          "-F",
          shellQuote(
            `${name}=@${inForm(paths.shift() ?? "")};type=${value.type};filename=${inForm(value.name)}`,
          ),
        ],
  );
}

/** Quotes a name within a part of a form, for curl itself. */
function inForm(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
