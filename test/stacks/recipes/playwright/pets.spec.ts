import { expect, test } from "@playwright/test";
import { fetchHandler } from "ridlkit-runtime/fetch";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";

const serve = fetchHandler(createServer(handlers));

test("shows the name of a pet", async ({ page }) => {
  await page.route("**/rpc/**", async (route) => {
    const sent = route.request();
    const init = { method: sent.method(), headers: sent.headers(), body: sent.postDataBuffer() };
    const response = await serve(new Request(sent.url(), init));
    const headers = Object.fromEntries(response.headers);
    const body = Buffer.from(await response.arrayBuffer());
    await route.fulfill({ status: response.status, headers, body });
  });
  await page.goto("/");
  await expect(page.getByText("Rex")).toBeVisible();
});
