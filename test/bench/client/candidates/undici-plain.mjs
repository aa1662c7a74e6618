import { request as send } from "undici";
import { measureCalls } from "../caller.ts";

await measureCalls((origin, { path, request }) => async () => {
  const headers = { "Content-Type": "application/json" };
  const { body } = await send(origin + path, { method: "POST", headers, body: JSON.stringify(request) });
  return body.json();
});
