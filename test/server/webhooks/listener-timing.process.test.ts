import { describe, expect, test } from "vitest";
import { useListenerHost } from "./listener-host.ts";

const shared = useListenerHost();
const { add, call } = shared;

describe("a listener", () => {
  test.each(["head", "safe", "finalized"])(
    "is registered with and changed to the delivery %s",
    async (delivery) => {
      const { listener } = await add({ delivery });
      expect(listener).toMatchObject({ delivery });
      const other = await add();
      const { id } = other["listener"];
      const changed = await call("UpdateWebhookListener", { id, delivery });
      expect(changed["listener"]).toMatchObject({ delivery });
      const renamed = await call("UpdateWebhookListener", { id, name: "Other" });
      expect(renamed["listener"]).toMatchObject({ delivery, name: "Other" });
    },
  );

  test("cannot have another delivery", async () => {
    expect(await add({ delivery: "latest" })).toMatchObject({
      error: "WebrpcBadRequest",
      cause: expect.stringContaining("delivery"),
    });
  });

  test.each([1, 2, 9_999, 10_000])(
    "is registered with and changed to %i confirmations",
    async (confirmations) => {
      expect((await add({ confirmations }))["listener"]).toMatchObject({ delivery: "head", confirmations });
      const { listener } = await add({ delivery: "head" });
      expect(listener).toMatchObject({ confirmations: 1 });
      const { id } = listener;
      const changed = await call("UpdateWebhookListener", { listener: { id, confirmations } });
      expect(changed["listener"]).toMatchObject({ delivery: "head", confirmations });
      const renamed = await call("UpdateWebhookListener", { id, name: "Other" });
      expect(renamed["listener"]).toMatchObject({ confirmations, name: "Other" });
    },
  );

  test.each([0, 10_001, 1.5, -1])("cannot have %d confirmations", async (confirmations) => {
    const refused = { error: "WebrpcBadRequest", cause: expect.stringContaining("confirmations") };
    expect(await add({ confirmations })).toMatchObject(refused);
    const { listener } = await add();
    expect(await call("UpdateWebhookListener", { id: listener.id, confirmations })).toMatchObject(refused);
  });

  test.each(["safe", "finalized"])("waits either for confirmations or for %s blocks", async (delivery) => {
    const refused = {
      error: "InvalidArgument",
      cause: `/confirmations: only listeners with the delivery "head" wait for confirmations, but delivery is "${delivery}"; omit confirmations, or set delivery to "head"`,
    };
    expect(await add({ delivery, confirmations: 2 })).toMatchObject(refused);
    const { listener } = await add({ confirmations: 2 });
    const { id } = listener;
    expect(await call("UpdateWebhookListener", { id, delivery, confirmations: 2 })).toMatchObject(refused);
    expect(await call("GetWebhookListener", { id })).toEqual({ listener });
    const settled = (await call("UpdateWebhookListener", { id, delivery }))["listener"];
    expect(settled).toMatchObject({ delivery });
    expect(settled).not.toHaveProperty("confirmations");
    expect(await call("UpdateWebhookListener", { id, confirmations: 3 })).toMatchObject(refused);
    const both = await call("UpdateWebhookListener", { id, delivery: "head", confirmations: 3 });
    expect(both["listener"]).toMatchObject({ delivery: "head", confirmations: 3 });
    const same = await call("UpdateWebhookListener", { id, delivery: "head" });
    expect(same["listener"]).toMatchObject({ delivery: "head", confirmations: 3 });
    await call("UpdateWebhookListener", { id, delivery });
    const direct = await call("UpdateWebhookListener", { id, delivery: "head" });
    expect(direct["listener"]).toMatchObject({ delivery: "head", confirmations: 1 });
  });
});
