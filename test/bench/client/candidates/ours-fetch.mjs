import { measureCalls } from "../caller.ts";
import { methodOf } from "../methods.ts";

await measureCalls((url, each) => {
  const method = methodOf(each);
  const client = { url, timeoutMs: 0 };
  return () => method(client, each.request);
});
