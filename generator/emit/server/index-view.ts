import { propertyKey } from "../../plan/names.ts";
import type { Plan } from "../../plan/plan.ts";
import { docComment, literal } from "../text.ts";
import { webrpcHeader } from "../webrpc-header.ts";
import { definitionName, handlersName } from "./service-view.ts";

interface IndexView {
  readonly basepath: string;
  readonly webrpc: string;
  readonly services: readonly ServiceLine[];
}

interface ServiceLine {
  readonly docs: string;
  readonly key: string;
  readonly handlers: string;
  readonly definition: string;
  readonly fileName: string;
}

export function viewIndex(plan: Plan): IndexView {
  return {
    basepath: literal(plan.basepath),
    webrpc: literal(webrpcHeader(plan)),
    services: plan.services.map((service) => ({
      docs: docComment(service.docs, "  "),
      key: propertyKey(service.name),
      handlers: handlersName(service),
      definition: definitionName(service),
      fileName: service.fileName,
    })),
  };
}
