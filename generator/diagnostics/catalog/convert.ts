/** Conversion from one form into another: RK650 to RK699. */
export const convert = {} as const;
