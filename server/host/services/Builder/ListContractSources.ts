import type { BuilderHandlers } from "../../../../generated/server/builder.ts";
import { listContractSources as list } from "../../../market/records/contract-sources/list-contract-sources.ts";
import { planPage } from "../../../market/records/project-page.ts";
import type { CallContext } from "../call-context.ts";
import { projectOf } from "../project-of.ts";

/** The host has checked that a `projectId` in the request is the caller's project. */
export function listContractSources(): BuilderHandlers<CallContext>["ListContractSources"] {
  return async (ctx, { page }) => {
    const read = planPage(page);
    if ("error" in read) return ctx.errors.InvalidArgument({ cause: read.error, expose: true });
    return list(ctx.host.database, projectOf(ctx.host), read.plan);
  };
}
