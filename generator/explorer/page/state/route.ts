/** The current page, from the part of the URL after `#`. */
import { useEffect, useState } from "preact/hooks";
import type { HostPage } from "./host-page.ts";

export type Route =
  | { readonly kind: "overview" | "types" }
  | { readonly kind: "host"; readonly page: HostPage }
  | { readonly kind: "method"; readonly service: string; readonly method: string }
  | { readonly kind: "type"; readonly name: string }
  | { readonly kind: "errors"; readonly name: string | undefined };

/** `#/method/Marketplace/GetOrders` */
function readRoute(hash: string, pages: readonly HostPage[]): Route {
  const [kind = "", first = "", second = ""] = hash
    .replace(/^#\/?/, "")
    .split("/")
    .map((part) => decodeURIComponent(part));
  if (kind === "method") return { kind, service: first, method: second };
  if (kind === "type") return { kind, name: first };
  if (kind === "errors") return { kind, name: first === "" ? undefined : first };
  const page = pages.find(({ name }) => name === kind);
  if (page !== undefined) return { kind: "host", page };
  return { kind: kind === "types" ? kind : "overview" };
}

export const links = {
  overview: "#/",
  types: "#/types",
  host: ({ name }: HostPage): string => `#/${name}`,
  errors: "#/errors",
  error: (name: string): string => `#/errors/${encodeURIComponent(name)}`,
  type: (name: string): string => `#/type/${encodeURIComponent(name)}`,
  method: (service: string, method: string): string =>
    `#/method/${encodeURIComponent(service)}/${encodeURIComponent(method)}`,
};

export function useRoute(pages: readonly HostPage[]): Route {
  const [hash, setHash] = useState(() => location.hash);
  useEffect(() => {
    const read = (): void => setHash(location.hash);
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return readRoute(hash, pages);
}
