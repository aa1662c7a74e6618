import type { BuilderHandlers } from "../../../../generated/server.ts";
import {
  listContractSources as list,
  PageTooLarge,
} from "../../../market/records/contract-sources/list-contract-sources.ts";
import { planPage } from "../../../market/records/project-page.ts";
import { type CallContext, projectOf } from "../call-context.ts";

/** The host has checked that a `projectId` in the request is the caller's project. */
export function listContractSources(): BuilderHandlers<CallContext>["ListContractSources"] {
  return async (ctx, { page }) => {
    const read = planPage(page);
    if ("error" in read) return ctx.errors.InvalidArgument({ cause: read.error, expose: true });
    try {
      return await list(ctx.host.database, projectOf(ctx.host), read.plan);
    } catch (err) {
      if (err instanceof PageTooLarge)
        return ctx.errors.InvalidArgument({ cause: err.message, expose: true });
      throw err;
    }
  };
}
