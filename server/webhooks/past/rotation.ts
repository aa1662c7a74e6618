/** Whose past is read next: projects take turns, and so do the listeners of a project. */
import type { PastRead } from "./rows.ts";

export class Rotation {
  readonly #turns = new Map<string, number>();
  #turn = 0;

  /** Those who waited longest first. */
  order(entries: readonly PastRead[]): readonly PastRead[] {
    const turnOf = (key: string): number => this.#turns.get(key) ?? 0;
    return entries.toSorted(
      (a, b) =>
        turnOf(projectKey(a)) - turnOf(projectKey(b)) ||
        turnOf(listenerKey(a)) - turnOf(listenerKey(b)) ||
        a.listenerId - b.listenerId,
    );
  }

  served(entry: PastRead): void {
    this.#turn++;
    this.#turns.set(projectKey(entry), this.#turn);
    this.#turns.set(listenerKey(entry), this.#turn);
  }

  /** Forgets those who no longer wait. */
  retain(entries: readonly PastRead[]): void {
    const keys = new Set(entries.flatMap((entry) => [projectKey(entry), listenerKey(entry)]));
    for (const key of this.#turns.keys()) if (!keys.has(key)) this.#turns.delete(key);
  }
}

function projectKey({ projectId }: PastRead): string {
  return `project ${projectId}`;
}

function listenerKey({ listenerId }: PastRead): string {
  return `listener ${listenerId}`;
}
