/**
 * Whether a value is one of an enum: `isOneOf(Status, order.status)`. Narrows a value of a response, which may be unknown to
 * the client's schema, to the type of the enum.
 */
export function isOneOf<T extends string>(values: { readonly [key: string]: T }, value: unknown): value is T {
  return Object.values<unknown>(values).includes(value);
}
