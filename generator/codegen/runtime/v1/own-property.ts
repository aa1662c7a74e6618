/** `Object.hasOwn`, which libraries of types before ES2022 do not know. */
export const hasOwn: (record: object, name: PropertyKey) => boolean = /* @__PURE__ */ (() =>
  (Object as unknown as { readonly hasOwn: typeof hasOwn }).hasOwn)();
