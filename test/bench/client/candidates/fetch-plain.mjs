import { measureCalls } from "../caller.ts";

await measureCalls((origin, { path, request }) => async () => {
  const response = await fetch(origin + path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(request),
  });
  return response.json();
});
