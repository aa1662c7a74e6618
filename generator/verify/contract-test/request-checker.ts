import type { Json } from "../../codegen/plan/json.ts";
import { isOmitted, type PlannedMethod } from "../../codegen/plan/plan.ts";
import { TypeFinder } from "../../codegen/plan/type-finder.ts";
import type { LoadedContract } from "../in-memory/load.ts";
import { httpRequest } from "../replay/http-request.ts";
import { testCall } from "./call.ts";

/** Checks whether a request is valid, by sending it to the generated server of the contract. */
export function requestChecker(
  loaded: LoadedContract,
): (method: PlannedMethod, request: Json) => Promise<boolean> {
  let isAccepted = false;
  const accept = (): never => {
    isAccepted = true;
    throw new Error("the request was accepted");
  };
  const handlers = Object.fromEntries(
    loaded.plan.services.map(({ name, methods }) => [
      name,
      Object.fromEntries(methods.filter((one) => !isOmitted(one)).map((method) => [method.name, accept])),
    ]),
  );
  const fetch = loaded.fetchHandler(loaded.createServer(handlers));
  const types = new TypeFinder(loaded.plan);
  return async (method, request) => {
    isAccepted = false;
    const call = testCall(types, method, request);
    if (call !== undefined) await fetch(httpRequest("http://check", call));
    return isAccepted;
  };
}
