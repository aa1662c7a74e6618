import type { ComponentType } from "preact";

/** A page of the host's own. Only a sandbox shows it. */
export interface HostPage {
  /** In the address: `live` for `#/live`. */
  readonly name: string;
  readonly title: string;
  readonly View: ComponentType;
  /** What it shows, after its title in a sentence: `shows what happens`. */
  readonly shows: string;
}
