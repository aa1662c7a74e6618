/** Pages, in the part of the URL after `#`. */
import type { ComponentType } from "preact";

export type Route =
  | { readonly kind: "overview" | "types" | "history" }
  | { readonly kind: "host"; readonly page: HostPage }
  | {
      readonly kind: "method";
      readonly service: string;
      readonly method: string;
      /** A saved request, from a link. */
      readonly request: string | undefined;
    }
  /** A call of the history. */
  | { readonly kind: "call"; readonly id: number }
  | { readonly kind: "type"; readonly name: string }
  | { readonly kind: "errors"; readonly name: string | undefined };

/** `#/method/Marketplace/GetOrders`; any text has a route. */
export function readRoute(hash: string, pages: readonly HostPage[]): Route {
  const [path = "", request] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [kind = "", first = "", second = ""] = path.split("/").map(decoded);
  if (kind === "method") return { kind, service: first, method: second, request };
  if (kind === "call") return { kind, id: Number(first) };
  if (kind === "type") return { kind, name: first };
  if (kind === "errors") return { kind, name: first === "" ? undefined : first };
  const page = pages.find(({ name }) => name === kind);
  if (page !== undefined) return { kind: "host", page };
  return { kind: kind === "types" || kind === "history" ? kind : "overview" };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const links = {
  overview: "#/",
  types: "#/types",
  host: ({ name }: HostPage): string => `#/${name}`,
  errors: "#/errors",
  history: "#/history",
  call: (id: number): string => `#/call/${id}`,
  error: (name: string): string => `#/errors/${encodeURIComponent(name)}`,
  type: (name: string): string => `#/type/${encodeURIComponent(name)}`,
  method: (service: string, method: string): string =>
    `#/method/${encodeURIComponent(service)}/${encodeURIComponent(method)}`,
};

/** An extra page of the host. Only a sandbox shows it. */
export interface HostPage {
  /** The route: `live` for `#/live`. */
  readonly name: string;
  readonly title: string;
  readonly View: ComponentType;
  /** Continues a sentence that starts with the title: `shows what happens`. */
  readonly summary: string;
}
