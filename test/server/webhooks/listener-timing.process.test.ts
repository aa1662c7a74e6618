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
});
