/** How each kind of line is written: the advice of syntax errors that have no fix. */
export const lineForms = {
  declaration:
    "A line at this level starts with webrpc, name, version, basepath, import, enum, struct, type, error or service.",
  item: 'A line with "-" belongs below an import, an enum, a struct or a service.',
  metaItem: 'A line with "+" belongs below a field, an enum value or an alias.',
  webrpc: 'Write the line as "webrpc = v1".',
  name: 'Write the line as "name = shop".',
  version: 'Write the line as "version = v1.0.0".',
  basepath: 'Write the line as "basepath = /".',
  import:
    'Write an import as "import types.ridl", or as "import" and below it a line "- types.ridl" for each file.',
  enum: 'Write an enum as "enum Status: string", and below it a line "- ACTIVE" for each value.',
  enumValue: 'Write an enum value as "- ACTIVE" or "- ACTIVE = 1".',
  struct: 'Write a struct as "struct Order", and below it a line "- id: uint64" for each field.',
  field: 'Write a field as "- id: uint64", or as "- note?: string" if it is optional.',
  meta: 'Write a meta key as "+ json = order_id".',
  type: 'Write an alias as "type OrderId: uint64".',
  error: `Write an error as 'error 101 OutOfStock "The item is sold out" HTTP 409'.`,
  service: 'Write a service as "service Shop", and below it a line "- GetOrder(id: uint64)" for each method.',
  method: 'Write a method as "- GetOrder(id: uint64) => (order: Order)", or with "=> stream (order: Order)".',
  route: 'Write a route as "GET /orders/{id}", below its method.',
  servicePath: 'Write the path of a service as "path = /shop", above its methods.',
  annotation: 'Write an annotation above a method, as @name, @name:value or @name:"some text".',
} as const;

export type LineForm = keyof typeof lineForms;
