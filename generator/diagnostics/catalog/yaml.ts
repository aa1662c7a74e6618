/** Schemas in YAML: RK610 to RK649. */
export const yaml = {} as const;
