import { markedFields } from "../../plan/marked-fields.ts";
import { propertyKey } from "../../plan/names.ts";
import { hasKeys, hasReads, hasResumes, hasRoutes, type Plan } from "../../plan/plan.ts";
import { planSteps } from "../../plan/versions/steps.ts";
import { docComment, literal, literalKey } from "../text.ts";
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
  /** The earlier versions that the server speaks, the oldest first. */
  readonly versions: readonly VersionLine[];
  /** Those with custom conversions. */
  readonly custom: readonly VersionLine[];
  /** Names as literals. Undefined if no field is marked. */
  readonly markedFields: string | undefined;
}

interface VersionLine {
  /** The version as the key of an object. */
  readonly key: string;
  readonly from: string;
  readonly convertersFrom: string;
  readonly local: string;
  /** Name of the type of its custom conversions. */
  readonly custom: string | undefined;
}

interface ServiceLine {
  readonly docs: string;
  readonly key: string;
  readonly handlers: string;
  readonly definition: string;
  readonly fileName: string;
}

export function viewIndex(plan: Plan, filesInMemory: boolean, kept: readonly Plan[]): IndexView {
  const marked = markedFields(plan);
  const versions = planSteps(kept, plan).map(({ plan: { schemaVersion }, folder, isCustom }, index) => ({
    key: literalKey(schemaVersion),
    from: literal(`../versions/${folder}/version.ts`),
    convertersFrom: literal(`../versions/${folder}/converters.ts`),
    local: `version${index + 1}`,
    custom: isCustom ? `Custom${index + 1}` : undefined,
  }));
  return {
    versions,
    custom: versions.filter(({ custom }) => custom !== undefined),
    basepath: literal(plan.basepath),
    markedFields: marked.length === 0 ? undefined : marked.map(literal).join(", "),
    webrpc: literal(webrpcHeader(plan)),
    isWide: plan.int64 === "bigint",
    takesFiles: plan.services.some(({ methods }) => methods.some(({ files }) => files.length > 0)),
    isRouted: [plan, ...kept].some((each) => hasRoutes(each) || hasReads(each)),
    isKeyed: [plan, ...kept].some(hasKeys),
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
