/** The metadata of a token could not be read. The message is for the operator and the token's owner. */
export class ReadingFault extends Error {
  override readonly name = "ReadingFault";
  /** Whether the token itself may be fine. The failure then does not count, so the wait before the next attempt does not grow. */
  readonly isTransient: boolean;

  constructor(message: string, { isTransient = false }: { readonly isTransient?: boolean } = {}) {
    super(message);
    this.isTransient = isTransient;
  }
}
