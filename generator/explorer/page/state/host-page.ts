import type { ComponentType } from "preact";

/** An extra page of the host. Only a sandbox shows it. */
export interface HostPage {
  /** The route: `live` for `#/live`. */
  readonly name: string;
  readonly title: string;
  readonly View: ComponentType;
  /** Continues a sentence that starts with the title: `shows what happens`. */
  readonly summary: string;
}
