import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { builtInTexts, type Faker, type TextSource } from "../../../verify/samples/example-texts.ts";
import type { LoopbackGuard } from "../../dev/loopback.ts";

/** Parses an HTTP address, and removes trailing slashes. Returns undefined for other texts. */
export function readAddress(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text);
    return /^https?:$/.test(protocol) ? href.replace(/\/+$/, "") : undefined;
  } catch {
    return undefined;
  }
}

/** The message for an invalid address. `where`: the option or setting that contains it. */
export function addressMessage(where: string, found: string): string {
  const completed = `http://${found.replace(/^\w*:?\/\//, "")}`;
  const example = readAddress(completed) === undefined ? "http://localhost:3000" : completed;
  return `${where} takes a URL such as ${example}; found "${found}".`;
}

/** Parses headers such as `X-Key: k`. Returns undefined if one has no name or no value. */
export function readHeaders(texts: readonly string[]): Readonly<Record<string, string>> | undefined {
  const headers = texts.map((text) => /^([^:\s]+):\s*(.+)$/.exec(text));
  if (headers.includes(null)) return undefined;
  return Object.fromEntries(headers.map((header) => [header?.[1] ?? "", header?.[2] ?? ""]));
}

/** The last port that is tried if `port` is in use: only `port` itself if the option `given` has chosen it. */
export function lastPort(port: number, given: number | undefined): number {
  return given === undefined ? port + 19 : port;
}

/** Names the port that was in use, in the line that names the address. */
export function busyPortText(busyPort: number | undefined): string {
  return busyPort === undefined ? "" : ` (port ${busyPort} is in use)`;
}

/** Options of commands that serve on loopback. */
export const callerOptions = {
  allowHost: {
    kind: "text",
    value: "NAMES",
    description: "Also accept these host names, such as dev.example,api.example",
  },
  allowOrigin: {
    kind: "text",
    value: "ORIGINS",
    description: "Also accept web pages of these origins, such as https://app.example",
  },
} as const;

/** Reads the options; returns a message if one is invalid. */
export function allowedCallers(options: {
  readonly allowHost?: string | undefined;
  readonly allowOrigin?: string | undefined;
}): LoopbackGuard | string {
  const hosts = namesOf(options.allowHost);
  const origins = namesOf(options.allowOrigin);
  const badHost = hosts.find((host) => !/^(?:[\w.-]+|\[[0-9a-f:.]+\])$/i.test(host));
  if (badHost !== undefined)
    return `--allow-host takes host names without a port, such as dev.example; found "${badHost}".`;
  const badOrigin = origins.find(
    (origin) => !URL.canParse(origin) || new URL(origin).origin !== origin.toLowerCase(),
  );
  if (badOrigin !== undefined)
    return `--allow-origin takes origins without a path, such as https://app.example; found "${badOrigin}".`;
  return { hosts, origins };
}

function namesOf(list = ""): readonly string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Uses `@faker-js/faker` if the project has it installed, otherwise the built-in example texts. */
export async function exampleTexts(cwd: string): Promise<TextSource> {
  try {
    const path = createRequire(join(cwd, "package.json")).resolve("@faker-js/faker/locale/en");
    const { faker } = (await import(pathToFileURL(path).href)) as { readonly faker: Faker };
    const { fakerTexts } = await import("../../../verify/samples/example-texts.ts");
    return fakerTexts(faker);
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException;
    if (code === "MODULE_NOT_FOUND" || code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return builtInTexts;
    throw err;
  }
}
