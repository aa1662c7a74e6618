/** `Object.hasOwn`, for TypeScript libraries older than ES2022. */
export const hasOwn: (record: object, name: PropertyKey) => boolean = /* @__PURE__ */ (() =>
  (Object as unknown as { readonly hasOwn: typeof hasOwn }).hasOwn)();
