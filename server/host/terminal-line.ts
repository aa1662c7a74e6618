/** Moves to the first column and clears the line, which may show progress (ECMA-48: CR, EL). */
export const clearLine = "\r\u001b[K";
