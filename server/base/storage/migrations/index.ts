import baseline from "./0001-baseline.sql";

export interface Migration {
  /** From 1, without gaps. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Forward only. Released migrations never change; a later migration corrects mistakes. */
export const migrations: readonly Migration[] = [{ version: 1, name: "baseline", sql: baseline }];
