/** A correct server of the contract, and a way to plant each bug. */

type Book = Record<string, unknown> & { id: number };
type Request = Record<string, unknown>;

interface Context {
  readonly errors: Readonly<Record<string, () => Error>>;
}

/** The parts of the server that a bug may replace. */
export interface Shelf {
  readonly books: Map<number, Book>;
  add(ctx: Context, req: Request): unknown;
  get(ctx: Context, req: Request): unknown;
  list(ctx: Context, req: Request): unknown;
  rename(ctx: Context, req: Request): unknown;
  drop(ctx: Context, req: Request): unknown;
  /** Methods that need no token. */
  readonly open: Set<string>;
  /** Whether requests are validated. */
  validates: boolean;
}

export function rightShelf(): Shelf {
  const books = new Map<number, Book>();
  let last = 0;
  const find = (ctx: Context, { id }: Request): Book => {
    const book = books.get(id as number);
    if (book === undefined) throw ctx.errors["BookNotFound"]?.();
    return book;
  };
  return {
    books,
    open: new Set(["GetBook", "ListBooks"]),
    validates: true,
    add(_, req) {
      const book = { ...req, id: ++last, addedAt: "2026-01-02T03:04:05Z" } as Book;
      books.set(book.id, book);
      return { book };
    },
    get: (ctx, req) => ({ book: find(ctx, req) }),
    list(_, { size, page }) {
      const [count, at] = [size as number, page as number];
      const start = count * at;
      const all = [...books.values()];
      return { books: all.slice(start, start + count), more: all.length > start + count };
    },
    rename(ctx, req) {
      const book = { ...find(ctx, req), title: req["title"] };
      books.set(book.id, book);
      return { book };
    },
    drop(ctx, req) {
      books.delete(find(ctx, req).id);
      return {};
    },
  };
}

type Bug = (shelf: Shelf) => void;

/** Changes the book in the response of a method. */
const told =
  (method: "add" | "get" | "rename", change: (book: Book) => object): Bug =>
  (shelf) => {
    const right = shelf[method];
    shelf[method] = (ctx, req) => ({ book: change({ ...(right(ctx, req) as { book: Book }).book }) });
  };

const listed =
  (change: (books: Book[], req: Request, shelf: Shelf) => readonly object[]): Bug =>
  (shelf) => {
    const right = shelf.list;
    shelf.list = (ctx, req) => {
      const answer = right(ctx, req) as { books: Book[]; more: boolean };
      return { ...answer, books: change(answer.books, req, shelf) };
    };
  };

const kept =
  (change: (req: Request) => Request): Bug =>
  (shelf) => {
    const right = shelf.add;
    shelf.add = (ctx, req) => right(ctx, change({ ...req }));
  };

const bigNumber = (value: unknown): bigint => BigInt(Number(value));

