/** Why the metadata of a token could not be read, in words for the operator and the token's owner. */
export class ReadingFault extends Error {
  override readonly name = "ReadingFault";
  /** Nothing is wrong with the token: it is tried again soon, and the failure does not count. */
  readonly isOurs: boolean;

  constructor(message: string, { isOurs = false }: { readonly isOurs?: boolean } = {}) {
    super(message);
    this.isOurs = isOurs;
  }
}
