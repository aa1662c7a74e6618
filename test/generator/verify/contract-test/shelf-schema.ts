/** A contract with a resource, and a field of each kind that servers often get wrong. */
export const shelf = `webrpc = v1
name = shelf
version = v1.0.0
basepath = /rpc

error 1 BookNotFound "no such book" HTTP 404
error 2 Unauthorized "a token is needed" HTTP 401
error 3 Unlisted "nothing lists this" HTTP 409

enum Genre: string
  - novel
  - poem

struct Book
  - id: uint64
  - title: string
    + minLength = 1
    + maxLength = 40
  - genre: Genre
  - pages?: uint32
    + minimum = 1
  - price: bigint
  - code: string
    + pattern = "^[a-z]{2}-[0-9]{3}$"
  - tags: []string
    + maxItems = 4
  - weight?: float64
  - addedAt: timestamp

struct NewBook
  - title: string
    + minLength = 1
    + maxLength = 40
  - genre: Genre
  - pages?: uint32
    + minimum = 1
  - price: bigint
  - code: string
    + pattern = "^[a-z]{2}-[0-9]{3}$"
  - tags: []string
    + maxItems = 4
  - weight?: float64

struct BookKey
  - id: uint64

struct BookChange
  - id: uint64
  - title: string
    + minLength = 1
    + maxLength = 40

struct BookAnswer
  - book: Book

struct PageRequest
  - size?: uint32
    + minimum = 1
    + maximum = 1000
    + default = 50
  - page?: uint32
    + default = 0

struct PageAnswer
  - books: []Book
  - more: bool

struct Nothing

service Shelf
  @create:Book @auth:"token" - AddBook(NewBook) => (BookAnswer) errors Unauthorized
  @get:Book @readonly @public - GetBook(BookKey) => (BookAnswer) errors BookNotFound
  @list:Book @readonly @public @paging:"size,page" - ListBooks(PageRequest) => (PageAnswer)
  @update:Book @idempotent @auth:"token" - RenameBook(BookChange) => (BookAnswer) errors BookNotFound | Unauthorized
  @delete:Book @idempotent @auth:"token" - DropBook(BookKey) => (Nothing) errors BookNotFound | Unauthorized
`;

const routes = {
  AddBook: "POST /books",
  GetBook: "GET /books/{id}",
  ListBooks: "GET /books",
  RenameBook: "PATCH /books/{id}",
  DropBook: "DELETE /books/{id}",
};

/** The same contract, with a route for each method. */
export const routedShelf: string = Object.entries(routes).reduce(
  (text, [method, route]) => text.replace(new RegExp(`- ${method}.*`), `$&\n    ${route}`),
  shelf,
);

/** The same contract with `@cache` on a method with a route and on one without. */
export const cachedShelf: string = shelf
  .replace("@get:Book", '@cache:"60s, vary Accept-Language" @get:Book')
  .replace("@list:Book", '@cache:"60s, vary Accept-Language" @list:Book')
  .replace(/- GetBook.*/, "$&\n    GET /books/{id}");
