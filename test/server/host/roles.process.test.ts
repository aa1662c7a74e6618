import { expect, test } from "vitest";
import { makeDataFolder, startHost } from "../../support/host.ts";
import { startReceiver } from "../../support/receiver.ts";
import { signingKeyText } from "../../support/signing-keys.ts";
import { openWebhookWorld } from "../../support/webhook-world.ts";

test("a replica that does not deliver webhooks leaves them to the others", async () => {
  await using world = await openWebhookWorld();
  await using receiver = await startReceiver();
  await using data = makeDataFolder();
  const { listener } = await world.add(receiver.url);
  const env = {
    DATABASE_URL: world.url,
    SIGNING_KEY: signingKeyText(1),
    OUTBOUND_ALLOW: "127.0.0.0/8",
    OUTBOUND_PORTS: "1-65535",
    ADMIN_PORT: "0",
  };
  const details = { 137: { rpcUrls: ["http://127.0.0.1:1"], follow: {} } };
  const off = {
    DELIVER_WEBHOOKS: "false",
    FOLLOW_CHAINS: "false",
    READ_METADATA: "false",
    NETWORK_DETAILS: JSON.stringify(details),
  };
  await world.tell([listener.id], 3);
  {
    await using calls = await startHost({ data, env: { ...env, ...off } });
    const ready = await fetch(`${calls.adminUrl}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { checks: { chains: "ok" } }]);
    const metrics = await (await fetch(`${calls.adminUrl}/metrics`)).text();
    expect(metrics).toContain("platform_webhook_hosts 0");
    expect(metrics).toContain('platform_chain_followed{chain="polygon"} 0');
    expect(await world.states()).toEqual({ waiting: 3 });
  }
  await using _workers = await startHost({ data, env });
  await expect.poll(() => world.states(), { timeout: 120_000 }).toEqual({ accepted: 3 });
});
