import { expect, test } from "@playwright/test";
import { mockFetch } from "ridlkit/mock";
import type { Handlers } from "./generated/server.ts";

const serving = mockFetch<Handlers>({
  handlers: { Pets: { GetPet: (_ctx, { id }) => ({ pet: { id, name: "Rex" } }) } },
});

test("shows the name of a pet", async ({ page }) => {
  await page.route("**/rpc/**", async (route) => {
    const sent = route.request();
    const init = { method: sent.method(), headers: sent.headers(), body: sent.postData() };
    const response = await (await serving)(new Request(sent.url(), init));
    const headers = Object.fromEntries(response.headers);
    const body = Buffer.from(await response.arrayBuffer());
    await route.fulfill({ status: response.status, headers, body });
  });
  await page.goto("/");
  await expect(page.getByText("Rex")).toBeVisible();
});
