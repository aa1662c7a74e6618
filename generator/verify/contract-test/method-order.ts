import type { PlannedMethod } from "../../codegen/plan/plan.ts";
import { wordsOf } from "../samples/meaning.ts";
import type { TestedMethod } from "./tester.ts";

/** `Logout`, `RevokeToken`, `DeleteAccount`, and `Delete` of a service `Account`. */
const endsSession =
  /^(log ?out|sign ?out|log ?off|sign ?off)( |$)|^(revoke|invalidate|end|close|delete|remove|rotate|disable|deactivate) (my |own |all |the |current )*(session|token|credential|account|user|access key|api key|key|me|self)s?$|^(deactivate|revoke)$/;

const removes =
  /^(delete|remove|destroy|drop|erase|purge|cancel|archive|close|revoke|deactivate|disable)( |$)/;

/** Whether a method takes records away, so that later calls may miss them. */
export function removesRecords({ name, annotations, route }: PlannedMethod): boolean {
  return annotations.has("delete") || route?.verb === "DELETE" || removes.test(wordsOf(name));
}

const creates = /^(create|add|new|register|insert)( |$)/;

/** Whether a method creates a record, and thus takes no existing key of it. */
export function createsRecords({ name, annotations }: PlannedMethod): boolean {
  return annotations.has("create") || creates.test(wordsOf(name));
}

/** Whether a method's name suggests that the server no longer accepts the credential after a call. */
export function mayEndSession({ service, method }: TestedMethod): boolean {
  const verb = wordsOf(method.name);
  return endsSession.test(verb) || endsSession.test(`${verb} ${wordsOf(service.name)}`);
}
