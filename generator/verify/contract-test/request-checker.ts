import type { Json } from "../../codegen/plan/json.ts";
import { isOmitted, type PlannedMethod } from "../../codegen/plan/plan.ts";
import type { LiveContract } from "../live/load.ts";
import { multipartForm } from "../replay/multipart-form.ts";

/** Checks whether a request is valid, by sending it to the generated server of the contract. */
export function requestChecker(
  live: LiveContract,
): (method: PlannedMethod, request: Json) => Promise<boolean> {
  let isAccepted = false;
  const accept = (): never => {
    isAccepted = true;
    throw new Error("the request was accepted");
  };
  const handlers = Object.fromEntries(
    live.plan.services.map(({ name, methods }) => [
      name,
      Object.fromEntries(methods.filter((one) => !isOmitted(one)).map((method) => [method.name, accept])),
    ]),
  );
  const fetch = live.fetchHandler(live.createServer(handlers));
  return async ({ path, files }, request) => {
    isAccepted = false;
    const isForm = files.length > 0;
    const body = isForm
      ? multipartForm(
          request,
          files.map(({ name }) => name),
        )
      : JSON.stringify(request);
    const headers: Record<string, string> = isForm ? {} : { "content-type": "application/json" };
    await fetch(new Request(`http://check${path}`, { method: "POST", headers, body }));
    return isAccepted;
  };
}
