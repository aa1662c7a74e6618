import { createHash } from "node:crypto";
import {
  isList,
  type JsonMembers,
  type JsonValue,
  jsonText,
  membersByKey,
  numberValue,
  typeValue,
} from "./json-text.ts";
import type {
  IrAnnotation,
  IrArgument,
  IrError,
  IrField,
  IrMethod,
  IrSchema,
  IrService,
  IrType,
  IrValue,
} from "./schema.ts";

/** Writes the IR byte for byte as the reference tool does, with a final line break. */
export function writeIr({ webrpc, name, version, basepath, types, errors, services }: IrSchema): string {
  const whole = {
    webrpc,
    name,
    version,
    basepath,
    types: types?.map(typeOf) ?? null,
    errors: errors?.map(errorOf) ?? null,
    services: services?.map(serviceOf) ?? null,
  };
  return `${jsonText(whole)}\n`;
}

/** The schema hash of webrpc: SHA-1 of the IR's text, in lower-case hex. */
export function hashIr(irText: string): string {
  return createHash("sha1").update(irText).digest("hex");
}

function typeOf({ kind, name, type, fields, optional, value, meta, comments }: IrType): JsonMembers {
  return {
    kind,
    name,
    type: type === undefined ? undefined : typeValue(type),
    fields: nonEmpty(fields)?.map(fieldOf),
    optional: trueOnly(optional),
    value: nonEmptyText(value),
    meta: nonEmpty(meta)?.map(metaValue),
    comments: nonEmpty(comments),
  };
}

function fieldOf(field: IrField | null): JsonValue {
  if (field === null) return null;
  const { comments, name, type, optional, value, meta } = field;
  return {
    comments: nonEmpty(comments),
    name,
    type: type === undefined ? undefined : typeValue(type),
    optional: trueOnly(optional),
    value: nonEmptyText(value),
    meta: nonEmpty(meta)?.map(metaValue),
  };
}

function errorOf({ code, name, message, httpStatus }: IrError): JsonMembers {
  return { code: numberValue(code), name, message, httpStatus: numberValue(httpStatus) };
}

function serviceOf({ name, path, methods, comments }: IrService): JsonMembers {
  return { name, path: nonEmptyText(path), methods: methods?.map(methodOf) ?? null, comments };
}

function methodOf(method: IrMethod): JsonMembers {
  const { name, annotations, comments, succinct, streamInput, streamOutput, route, inputs, outputs, errors } =
    method;
  return {
    name,
    annotations: annotations && membersByKey(mapped(annotations, annotationOf)),
    comments,
    succinct: trueOnly(succinct),
    streamInput: trueOnly(streamInput),
    streamOutput: trueOnly(streamOutput),
    route: route && { verb: route.verb, path: route.path },
    inputs: inputs?.map(argumentOf) ?? null,
    outputs: outputs?.map(argumentOf) ?? null,
    errors: nonEmpty(errors),
  };
}

function annotationOf(annotation: IrAnnotation | null): JsonValue {
  return annotation && { annotationType: annotation.annotationType, value: annotation.value };
}

function argumentOf({ name, type, optional, value, meta }: IrArgument): JsonMembers {
  return {
    name,
    type: typeValue(type),
    optional,
    value: nonEmptyText(value),
    meta: nonEmpty(meta)?.map(metaValue),
  };
}

function metaValue(value: IrValue): JsonValue {
  if (typeof value === "number") return numberValue(value);
  if (typeof value !== "object" || value === null) return value;
  return isList(value) ? value.map(metaValue) : membersByKey(mapped(value, metaValue));
}

function mapped<Item>(
  map: ReadonlyMap<string, Item>,
  of: (item: Item) => JsonValue,
): ReadonlyMap<string, JsonValue> {
  return new Map(Array.from(map, ([key, item]) => [key, of(item)]));
}

function nonEmpty<Item>(items: readonly Item[] | undefined): readonly Item[] | undefined {
  return items !== undefined && items.length > 0 ? items : undefined;
}

function trueOnly(value: boolean | undefined): true | undefined {
  return value === true ? true : undefined;
}

function nonEmptyText(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
