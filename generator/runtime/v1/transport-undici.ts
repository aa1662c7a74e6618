import type { Transport } from "./transport.ts";

/** The `request` function of undici, as far as it is used here. */
export type UndiciRequest = (
  url: string,
  options: {
    readonly method: "POST";
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly signal?: AbortSignal;
    readonly dispatcher?: never;
  },
) => Promise<{
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array> & { text(): Promise<string>; destroy(): unknown };
}>;
