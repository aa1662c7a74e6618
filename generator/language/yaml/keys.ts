/**
 * The keys of the YAML format with their descriptions. The parser accepts these keys, and the JSON Schema for editors shows the
 * descriptions.
 */
export const fileKeys = {
  webrpc: "Version of the language: v1. Required in every file.",
  name: "Name of the schema.",
  version: "Version of the schema. Required in a file with services.",
  basepath: "Path prefix of all methods, such as /rpc.",
  imports:
    "Files to import: each a path, or a path with the names to import, as in errors.yaml, types.ridl: [Pet].",
  types: "Types by name: a struct has fields, an enum has enum and values, an alias is or has a type.",
  errors: "Errors that methods can raise, by name.",
  services: "Services by name.",
} as const;

export const structKeys = {
  docs: "Documentation; replaces the comments above.",
  fields: "Fields by name. A field whose name ends in ? is optional.",
} as const;

export const enumKeys = {
  docs: "Documentation; replaces the comments above.",
  enum: "Type of its values: string, or an integer type such as uint8.",
  values:
    "Names, or names with values. Without a value, it is the index, from 0; in a string enum, the name.",
} as const;

export const enumValueKeys = {
  docs: "Documentation; replaces the comments above.",
  value: "The value. Default: the index, from 0; in a string enum, the name.",
  json: "Its name in JSON, in an enum of integers. Default: the name.",
  meta: "Other meta keys, by name.",
} as const;

/** For fields and aliases, in addition to the meta keys. */
export const typedKeys = {
  docs: "Documentation; replaces the comments above.",
  type: "A core type, a type of this schema, T[] or map<K,V>.",
  meta: "Other meta keys, by name.",
} as const;

export const errorKeys = {
  docs: "Documentation; replaces the comments above.",
  code: "Error code: a unique number from 1.",
  message: "Error message.",
  status: "HTTP status, 400 to 599. Default: 400.",
} as const;

export const serviceKeys = {
  docs: "Documentation; replaces the comments above.",
  path: "Prefix of its routes, such as /pets.",
  methods: "Methods by name.",
} as const;

export const methodKeys = {
  docs: "Documentation; replaces the comments above.",
  annotations: "Names, or names with their values: [auth: accessKey, readonly].",
  route:
    "HTTP method and path, as in GET /pets/{id}. Default: POST, and a path of the names of service and method.",
  input: "Arguments by name, or the name of the struct that is the whole body.",
  output: "The response, in the same form as input.",
  stream: "Which side is streamed: output, input or both.",
  errors: "Names of the errors that the handler may throw.",
  proxy: "true: the method is forwarded unchanged.",
} as const;

export function keysOf(table: object): readonly string[] {
  return Object.keys(table);
}
