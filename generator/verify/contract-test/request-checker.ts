import type { Json } from "../../codegen/plan/json.ts";
import { isOmitted, type PlannedMethod } from "../../codegen/plan/plan.ts";
import type { LiveContract } from "../live/load.ts";
import { multipartForm } from "../replay/multipart-form.ts";

/** Whether the generated server of a contract takes a request, which is asked by making the call. */
export function requestChecker(
  live: LiveContract,
): (method: PlannedMethod, request: Json) => Promise<boolean> {
  let isTaken = false;
  const take = (): never => {
    isTaken = true;
    throw new Error("this is all that was asked");
  };
  const handlers = Object.fromEntries(
    live.plan.services.map(({ name, methods }) => [
      name,
      Object.fromEntries(methods.filter((one) => !isOmitted(one)).map((method) => [method.name, take])),
    ]),
  );
  const fetch = live.fetchHandler(live.createServer(handlers));
  return async ({ path, files }, request) => {
    isTaken = false;
    const isForm = files.length > 0;
    const body = isForm
      ? multipartForm(
          request,
          files.map(({ name }) => name),
        )
      : JSON.stringify(request);
    const headers: Record<string, string> = isForm ? {} : { "content-type": "application/json" };
    await fetch(new Request(`http://asked${path}`, { method: "POST", headers, body }));
    return isTaken;
  };
}
