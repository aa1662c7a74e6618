declare const brand: unique symbol;

/** Tells types apart whose values are the same text or number. Exists in types only. */
export interface Brand<Name extends string> {
  readonly [brand]: { readonly [name in Name]: true };
}

/** A type without brands, as callers write its values before validation. */
export type Unbranded<T> = unknown extends T
  ? T
  : T extends { readonly [brand]: unknown }
    ? Plain<T>
    : T extends string | number | bigint | boolean | null | undefined | Date
      ? T
      : { [Key in keyof T]: Unbranded<T[Key]> };

type Plain<T> = T extends string ? string : T extends number ? number : T extends bigint ? bigint : Date;
