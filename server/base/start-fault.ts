/**
 * The host cannot start. The message tells the operator what is wrong, where, and what to do; it is printed without a stack
 * trace.
 */
export class StartFault extends Error {
  override readonly name = "StartFault";
}
