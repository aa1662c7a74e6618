import type { KeyInfo } from "../../../generator/explorer/page/call/host-info.ts";
import type { CallParts } from "../../../generator/explorer/page/call/request.ts";
import type { Draft } from "../../../generator/explorer/page/form/draft.ts";
import {
  type Ir,
  type IrMethod,
  type IrType,
  readSchema,
  type Schema,
} from "../../../generator/explorer/page/schema/ir.ts";
import { type Shape, shapeOf } from "../../../generator/explorer/page/schema/shape.ts";

const types: readonly IrType[] = [
  {
    kind: "enum",
    name: "Kind",
    type: "string",
    fields: [{ name: "unknown" }, { name: "CAT", value: "cat" }, { name: "DOG" }],
  },
  {
    kind: "enum",
    name: "Size",
    type: "uint8",
    fields: [
      { name: "S", value: "1", meta: [{ json: "small" }] },
      { name: "L", value: "2" },
    ],
  },
  { kind: "alias", name: "Short", type: "string", meta: [{ maxLength: "5" }, { example: "ab" }] },
  { kind: "alias", name: "Shorter", type: "Short", meta: [{ maxLength: "3" }, { maxLength: "9" }] },
  {
    kind: "struct",
    name: "Pet",
    fields: [
      { name: "id", type: "uint64", meta: [{ minimum: "1" }] },
      { name: "nick", type: "Shorter", meta: [{ json: "nickName,omitempty" }] },
      { name: "secret", type: "string", meta: [{ json: "-" }] },
      { name: "plain", type: "string", meta: [{ json: ",string" }], optional: true },
      { name: "kind", type: "Kind" },
      { name: "friends", type: "[]Pet", optional: true },
    ],
  },
  { kind: "struct", name: "Empty" },
];

export const method = (name: string, more: Partial<IrMethod> = {}): IrMethod => ({
  name,
  inputs: [{ name: "pet", type: "Pet" }],
  outputs: [],
  ...more,
});

export const ir: Ir = {
  name: "shop",
  version: "v1",
  types,
  services: [
    { name: "Pets", path: "/pets/", methods: [method("GetPet"), method("PutPet")] },
    { name: "API", methods: [method("PutPet"), method("Watch", { streamOutput: true })] },
  ],
};

export const schema: Schema = readSchema(ir);

export const use = (type: string, meta: Readonly<Record<string, string>> = {}): Shape =>
  shapeOf(schema, { type, meta });

export const text = (value: string): Draft => ({ kind: "text", text: value });

export const keys: readonly KeyInfo[] = [
  { name: "accessKey", title: "Access key", header: "X-Access-Key", help: "Paste one." },
  { name: "secretKey", title: "Secret key", header: "Authorization", prefix: "BEARER ", isSecret: true },
];

export const parts: CallParts = {
  server: "http://h",
  network: "",
  verb: "POST",
  path: "/rpc/A/B",
  keys,
  keyValues: {},
  body: "{}",
};
