import { Agent } from "undici";
import { undiciTransport } from "../../../../generator/runtime/src/undici.ts";
import { measureCalls } from "../caller.ts";
import { methodOf } from "../methods.ts";

await measureCalls((url, each) => {
  const method = methodOf(each);
  const client = { url, timeoutMs: 0, transport: undiciTransport(new Agent()) };
  return () => method(client, each.request);
});
