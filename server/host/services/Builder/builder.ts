import type { BuilderHandlers } from "../../../../generated/server.ts";
import { getAudience } from "../../../market/records/audiences/get-audience.ts";
import { listContractSources } from "../../../market/records/contract-sources/list-contract-sources.ts";
import { planPage } from "../../../market/records/project-page.ts";
import { type CallContext, projectOf } from "../call-context.ts";

/** The methods of the service, except those that all services share. */
export function builderHandlers(): Omit<BuilderHandlers<CallContext>, "Ping" | "Version"> {
  return {
    /** The host has checked that a `projectId` in the request is the caller's project. */
    ListContractSources: (ctx, { page }) =>
      listContractSources(ctx.context.database, projectOf(ctx.context), planPage(page)),
    /** Names and email addresses are personal data: only holders of the project's secret key get them. */
    GetAudience: async (ctx, { audienceId }) => {
      const found = await getAudience(ctx.context.database, {
        projectId: projectOf(ctx.context),
        audienceId,
        withPersonalData: ctx.context.caller?.account !== undefined,
      });
      return found ?? ctx.errors.NotFound({ cause: `there is no audience ${audienceId}`, expose: true });
    },
  };
}