export const bugs: Readonly<Record<string, Bug>> = {
  "a page has one entry more": (shelf) => {
    shelf.list = (_, { size, page }) => {
      const start = (size as number) * (page as number);
      return { books: [...shelf.books.values()].slice(start, start + (size as number) + 1), more: true };
    };
  },
  "a page begins one entry late": (shelf) => {
    shelf.list = (_, { size, page }) => {
      const start = (size as number) * (page as number) + 1;
      return { books: [...shelf.books.values()].slice(start, start + (size as number)), more: true };
    };
  },
  "the second page is the first": (shelf) => {
    shelf.list = (_, { size }) => ({
      books: [...shelf.books.values()].slice(0, size as number),
      more: true,
    });
  },
  "pages count from one": (shelf) => {
    shelf.list = (_, { size, page }) => {
      const start = (size as number) * Math.max(0, (page as number) - 1);
      return { books: [...shelf.books.values()].slice(start, start + (size as number)), more: true };
    };
  },
  "every page is the last": (shelf) => {
    const right = shelf.list;
    shelf.list = (ctx, req) => ({ ...(right(ctx, req) as object), more: false });
  },
  "adding needs no token": (shelf) => void shelf.open.add("AddBook"),
  "dropping needs no token": (shelf) => void shelf.open.add("DropBook"),
  "renaming needs no token": (shelf) => void shelf.open.add("RenameBook"),
  "getting needs a token though it is public": (shelf) => void shelf.open.delete("GetBook"),
  "an error that no method lists as its own": (shelf) => {
    const right = shelf.get;
    shelf.get = (ctx, req) => {
      if (!shelf.books.has(req["id"] as number)) throw new Error("not found");
      return right(ctx, req);
    };
  },
  "adding fails without pages": kept((req) => {
    if (req["pages"] === undefined) throw new TypeError("pages is undefined");
    return req;
  }),
  "adding fails without tags": kept((req) => {
    if ((req["tags"] as unknown[]).length === 0) throw new RangeError("no first tag");
    return req;
  }),
  "adding fails for long titles": kept((req) => {
    if (String(req["title"]).length > 39) throw new RangeError("too long");
    return req;
  }),
  "a price loses digits": kept((req) => ({ ...req, price: bigNumber(req["price"]) })),
  "a negative price loses its sign": kept((req) => ({
    ...req,
    price: (req["price"] as bigint) < 0n ? -(req["price"] as bigint) : req["price"],
  })),
  "a weight is rounded": kept((req) =>
    req["weight"] === undefined ? req : { ...req, weight: Math.round(req["weight"] as number) },
  ),
  "a title is trimmed to twenty letters": kept((req) => ({
    ...req,
    title: String(req["title"]).slice(0, 20),
  })),
  "tags are sorted backwards and cut": kept((req) => ({
    ...req,
    tags: (req["tags"] as unknown[]).slice(0, 1),
  })),
  "no weight becomes zero": kept((req) => ({ ...req, weight: req["weight"] ?? 0 })),
  "an answer lacks the code": told("get", ({ code: _, ...book }) => book),
  "an answer has a number for a title": told("get", (book) => ({ ...book, title: 7 })),
  "an answer has a genre that nobody knows": told("get", (book) => ({ ...book, genre: "diary" })),
  "an answer has null for pages": told("get", (book) => ({ ...book, pages: null })),
  "a time without its zone": told("add", (book) => ({ ...book, addedAt: "2026-01-02 03:04:05" })),
  "what is got is not what was added": told("get", (book) => ({
    ...book,
    title: `${book["title"]}`.toLowerCase(),
  })),
  "renaming is not kept": (shelf) => {
    const right = shelf.rename;
    shelf.rename = (ctx, req) => {
      const before = shelf.books.get(req["id"] as number);
      const answer = right(ctx, req);
      if (before !== undefined) shelf.books.set(before.id, before);
      return answer;
    };
  },
  "renaming changes the code": told("rename", (book) => ({ ...book, code: "aa-000" })),
  "renaming does not find what is there": (shelf) => {
    shelf.rename = (ctx) => {
      throw ctx.errors["BookNotFound"]?.();
    };
  },
  "what is dropped is still got": (shelf) => {
    shelf.drop = () => ({});
  },
  "what is dropped is still listed": (shelf) => {
    const gone: Book[] = [];
    const [drop, list] = [shelf.drop, shelf.list];
    shelf.drop = (ctx, req) => {
      const book = shelf.books.get(req["id"] as number);
      if (book !== undefined) gone.push(book);
      return drop(ctx, req);
    };
    shelf.list = (ctx, req) => {
      const answer = list(ctx, req) as { books: Book[] };
      return { ...answer, books: [...answer.books, ...gone].slice(0, req["size"] as number) };
    };
  },
  "the list hides what has no pages": listed((books) => books.filter(({ pages }) => pages !== undefined)),
  "two books have one id": (shelf) => {
    const right = shelf.add;
    shelf.add = (ctx, req) => {
      const answer = right(ctx, req) as { book: Book };
      const id = Math.ceil(answer.book.id / 2);
      shelf.books.delete(answer.book.id);
      shelf.books.set(id, { ...answer.book, id });
      return { book: { ...answer.book, id } };
    };
  },
  "requests are not validated": (shelf) => {
    shelf.validates = false;
  },
};
