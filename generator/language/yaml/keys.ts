/**
 * The keys of the YAML format with their descriptions. The parser accepts these keys, and the JSON Schema for editors shows the
 * descriptions.
 */
export const fileKeys = {
  webrpc: "The version of the language: v1. Stands in every file.",
  name: "Name of the schema.",
  version: "Version of the schema. Needed in a file with services.",
  basepath: "Path that all methods lie under, as /rpc.",
  imports:
    "Files that this one builds on, each a path or a path with the names that are wanted: errors.yaml, types.ridl: [Pet].",
  types: "Types by name: a struct has fields, an enum has enum and values, an alias is or has a type.",
  errors: "Errors that methods can raise, by name.",
  services: "Services by name.",
} as const;

export const structKeys = {
  docs: "Documentation, in place of the comments above.",
  fields: "Fields by name. A name that ends in ? may be left out.",
} as const;

export const enumKeys = {
  docs: "Documentation, in place of the comments above.",
  enum: "What its values are: string or an integer type, as uint8.",
  values:
    "Names, or names with their values. A value left out is the place in the list, from 0; in a string enum the name.",
} as const;

export const enumValueKeys = {
  docs: "Documentation, in place of the comments above.",
  value: "The value; left out, it is the place in the list, from 0; in a string enum the name.",
} as const;

/** For fields and aliases, in addition to the meta keys. */
export const typedKeys = {
  docs: "Documentation, in place of the comments above.",
  type: "A core type, a type of this schema, T[] or map<K,V>.",
  meta: "Further meta lines, by key.",
} as const;

export const errorKeys = {
  docs: "Documentation, in place of the comments above.",
  code: "Number of the error, from 1, used once.",
  message: "What the error says.",
  status: "HTTP status, 400 to 599; 400 if left out.",
} as const;

export const serviceKeys = {
  docs: "Documentation, in place of the comments above.",
  methods: "Methods by name.",
} as const;

export const methodKeys = {
  docs: "Documentation, in place of the comments above.",
  annotations: "Names, or names with their values: [auth: accessKey, readonly].",
  input: "Arguments by name, or the name of the one struct that is the whole body.",
  output: "What is answered, written as input is.",
  stream: "Which side is a stream: output, input or both.",
  errors: "Names of the errors that the handler may raise.",
  proxy: "true: the method is passed on as it comes.",
} as const;

export function keysOf(table: object): readonly string[] {
  return Object.keys(table);
}
