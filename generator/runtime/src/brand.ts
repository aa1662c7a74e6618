declare const brand: unique symbol;

/** Tells types apart whose values are the same text or number. Exists in types only. */
export interface Brand<Name extends string> {
  readonly [brand]: { readonly [name in Name]: true };
}
