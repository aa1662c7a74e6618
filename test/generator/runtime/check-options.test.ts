/** Options of a server that would have no effect, as JavaScript or a change of the schema leaves them: the server does not start. */
import { expect, test } from "vitest";
import { createServer } from "../../fixtures/shop/generated/server.ts";
import { shopHandlers } from "./shop.ts";

const start = (options: object) => createServer(shopHandlers, options as never);
const hook = (): void => {};

test.each<readonly [object, string]>([
  [{ guard: [hook] }, 'createServer: unknown name "guard" (known: guards, context, '],
  [{ limits: { bodyMaxByte: 1 } }, 'limits: unknown name "bodyMaxByte" (known: bodyMaxBytes, '],
  [{ streams: { ping: 1 } }, 'streams: unknown name "ping" (known: pingMs, maxMs)'],
  [{ uploads: { max: 1 } }, 'uploads: unknown name "max" (known: fileMaxBytes, '],
  [{ deadline: { seconds: 1 } }, 'deadline: unknown name "seconds" (known: ms, error)'],
  [{ idempotency: { required: true } }, 'idempotency: unknown name "required" (known: store, '],
  [{ idempotency: { scope: "x" } }, "idempotency.scope: expected a function"],
  [{ deadline: { ms: 1 } }, "deadline.error: expected a function"],
  [{ context: {} }, "context: expected a function"],
  [{ onResponse: "x" }, "onResponse: expected a function"],
  [{ guards: hook }, "guards: expected a list"],
  [{ guards: [undefined] }, "guards: expected a function"],
  [{ annotations: { atuh: hook } }, 'annotations: unknown name "atuh" (known: '],
  [{ annotations: { "@auth": hook } }, 'annotations: unknown name "@auth" (known: '],
  [{ annotations: { auth: "x" } }, "annotations.auth: expected a function"],
  [{ annotations: hook }, "annotations: expected an object"],
  [{ around: hook }, "around: expected a list"],
  [{ around: ["x"] }, "around: expected an object"],
  [{ around: [null] }, "around: expected an object"],
  [{ around: [{ "@autth": hook }] }, 'around: unknown name "@autth" (known: Shop, '],
  [{ around: [{ "@auth": { GetItem: hook } }] }, "around.@auth: expected a function"],
  [{ around: [{ Shpo: hook }] }, 'around: unknown name "Shpo" (known: Shop, '],
  [{ around: [{ Shop: "x" }] }, "around.Shop: expected a function"],
  [{ around: [{ Shop: { GetItme: hook } }] }, 'around.Shop: unknown name "GetItme" (known: '],
  [{ around: [{ Shop: { GetItem: "x" } }] }, "around.Shop.GetItem: expected a function"],
])("%j does not start", (options, message) => {
  expect(() => start(options)).toThrow(TypeError);
  expect(() => start(options)).toThrow(message);
});

test("known names start, also without a value", () => {
  start({
    limits: undefined,
    annotations: { auth: undefined, readonly: hook },
    around: [
      hook,
      { Shop: undefined, "@auth": hook },
      { Shop: hook },
      { Shop: { GetItem: hook, Echo: undefined } },
    ],
  });
});
