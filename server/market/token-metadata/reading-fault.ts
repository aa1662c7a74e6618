/** The metadata of a token could not be read. The message is for the operator and the token's owner. */
export class ReadingFault extends Error {
  override readonly name = "ReadingFault";
  /** Whether the cause is not the token: it is retried soon, and the failure does not count. */
  readonly isTransient: boolean;

  constructor(message: string, { isTransient = false }: { readonly isTransient?: boolean } = {}) {
    super(message);
    this.isTransient = isTransient;
  }
}
