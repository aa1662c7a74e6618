/** Style and evolution, each rule with a switch of its own: RK700 to RK799. */
export const style = {} as const;
