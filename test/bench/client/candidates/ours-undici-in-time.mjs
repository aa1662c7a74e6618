import { setMaxListeners } from "node:events";
import { Agent } from "undici";
import { undiciTransport } from "../../../../generator/runtime/src/undici.ts";
import { measureCalls } from "../caller.ts";
import { methodOf } from "../methods.ts";

await measureCalls((url, each) => {
  const method = methodOf(each);
  const client = { url, transport: undiciTransport(new Agent()) };
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return () => method(client, each.request, { signal });
});
