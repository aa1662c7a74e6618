import { answerGetOrders, answerIsValid } from "../cases.ts";

/** Asynchronous, as handlers of a real service are. */
export const handlers = {
  Marketplace: { GetOrders: async (_ctx, { input }) => answerGetOrders(input) },
  API: { IsValid: async (_ctx, req) => answerIsValid(req) },
};
