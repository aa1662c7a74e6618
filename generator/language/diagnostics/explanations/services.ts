import type { services as codes } from "../catalog/services.ts";
import type { Explanations } from "./explanation.ts";

/** Errors, services and methods. */
export const services: Explanations<keyof typeof codes> = {
  "error-name": {
    rule: "The name of an error starts with an uppercase letter (A to Z).",
    reason: "It becomes the name of a class.",
    bad: ['error 1 outOfStock "sold out"'],
    good: ['error 1 OutOfStock "sold out"'],
  },
  "error-name-reserved": {
    rule: 'The name of an error does not start with "Webrpc".',
    reason: "This prefix belongs to the built-in errors.",
    bad: ['error 1 WebrpcLost "lost"'],
    good: ['error 1 Lost "lost"'],
  },
  "error-code": {
    rule: "The code of an error is at least 1.",
    reason: "Codes up to 0 belong to the built-in errors.",
    bad: ['error 0 OutOfStock "sold out"'],
    good: ['error 1 OutOfStock "sold out"'],
  },
  "error-code-clamped": {
    rule: "The code of an error is at most 2147483647.",
    reason: "webrpc changes larger codes to this value, so two errors could get the same code.",
    bad: ['error 3000000000 OutOfStock "sold out"'],
    good: ['error 3000 OutOfStock "sold out"'],
  },
  "error-message": {
    rule: "An error has a message.",
    reason: "Callers who do not know the code see only the message.",
    bad: {
      files: {
        "api.json": [
          '{ "webrpc": "v1", "name": "shop", "version": "v1", "basepath": "/rpc/", "types": [], "services": [],',
          '  "errors": [{ "code": 1, "name": "OutOfStock", "message": "", "httpStatus": 409 }] }',
        ],
      },
    },
    good: {
      files: {
        "api.json": [
          '{ "webrpc": "v1", "name": "shop", "version": "v1", "basepath": "/rpc/", "types": [], "services": [],',
          '  "errors": [{ "code": 1, "name": "OutOfStock", "message": "sold out", "httpStatus": 409 }] }',
        ],
      },
    },
  },
  "error-status": {
    rule: "The HTTP status of an error is between 400 and 599.",
    reason: "Tools that look only at the status would treat a status below 400 as a success.",
    bad: ['error 1 OutOfStock "sold out" HTTP 200'],
    good: ['error 1 OutOfStock "sold out" HTTP 409'],
  },
  "duplicate-error-name": {
    rule: "Every error has its own name, including imported errors.",
    reason: "Clients identify errors by name.",
    bad: ['error 1 OutOfStock "sold out"', 'error 2 OutOfStock "sold"'],
    good: ['error 1 OutOfStock "sold out"', 'error 2 Sold "sold"'],
  },
  "error-case": {
    rule: "The names of two errors differ in more than letter case.",
    reason: "Their classes would collide in some languages.",
    bad: ['error 1 OutOfStock "sold out"', 'error 2 OutofStock "sold"'],
    good: ['error 1 OutOfStock "sold out"', 'error 2 Sold "sold"'],
  },
  "duplicate-error-code": {
    rule: "Every error has its own code, including imported errors.",
    reason: "Clients of other versions identify errors by code.",
    bad: ['error 1 OutOfStock "sold out"', 'error 1 Closed "closed"'],
    good: ['error 1 OutOfStock "sold out"', 'error 2 Closed "closed"'],
  },
  "duplicate-service": {
    rule: "Every service has its own name, including imported services.",
    reason: "The name is part of the path of every method.",
    bad: ["service Shop", "  - Buy(id: uint64)", "service Shop", "  - Sell(id: uint64)"],
    good: ["service Shop", "  - Buy(id: uint64)", "  - Sell(id: uint64)"],
  },
  "service-case": {
    rule: "The names of two services differ in more than letter case.",
    reason: "Their classes and paths would collide in some languages.",
    bad: ["service Shop", "  - Buy(id: uint64)", "service SHOP", "  - Sell(id: uint64)"],
    good: ["service Shop", "  - Buy(id: uint64)", "service Market", "  - Sell(id: uint64)"],
  },
  "empty-service": {
    rule: "A service has at least one method.",
    reason: "webrpc rejects a service without methods.",
    bad: ["service Shop"],
    good: ["service Shop", "  - Ping()"],
  },
  "duplicate-method": {
    rule: "Every method of a service has its own name.",
    reason: "The name is part of the path, and there is no overloading.",
    bad: ["service Shop", "  - Buy(id: uint64)", "  - Buy(name: string)"],
    good: ["service Shop", "  - Buy(id: uint64)", "  - BuyByName(name: string)"],
  },
  "method-case": {
    rule: "The names of two methods of a service differ in more than letter case.",
    reason: "Their identifiers would collide in some languages.",
    bad: ["service Shop", "  - Buy(id: uint64)", "  - buy(name: string)"],
    good: ["service Shop", "  - Buy(id: uint64)", "  - BuyByName(name: string)"],
  },
  "succinct-pair": {
    rule: "A method uses the succinct form on both sides or on neither.",
    reason:
      "In the succinct form, the body is the struct itself. webrpc supports this only for request and response together.",
    bad: ["struct Ask", "  - id: uint64", "service Shop", "  - Buy(Ask) => (paid: bool)"],
    good: [
      "struct Ask",
      "  - id: uint64",
      "struct Answer",
      "  - paid: bool",
      "service Shop",
      "  - Buy(Ask) => (Answer)",
    ],
  },
  "succinct-type": {
    rule: "The succinct form names a struct.",
    reason: "The body of a call is a JSON object.",
    bad: ["enum Size: uint8", "  - BIG", "struct Answer", "service Shop", "  - Buy(Size) => (Answer)"],
    good: ["struct Ask", "struct Answer", "service Shop", "  - Buy(Ask) => (Answer)"],
  },
  "succinct-alone": {
    rule: "An argument has a name and a type, unless it is a single struct.",
    reason: "A body is either one struct or an object of named arguments, never a mixture.",
    bad: ["struct Ask", "service Shop", "  - Buy(id: uint64, Ask)"],
    good: ["struct Ask", "service Shop", "  - Buy(id: uint64, ask: Ask)"],
  },
  "unknown-error": {
    rule: "Every error that a method lists is declared in the file or imported.",
    reason: "Built-in errors can come from every method and are not listed.",
    bad: ['error 1 OutOfStock "sold out"', "service Shop", "  - Buy(id: uint64) errors OutOfStok"],
    good: ['error 1 OutOfStock "sold out"', "service Shop", "  - Buy(id: uint64) errors OutOfStock"],
  },
  "duplicate-argument": {
    rule: "Every argument of a method has its own name.",
    reason: "webrpc accepts duplicates, but a JSON object has one value per key.",
    bad: ["service Shop", "  - Buy(id: uint64, id: string)"],
    good: ["service Shop", "  - Buy(id: uint64, note: string)"],
  },
  "argument-name": {
    rule: 'The name of an argument consists of letters, digits and "_", and starts with a letter.',
    reason: "It becomes an identifier in every language, but webrpc does not check it.",
    bad: ["service Shop", "  - Buy(order-id: uint64)"],
    good: ["service Shop", "  - Buy(orderId: uint64)"],
  },
  "method-name": {
    rule: 'The name of a method consists of letters, digits and "_", and starts with a letter.',
    reason: "It becomes an identifier in every language, but webrpc does not check it.",
    bad: ["service Shop", "  - Buy-now(id: uint64)"],
    good: ["service Shop", "  - BuyNow(id: uint64)"],
  },
  "unbuilt-stream": {
    rule: "Only the response of a method streams.",
    reason: "webrpc parses streamed requests, but none of its generators supports them.",
    bad: ["service Shop", "  - stream Upload(line: string)"],
    good: ["service Shop", "  - Watch() => stream (line: string)"],
  },
  "unbuilt-proxy": {
    rule: "A method is declared in its own service, not proxied.",
    reason: 'webrpc reads "proxy" as a method without arguments and forwards nothing.',
    bad: ["service Shop", "  - proxy Pay.Buy"],
    good: ["service Shop", "  - Buy(id: uint64)"],
  },
  "file-place": {
    rule: "A file is the whole response of a method; in a request, a file or a list of files is an argument or a field.",
    reason: "The contents of a file are sent next to the JSON of a call, not inside of it.",
    bad: ["service Shop", "  - Sell(name: string) => (receipt: file, price: uint64)"],
    good: ["service Shop", "  - Sell(name: string) => (receipt: file)"],
  },
  "file-struct-place": {
    rule: "A struct with a file is the request of a method, or one of its arguments.",
    reason: "The contents of a file are sent next to the JSON of a call, not inside of it.",
    bad: ["struct Pet", "  - picture: file", "service Shop", "  - Sell(pets: []Pet)"],
    good: ["struct Pet", "  - picture: file", "service Shop", "  - Sell(pet: Pet)"],
  },
  "file-name-clash": {
    rule: "All files of a method, including those in its structs, have different names.",
    reason: "The files are parts of one form, and a part is identified by its name.",
    bad: ["struct Pet", "  - picture: file", "service Shop", "  - Sell(pet: Pet, picture: file)"],
    good: ["struct Pet", "  - picture: file", "service Shop", "  - Sell(pet: Pet, contract: file)"],
  },
  "file-never-absent": {
    rule: "A response that is a file has no question mark.",
    reason: "The response of such a method is the file itself, so there is no way to leave it out.",
    bad: ["service Shop", "  - Picture(id: uint64) => (picture?: file)"],
    good: ["service Shop", "  - Picture(id: uint64) => (picture: file)"],
  },
  "file-named-json": {
    rule: 'No file is called "json".',
    reason:
      'An upload is a form. Each file is a part with its own name, and the part "json" holds all other arguments.',
    bad: ["service Shop", "  - Import(json: file)"],
    good: ["service Shop", "  - Import(prices: file)"],
  },
  "route-verb": {
    rule: "The verb of a route is GET, POST, PUT, PATCH, DELETE or QUERY.",
    reason: "webrpc knows only these verbs, in upper case.",
    bad: ["service Shop", "  - ListOrders()", "    get /orders"],
    good: ["service Shop", "  - ListOrders()", "    GET /orders"],
  },
  "route-of-stream": {
    rule: "A method that streams has no route.",
    reason: "Streams are called by POST.",
    bad: ["service Shop", "  - Watch() => stream (line: string)", "    GET /lines"],
    good: ["service Shop", "  - Watch() => stream (line: string)"],
  },
  "route-of-file": {
    rule: "A method with files has no route.",
    reason: "Files are sent as forms to the default path.",
    bad: ["service Shop", "  - Picture(id: uint64) => (picture: file)", "    GET /pictures/{id}"],
    good: ["service Shop", "  - Picture(id: uint64) => (picture: file)"],
  },
  "route-path": {
    rule: 'A path starts with "/", and each segment is text or a parameter, such as {id}.',
    reason: "Servers and clients in all languages must parse a path alike, so paths are simple.",
    bad: ["service Shop", "  - GetOrder(id: uint64)", "    GET /orders/order-{id}"],
    good: ["service Shop", "  - GetOrder(id: uint64)", "    GET /orders/{id}"],
  },
  "route-parameter-twice": {
    rule: "Each parameter occurs once in a path, including the path of the service.",
    reason: "Otherwise, a call could have two values for one field.",
    bad: ["service Shop", "  path = /shops/{id}", "  - GetOrder(id: uint64)", "    GET /orders/{id}"],
    good: [
      "service Shop",
      "  path = /shops/{shop}",
      "  - GetOrder(shop: uint64, id: uint64)",
      "    GET /orders/{id}",
    ],
  },
  "route-parameter-unknown": {
    rule: "A parameter has the name of a field of the request.",
    reason: "The value in the path is the value of that field.",
    bad: ["service Shop", "  - GetOrder(id: uint64)", "    GET /orders/{orderId}"],
    good: ["service Shop", "  - GetOrder(id: uint64)", "    GET /orders/{id}"],
  },
  "route-parameter-optional": {
    rule: "A field in the path is required.",
    reason: "A path cannot express an absent value.",
    bad: ["service Shop", "  - GetOrder(id?: uint64)", "    GET /orders/{id}"],
    good: ["service Shop", "  - GetOrder(id: uint64)", "    GET /orders/{id}"],
  },
  "route-parameter-type": {
    rule: "A field in the path is a bool, a number, a string, a timestamp or an enum.",
    reason: "A segment of a path holds a single text.",
    bad: ["service Shop", "  - GetOrders(ids: []uint64)", "    GET /orders/{ids}"],
    good: ["service Shop", "  - GetOrders(ids: []uint64)", "    GET /orders"],
  },
  "route-query-type": {
    rule: "With GET, DELETE and QUERY, each field that is not in the path is a scalar or a list of scalars.",
    reason: "These requests have no body, and a query string can only hold text.",
    bad: [
      "struct Filter",
      "  - shop: string",
      "service Shop",
      "  - ListOrders(filter: Filter)",
      "    GET /orders",
    ],
    good: ["service Shop", "  - ListOrders(shop: string)", "    GET /orders"],
  },
  "route-of-two-services": {
    rule: "The paths of two services do not overlap.",
    reason: "Each service can be served by a program of its own.",
    bad: ["service Shop", "  - List()", "    GET /orders", "service Depot", "  - Add()", "    POST /orders"],
    good: [
      "service Shop",
      "  - List()",
      "    GET /orders",
      "service Depot",
      "  - Add()",
      "    POST /depot/orders",
    ],
  },
  "route-twice": {
    rule: "Each combination of verb and path belongs to one method.",
    reason: "Paths that differ only in the names of parameters match the same requests.",
    bad: [
      "service Shop",
      "  - Get(id: uint64)",
      "    GET /{id}",
      "  - Find(name: string)",
      "    GET /{name}",
    ],
    good: [
      "service Shop",
      "  - Get(id: uint64)",
      "    GET /{id}",
      "  - Find(name: string)",
      "    GET /by-name/{name}",
    ],
  },
  "route-ambiguous": {
    rule: "If a request can match two routes, one of them is more specific.",
    reason:
      "Servers call the more specific route. Between two equally specific routes, servers would choose differently.",
    bad: ["service Shop", "  - A(x: string)", "    GET /a/{x}/c", "  - B(y: string)", "    GET /a/b/{y}"],
    good: ["service Shop", "  - A(x: string)", "    GET /a/{x}/c", "  - B(y: string)", "    GET /b/{y}"],
  },
  "route-default-path": {
    rule: "No route matches the default path of a method.",
    reason: "A call to that method would reach the method of the route instead.",
    bad: ["service Shop", "  - Get(kind: string, id: string)", "    GET /{kind}/{id}"],
    good: ["service Shop", "  - Get(kind: string, id: string)", "    GET /things/{kind}/{id}"],
  },
  "route-dots": {
    rule: 'No segment of a path is "." or "..".',
    reason:
      "Browsers, fetch and proxies resolve these segments before they send a URL, as in the path of a file. Clients reject such values of parameters, too.",
    bad: ["service Shop", "  - GetOrder(id: uint64)", "    GET /orders/./{id}"],
    good: ["service Shop", "  - GetOrder(id: uint64)", "    GET /orders/{id}"],
  },
  "cache-not-read": {
    rule: "@cache is only on reads: methods with a GET or QUERY route, or with @readonly.",
    reason:
      "Caches keep responses of GET, HEAD and QUERY. A cached write would not reach the server, and streams and uploads cannot be called by GET or QUERY.",
    bad: ["service Shop", '  @cache:"60s"', "  - CountOrders() => (count: uint32)"],
    good: ["service Shop", '  @readonly @cache:"60s"', "  - CountOrders() => (count: uint32)"],
  },
  "cache-duration": {
    rule: "@cache starts with a duration: whole seconds, minutes, hours or days, at most 365 days.",
    reason:
      "Caches have to know how long a response stays fresh. Longer times have no effect in many caches.",
    bad: ["service Shop", '  @readonly @cache:"1 minute"', "  - CountOrders() => (count: uint32)"],
    good: ["service Shop", '  @readonly @cache:"1m"', "  - CountOrders() => (count: uint32)"],
  },
  "cache-word": {
    rule: 'After its duration, @cache has "public" or "private" at most once, and "vary" with the name of a header.',
    reason: "An unknown word would be ignored, and the response could reach a caller that must not have it.",
    bad: ["service Shop", '  @readonly @cache:"60s, shared"', "  - CountOrders() => (count: uint32)"],
    good: ["service Shop", '  @readonly @cache:"60s, public"', "  - CountOrders() => (count: uint32)"],
  },
  "cache-shared": {
    rule: "A method with @auth is cached privately, or separately for each credential.",
    reason:
      "A cache identifies a response by its URL and the headers that Vary lists. Without them, it answers every caller with the response of the first one.",
    bad: ["service Shop", '  @auth:"key" @readonly @cache:"60s"', "  - CountOrders() => (count: uint32)"],
    good: [
      "service Shop",
      '  @auth:"key" @readonly @cache:"60s, vary X-Key"',
      "  - CountOrders() => (count: uint32)",
    ],
  },
  "idempotency-key-unused": {
    rule: "@idempotencyKey has no value, and is on writes that are not idempotent, without streams and files.",
    reason:
      "A key makes a write safe to repeat. Calls of @readonly and @idempotent methods can be repeated without one, and responses in parts are not kept.",
    bad: ["service Shop", "  @idempotent @idempotencyKey", "  - CancelOrder(id: uint64)"],
    good: ["service Shop", "  @idempotencyKey", "  - AddOrder(item: string) => (id: uint64)"],
  },
  "paging-ignored": {
    rule: "@paging names fields: the page size and the page in the request, then what follows and the list in the response.",
    reason: "With other names, generated clients have no helpers to read the list page by page.",
    bad: [
      "service Shop",
      '  @paging:"limit,pgae"',
      "  - ListOrders(limit?: uint32, page?: uint32) => (orders: []string, more: bool)",
    ],
    good: [
      "service Shop",
      '  @paging:"limit,page"',
      "  - ListOrders(limit?: uint32, page?: uint32) => (orders: []string, more: bool)",
    ],
  },
  "resume-ignored": {
    rule: "@resume names a field of the request, a field of the items, and the error that reports a gap.",
    reason:
      "With other names, clients send the same request after a lost connection, and items are missed or repeated.",
    bad: [
      'error 1 FeedGap "items are missing" HTTP 410',
      "service Feed",
      '  @resume:"afer,id,FeedGap"',
      "  - Watch(after?: string) => stream (id: string, text: string) errors FeedGap",
    ],
    good: [
      'error 1 FeedGap "items are missing" HTTP 410',
      "service Feed",
      '  @resume:"after,id,FeedGap"',
      "  - Watch(after?: string) => stream (id: string, text: string) errors FeedGap",
    ],
  },
  "deprecation-date": {
    rule: "The dates of @deprecated and @sunset are days of the calendar, and the sunset is not before the deprecation.",
    reason:
      "Servers send the dates in the headers Deprecation and Sunset, which have no form for anything else.",
    bad: ["service Shop", '  @sunset:"31.1.2027"', "  - ListOrders() => (orders: []string)"],
    good: [
      "service Shop",
      '  @deprecated:"2026-11-26, use FindOrders" @sunset:"2027-01-31"',
      "  - ListOrders() => (orders: []string)",
    ],
  },
  "no-errors-value": {
    rule: "@noErrors has no value.",
    reason: "A reader could take @noErrors:false for the opposite, so an annotation with a value is ignored.",
    bad: ["service Shop", "  @noErrors:true", "  - Ping()"],
    good: ["service Shop", "  @noErrors", "  - Ping()"],
  },
  "no-errors-and-list": {
    rule: "A method lists its errors or has @noErrors, not both.",
    reason: "They contradict each other. The list applies, so that callers handle its errors.",
    bad: [
      'error 1 OutOfStock "sold out"',
      "service Shop",
      "  @noErrors",
      "  - Buy(id: uint64) errors OutOfStock",
    ],
    good: ['error 1 OutOfStock "sold out"', "service Shop", "  - Buy(id: uint64) errors OutOfStock"],
  },
};
