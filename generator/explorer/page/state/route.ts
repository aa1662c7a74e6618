/** Where one is on the page, as the part of the address behind `#`. */
import { useEffect, useState } from "preact/hooks";

export type Route =
  | { readonly kind: "overview" | "types" | "live" }
  | { readonly kind: "method"; readonly service: string; readonly method: string }
  | { readonly kind: "type"; readonly name: string }
  | { readonly kind: "errors"; readonly name: string | undefined };

/** `#/method/Marketplace/GetOrders` */
function readRoute(hash: string): Route {
  const [kind = "", first = "", second = ""] = hash
    .replace(/^#\/?/, "")
    .split("/")
    .map((part) => decodeURIComponent(part));
  if (kind === "method") return { kind, service: first, method: second };
  if (kind === "type") return { kind, name: first };
  if (kind === "errors") return { kind, name: first === "" ? undefined : first };
  return kind === "types" || kind === "live" ? { kind } : { kind: "overview" };
}

export const links = {
  overview: "#/",
  types: "#/types",
  live: "#/live",
  errors: "#/errors",
  error: (name: string): string => `#/errors/${encodeURIComponent(name)}`,
  type: (name: string): string => `#/type/${encodeURIComponent(name)}`,
  method: (service: string, method: string): string =>
    `#/method/${encodeURIComponent(service)}/${encodeURIComponent(method)}`,
};

export function useRoute(): Route {
  const [hash, setHash] = useState(() => location.hash);
  useEffect(() => {
    const read = (): void => setHash(location.hash);
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return readRoute(hash);
}
