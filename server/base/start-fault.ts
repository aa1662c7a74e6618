/** Why the host cannot start, in words for its operator: what, where, what to do. Told without a stack trace. */
export class StartFault extends Error {
  override readonly name = "StartFault";
}
