import { Readable } from "node:stream";
import type { NotModified } from "../../../../generator/runtime/src/reads.ts";
import type { Handlers } from "../../../fixtures/reads/generated/server.ts";

/** What the handlers of one server work on. */
export interface Shelf {
  readonly handlers: Handlers;
  /** Names of the methods that have done their work, in order. */
  readonly worked: string[];
  notes: Map<number, string>;
  versions: Map<number, number>;
  /** Files that were returned as streams of Node and are not closed. */
  readonly openFiles: Set<Readable>;
}

/** Ten bytes, so that each is its own index. */
const bytes: Uint8Array = new TextEncoder().encode("0123456789");

async function* chunks(size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/**
 * Orders with versions. Pictures by their id: 1 is bytes, 2 a Blob with a version, 3 a stream of a known size with a
 * version, 4 a stream of unknown size, 5 is empty, 6 a stream of Node.
 */
export function newShelf(): Shelf {
  const notes = new Map([
    [1, "one"],
    [2, "two"],
  ]);
  const versions = new Map([
    [1, 1],
    [2, 1],
  ]);
  const worked: string[] = [];
  const order = (id: number) => ({ order: { id, note: notes.get(id) ?? "" } });
  const versionOf = (id: number): string => `order ${id}, version ${versions.get(id)}`;
  const openFiles = new Set<Readable>();
  const openFile = (): Readable => {
    const file = Readable.from([bytes]);
    openFiles.add(file);
    file.on("close", () => openFiles.delete(file));
    return file;
  };
  let foreign: NotModified | undefined;
  const handlers: Handlers = {
    Shop: {
      GetOrder: ({ errors, notModified }, { id }) => {
        if (!notes.has(id)) return errors.NotFound({ headers: { "cache-control": "max-age=9" } });
        const same = notModified(versionOf(id));
        if (same) return same;
        worked.push("GetOrder");
        return order(id);
      },
      FindOrders: async (_ctx, request) => {
        worked.push("FindOrders");
        return request;
      },
      Count: () => ({ count: notes.size }),
      Picture: (ctx, { id }) => {
        if (id === 9) return ctx.errors.NotFound();
        if (id === 2 || id === 3) {
          const same = ctx.notModified(`picture ${id}`);
          if (same) return same;
        }
        worked.push("Picture");
        const named = { type: "image/png", name: "digits.png" };
        if (id === 1) return { ...named, body: bytes };
        if (id === 2) return new Blob([bytes], { type: "image/png" });
        if (id === 3) return { ...named, body: chunks(4), size: 10 };
        if (id === 4) return { ...named, body: chunks(4) };
        if (id === 6) return { ...named, body: openFile(), size: 10 };
        return { ...named, body: new Uint8Array() };
      },
      ChangeOrder: (ctx, { id, note }) => {
        if (!notes.has(id)) {
          ctx.requireMatch(undefined);
          return ctx.errors.NotFound();
        }
        ctx.requireMatch(versionOf(id));
        notes.set(id, note);
        versions.set(id, (versions.get(id) ?? 0) + 1);
        return order(id);
      },
      Peek: (_ctx, { id }) => order(id),
      Wrong: (ctx, { id }) => {
        const same = ctx.notModified("constant");
        foreign ??= same;
        return (id === 7 ? foreign : same) ?? order(id);
      },
    },
    Desk: {
      Look: (ctx, { id }) => (notes.has(id) ? order(id) : ctx.errors.NotFound()),
      Own: (_ctx, { id }) => order(id),
      Search: (_ctx, request) => request,
      Put: ({ requireMatch }, { id, note }) => {
        requireMatch(versionOf(id));
        notes.set(id, note);
        return order(id);
      },
    },
  };
  return { handlers, worked, notes, versions, openFiles };
}
