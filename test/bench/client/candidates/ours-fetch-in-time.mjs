import { setMaxListeners } from "node:events";
import { measureCalls } from "../caller.ts";
import { methodOf } from "../methods.ts";

await measureCalls((url, each) => {
  const method = methodOf(each);
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return () => method({ url }, each.request, { signal });
});
