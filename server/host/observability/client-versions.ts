import { schemaIn } from "ridlkit-runtime/headers";

/** The name of the platform's schema. */
const schemaName = "platform";

/** A client of the platform, as it names itself. */
export interface CallingClient {
  /** The version of its schema: `v0.1.0`. */
  readonly version: string;
  /** `gen-typescript v0.30.0`. A name with "@" would be redacted like an e-mail address. */
  readonly generator: string;
}

/** Reads a header such as `webrpc@v0.44.0;gen-typescript@v0.30.0;platform@v0.1.0`. Undefined if it names another schema. */
export function readClient(header: string | undefined): CallingClient | undefined {
  if (header === undefined) return undefined;
  const { name, version } = schemaIn(header);
  if (name !== schemaName || version === "") return undefined;
  return { version, generator: header.split(";").at(-2)?.trim().replace("@", " ") ?? "" };
}

/** Most versions with a label of their own: each is a time series for every method. */
const maxVersions = 20;

/** `v1.2.3`, `v1` or `1.2.3-rc.1`. */
const pattern = /^v?[0-9]{1,6}([.][0-9]{1,6}){0,2}(-[0-9A-Za-z.-]{1,20})?$/;

/** The versions of callers, as label values. Callers may send any text, so their number is bounded. */
export class ClientVersions {
  readonly #known = new Set<string>();

  /**
   * Returns the version, "none" for callers that send no version, and "other" for further ones. Only a successful call adds a version,
   * so callers without valid credentials cannot use up the labels.
   */
  labelOf(version: string | undefined, succeeded: boolean): string {
    if (version === undefined) return "none";
    if (this.#known.has(version)) return version;
    if (!succeeded || this.#known.size >= maxVersions || !pattern.test(version)) return "other";
    this.#known.add(version);
    return version;
  }
}
