import type { AnnotationNode } from "../../syntax/tree.ts";
import { defineRule, type LintRule, methodsOf } from "../rule.ts";

export const foreignAnnotationRules: readonly LintRule[] = [
  defineRule({
    name: "foreign-annotations",
    code: "RK737",
    preset: "default",
    message: '"@{name}" does nothing unless a hook of the server reads it.',
    rule: "What the schema language can say is not an annotation of another framework.",
    reason:
      "Schemas may use any annotation as data for hooks, so a route or a security rule in one has no effect and is not an error. If a hook reads the annotation, ignore the finding with a comment above the method.",
    bad: [
      "# The shop.",
      "service Shop",
      "  # Finds a lamp.",
      '  @get:"/lamps/{id}"',
      "  - Find(id: uint32) => (name: string)",
    ],
    good: [
      "# The shop.",
      "service Shop",
      "  # Finds a lamp.",
      "  - Find(id: uint32) => (name: string)",
      "    GET /lamps/{id}",
    ],
    check(schema, report) {
      for (const { node: owner, file } of methodsOf(schema)) {
        for (const annotation of owner.annotations) {
          const advice = foreignAdvice(annotation);
          const { text: name, span } = annotation.name;
          if (advice !== undefined) report({ name }, { file, span, owner }, { advice });
        }
      }
    },
  }),
];

/** Returns what to write in place of an annotation of another framework, with the names in its value. */
export function foreignAdvice({ name, value }: Pick<AnnotationNode, "name" | "value">): string | undefined {
  const word = name.text.toLowerCase().replaceAll("_", "");
  const text = value?.value ?? "";
  // `@get:Order` names the records that a method manages.
  if (recordVerbs.has(name.text) && /^\w+$/.test(text)) return undefined;
  const [verb = "get"] = /get|post|put|patch|delete/i.exec(`${word} ${text}`) ?? [];
  const [path = "/orders"] = /\/[\w./{}:-]*/.exec(text) ?? [];
  const errors = text.match(/\b[A-Z]\w*/g) ?? ["NotFound"];
  return foreignWords
    .get(word)
    ?.replace("ROUTE", () => `${verb.toUpperCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")}`)
    .replace("ERRORS", () => `errors ${errors.join(" | ")}`);
}

const recordVerbs: ReadonlySet<string> = new Set(["create", "get", "list", "update", "delete"]);

/** Words of Spring, NestJS, TypeSpec, Smithy, gRPC, GraphQL, FastAPI and JSDoc, in lower case and without "_". */
const foreignWords: ReadonlyMap<string, string> = new Map([
  ...entries(
    "get post put patch delete head http httpget httppost httpput httppatch httpdelete httpmethod rest route path endpoint getmapping postmapping putmapping patchmapping deletemapping requestmapping",
    "Give the method a route: in RIDL, write ROUTE on the line below it.",
  ),
  ...entries("read query safe", "Write @readonly for a method that changes no data."),
  ...entries(
    "status statuscode httpcode httpstatus responsestatus",
    "Remove it: responses have status 200, and an error has its status in its declaration, such as HTTP 404.",
  ),
  ...entries(
    "throws throw error errors raises",
    "List the errors of the method: in RIDL, write ERRORS behind the response.",
  ),
  ...entries(
    "paginate paginated pageable paged cursor",
    'Write @paging with the names of the fields, such as @paging:"limit,page".',
  ),
  ...entries("summary description desc", "Write it as a comment above the method."),
  ...entries("tag tags", "Remove it: methods are grouped by their service."),
  ...entries("operationid", "Remove it: the operation id is the name of the method."),
  ...entries(
    "authenticated authenticate authorized authorize authorization authrequired requiresauth requireauth needsauth secured secure security protected loginrequired preauthorize bearer",
    "Write @auth with the credentials, such as @auth:user, and check them in a guard or with the option annotations of the server.",
  ),
  ...entries(
    "private hidden hide undocumented unlisted",
    'Write @internal: agents never call the method. The setting ignore: ["@internal"] leaves it out of generated code.',
  ),
  ...entries("cacheable cachecontrol maxage ttl", 'Write @cache with a duration, such as @cache:"60s".'),
  ...entries("retry retryable retries", "Write @idempotent, or @readonly for a method that changes no data."),
  ...entries(
    "stream streaming sse subscription",
    "Write stream before the response: => stream (order: Order).",
  ),
  ...entries("obsolete removed", 'Write @deprecated with the replacement, such as @deprecated:"use Find".'),
]);

function entries(words: string, advice: string): (readonly [string, string])[] {
  return words.split(" ").map((word) => [word, advice]);
}
