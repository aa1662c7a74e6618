import { markedFields } from "../../plan/marked-fields.ts";
import { propertyKey } from "../../plan/names.ts";
import { hasKeys, hasReads, hasResumes, hasRoutes, type Plan } from "../../plan/plan.ts";
import { docComment, literal } from "../text.ts";
import { webrpcHeader } from "../webrpc-header.ts";
import { definitionName, handlersName } from "./service-view.ts";

interface IndexView {
  readonly basepath: string;
  readonly webrpc: string;
  readonly isWide: boolean;
  readonly takesFiles: boolean;
  /** Whether methods are called by other verbs than POST. */
  readonly isRouted: boolean;
  /** Whether calls may have idempotency keys. */
  readonly isKeyed: boolean;
  readonly isResumable: boolean;
  /** The receiver of uploads, and its runtime source. */
  readonly uploads: string;
  readonly uploadsFile: string;
  readonly services: readonly ServiceLine[];
  /** Names as literals. Undefined if no field is marked. */
  readonly markedFields: string | undefined;
}

interface ServiceLine {
  readonly docs: string;
  readonly key: string;
  readonly handlers: string;
  readonly definition: string;
  readonly fileName: string;
}

export function viewIndex(plan: Plan, filesInMemory: boolean): IndexView {
  const marked = markedFields(plan);
  return {
    basepath: literal(plan.basepath),
    markedFields: marked.length === 0 ? undefined : marked.map(literal).join(", "),
    webrpc: literal(webrpcHeader(plan)),
    isWide: plan.int64 === "bigint",
    takesFiles: plan.services.some(({ methods }) => methods.some(({ files }) => files.length > 0)),
    isRouted: hasRoutes(plan) || hasReads(plan),
    isKeyed: hasKeys(plan),
    isResumable: hasResumes(plan),
    uploads: filesInMemory ? "uploadsInMemory" : "uploadsOnDisk",
    uploadsFile: filesInMemory ? "uploads-in-memory" : "uploads-on-disk",
    services: plan.services.map((service) => ({
      docs: docComment(service, "  "),
      key: propertyKey(service.name),
      handlers: handlersName(service),
      definition: definitionName(service),
      fileName: service.fileName,
    })),
  };
}
