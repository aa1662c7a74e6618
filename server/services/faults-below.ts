import type { ErrorMakers } from "../../generated/runtime/v1/failure.ts";
import { ChainBusy } from "../chains/chain.ts";
import { DatabaseBusy, DatabaseFault } from "../storage/fault.ts";
import { overloaded } from "./overloaded.ts";

type AnyHandler = (ctx: { readonly errors: ErrorMakers<string> }, req: unknown) => unknown;

/** Makes every method answer QueryFailed while the database cannot be asked, and Overloaded past what it or the nodes of a chain can carry, so that no handler has to think of it. */
export function answerFaultsBelow<Handlers extends object>(handlers: Handlers): Handlers {
  return mapValues(handlers, (service) => mapValues(service as object, wrap)) as Handlers;
}

function wrap(handler: unknown): AnyHandler {
  return (ctx, req) => {
    const result = (handler as AnyHandler)(ctx, req);
    return result instanceof Promise ? result.catch((err: unknown) => answer(err, ctx)) : result;
  };
}

function answer(err: unknown, { errors }: { readonly errors: ErrorMakers<string> }): unknown {
  const isBusy = err instanceof DatabaseBusy || err instanceof ChainBusy;
  // A method whose contract has no Overloaded may not answer it.
  if (isBusy)
    return errors["Overloaded"] === undefined ? errors["QueryFailed"]?.({ cause: err }) : overloaded();
  if (err instanceof DatabaseFault) return errors["QueryFailed"]?.({ cause: err });
  throw err;
}

function mapValues(object: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
