/** Deepest nesting of recursive types, far below the stack limit of recursive code. */
export const maxDepth = 64;

/** What a fault reports as expected if nesting is too deep. Bundlers keep an unused template, but no pure call. */
export const tooDeep: string = /* @__PURE__ */ ["at most", maxDepth, "levels of nesting"].join(" ");
