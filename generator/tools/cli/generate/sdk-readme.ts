/** The README of an SDK: an example, and a table of the methods of each service. */

import { literal, methodFacts } from "../../../codegen/emit/text.ts";
import { claimName, valueIdentifier } from "../../../codegen/plan/names.ts";
import {
  isOmitted,
  type Plan,
  type PlannedField,
  type PlannedMethod,
  type PlannedService,
  type PlannedStruct,
  type TypeFinder,
} from "../../../codegen/plan/plan.ts";
import { unionsOf } from "../../../codegen/plan/unions.ts";

export interface SdkReadme {
  readonly name: string;
  readonly version: string;
  readonly plan: Plan;
}

export function sdkReadme({ name, version, plan }: SdkReadme): string {
  const services = plan.services
    .map((service) => ({ ...service, methods: service.methods.filter((method) => !isOmitted(method)) }))
    .filter(({ methods }) => methods.length > 0);
  const [first] = services;
  return `# ${name}

The client of ${plan.schemaName} ${version}, for browsers, Node.js, Deno, Bun and Workers. It has no dependencies.

\`\`\`sh
npm install ${name}
\`\`\`
${first === undefined ? "" : usage(name, first, plan.finder)}${services.some(hasCredentials) ? credentials(services) : ""}
${services.map((service) => serviceText(service, plan.finder)).join("\n")}`;
}

function usage(name: string, { className, methods }: PlannedService, types: TypeFinder): string {
  const method = methods.find(({ deprecated }) => deprecated === undefined) ?? methods[0];
  if (method === undefined) return "";
  const call = callOf(className, method, types);
  return `
\`\`\`ts
import { ${className} } from "${name}";

const ${variable(className)} = new ${className}("https://api.example.com");
${method.streamOutput ? `for await (const item of ${call}) console.log(item);` : `console.log(await ${call});`}
\`\`\`

The placeholder \`…\` is for your values. Failed calls throw an \`RpcError\` with \`name\`, \`code\` and \`message\`. Types are in
\`${name}/types\`, errors in \`${name}/errors\`.
`;
}

function hasCredentials({ methods }: PlannedService): boolean {
  return methods.some(({ annotations }) => annotations.has("auth"));
}

function credentials(services: readonly PlannedService[]): string {
  const { className = "" } = services.find(hasCredentials) ?? {};
  return `
Send credentials in headers:
\`new ${className}({ url: "https://api.example.com", headers: () => ({ authorization: … }) })\`.
`;
}

function serviceText({ className, docs, methods }: PlannedService, types: TypeFinder): string {
  return `## ${className}
${docs.length === 0 ? "" : `\n${docs.join("\n")}\n`}
| method | what it does | errors |
|---|---|---|
${methods.map((method) => methodRow(className, method, types)).join("\n")}
`;
}

function methodRow(className: string, method: PlannedMethod, types: TypeFinder): string {
  const cells = [
    `\`${callOf(className, method, types)}\``,
    sentencesOf(method).join(" "),
    method.errors?.map(({ name }) => `\`${name}\``).join(", ") ?? "any",
  ];
  return `| ${cells.map((cell) => cell.replaceAll(/\s+/g, " ").replaceAll("|", "\\|")).join(" | ")} |`;
}

/** The first paragraph of the docs, and what a caller must know. */
function sentencesOf(method: PlannedMethod): readonly string[] {
  const { docs, deprecated, streamOutput, fileOutput } = method;
  const described = (docs.includes("") ? docs.slice(0, docs.indexOf("")) : docs).join(" ").trimEnd();
  const found = [
    deprecated === undefined ? "" : `**Deprecated**${deprecated === "" ? "." : `: ${deprecated}`}`,
    described,
    streamOutput ? "Returns a stream: read its items with `for await`." : "",
    fileOutput ? "Returns a file." : "",
    ...methodFacts(method),
  ];
  return found.filter((text) => text !== "").map((text) => (/[.!?]$/.test(text) ? text : `${text}.`));
}

function variable(className: string): string {
  return claimName(valueIdentifier(className), new Set([className]));
}

/** `shop.buy({ item: …, count: … })`, with the fields that a call needs. */
function callOf(className: string, { memberName, request }: PlannedMethod, types: TypeFinder): string {
  const needed = request.isEmpty ? "" : objectText(neededFields(types.struct(request.typeName), types));
  return `${variable(className)}.${memberName}(${needed})`;
}

function objectText(fields: readonly string[]): string {
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** Of each union, the fields of its first case. */
function neededFields(struct: PlannedStruct, types: TypeFinder): readonly string[] {
  const first = new Map<PlannedField, string>();
  for (const {
    kind,
    cases: [chosen],
  } of unionsOf(struct, types)) {
    for (const field of chosen?.required ?? []) first.set(field, "…");
    if (kind !== undefined && chosen?.kind !== undefined) first.set(kind, literal(chosen.kind.wire));
  }
  const isNeeded = ({ optional, nullable, default: value }: PlannedField): boolean =>
    !optional && !nullable && value === undefined;
  return [
    ...struct.fields
      .filter((field) => first.has(field) || isNeeded(field))
      .map((field) => `${field.key}: ${first.get(field) ?? "…"}`),
    ...(struct.files ?? []).filter(({ optional }) => !optional).map(({ key }) => `${key}: …`),
  ];
}
