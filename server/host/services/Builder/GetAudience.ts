import type { BuilderHandlers } from "../../../../generated/server.ts";
import { getAudience as get } from "../../../market/records/audiences/get-audience.ts";
import { type CallContext, projectOf } from "../call-context.ts";

/** Names and email addresses are personal data: only holders of the project's secret key get them. */
export function getAudience(): BuilderHandlers<CallContext>["GetAudience"] {
  return async (ctx, { audienceId }) => {
    const found = await get(ctx.host.database, {
      projectId: projectOf(ctx.host),
      audienceId,
      withPersonalData: ctx.host.caller?.account !== undefined,
    });
    return found ?? ctx.errors.NotFound({ cause: `there is no audience ${audienceId}`, expose: true });
  };
}
