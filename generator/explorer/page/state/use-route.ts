import { useEffect, useState } from "preact/hooks";
import { type HostPage, type Route, readRoute } from "./route.ts";

/** The current page. */
export function useRoute(pages: readonly HostPage[]): Route {
  const [hash, setHash] = useState(() => location.hash);
  useEffect(() => {
    const read = (): void => setHash(location.hash);
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return readRoute(hash, pages);
}
