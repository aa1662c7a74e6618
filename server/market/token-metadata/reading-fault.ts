/** The metadata of a token could not be read. The message is for the operator and the token's owner. */
export class ReadingFault extends Error {
  override readonly name = "ReadingFault";
  /** Whether the token itself may be fine. Reading is then retried soon, and the failure does not count. */
  readonly isTransient: boolean;

  constructor(message: string, { isTransient = false }: { readonly isTransient?: boolean } = {}) {
    super(message);
    this.isTransient = isTransient;
  }
}
