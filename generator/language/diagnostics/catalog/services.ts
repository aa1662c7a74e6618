import type { Examples } from "./entry.ts";

/** Services and methods; together with `declarations` and `errors` RK300 to RK399. */
export const services = {
  "duplicate-service": {
    code: "RK323",
    severity: "error",
    message: 'The service "{name}" is declared twice.',
    rule: "Every service has its own name, including imported services.",
    reason: "The name is part of the path of every method.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Buy(id: uint64)", "service Shop", "  - Sell(id: uint64)"],
      good: ["service Shop", "  - Buy(id: uint64)", "  - Sell(id: uint64)"],
    }),
  },
  "empty-service": {
    code: "RK324",
    severity: "error",
    message: 'The service "{name}" has no methods.',
    advice: 'Add one, such as "- Ping()".',
    inYaml: { advice: 'Add one, such as "methods: { Ping: }".' },
    rule: "A service has at least one method.",
    reason: "webrpc rejects a service without methods.",
    examples: (): Examples => ({
      bad: ["service Shop"],
      good: ["service Shop", "  - Ping()"],
    }),
  },
  "duplicate-method": {
    code: "RK325",
    severity: "error",
    message: '"{service}" has two methods named "{name}".',
    rule: "Every method of a service has its own name.",
    reason: "The name is part of the path, and there is no overloading.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Buy(id: uint64)", "  - Buy(name: string)"],
      good: ["service Shop", "  - Buy(id: uint64)", "  - BuyByName(name: string)"],
    }),
  },
  "succinct-pair": {
    code: "RK326",
    severity: "error",
    message: '"{method}" uses the succinct form on one side only.',
    advice:
      "Write (Request) => (Response), each with one struct; use an empty struct for a method that returns nothing.",
    inYaml: {
      advice: "Give input and output one struct each; use an empty struct for a method that returns nothing.",
    },
    rule: "A method uses the succinct form on both sides or on neither.",
    reason:
      "In the succinct form, the body is the struct itself. webrpc supports this only for request and response together.",
    examples: (): Examples => ({
      bad: ["struct Ask", "  - id: uint64", "service Shop", "  - Buy(Ask) => (paid: bool)"],
      good: [
        "struct Ask",
        "  - id: uint64",
        "struct Answer",
        "  - paid: bool",
        "service Shop",
        "  - Buy(Ask) => (Answer)",
      ],
    }),
  },
  "succinct-type": {
    code: "RK327",
    severity: "error",
    message: 'The succinct form needs a struct, but "{name}" is {kind}.',
    rule: "The succinct form names a struct.",
    reason: "The body of a call is a JSON object.",
    examples: (): Examples => ({
      bad: ["enum Size: uint8", "  - BIG", "struct Answer", "service Shop", "  - Buy(Size) => (Answer)"],
      good: ["struct Ask", "struct Answer", "service Shop", "  - Buy(Ask) => (Answer)"],
    }),
  },
  "succinct-alone": {
    code: "RK328",
    severity: "error",
    message: 'The argument "{name}" has no type.',
    advice: 'Write "name: Type", or use a single struct for the succinct form.',
    rule: "An argument has a name and a type, unless it is a single struct.",
    reason: "A body is either one struct or an object of named arguments, never a mixture.",
    examples: (): Examples => ({
      bad: ["struct Ask", "service Shop", "  - Buy(id: uint64, Ask)"],
      good: ["struct Ask", "service Shop", "  - Buy(id: uint64, ask: Ask)"],
    }),
  },
  "duplicate-argument": {
    code: "RK330",
    severity: "warning",
    message: '"{method}" has two arguments named "{name}".',
    rule: "Every argument of a method has its own name.",
    reason: "webrpc accepts duplicates, but a JSON object has one value per key.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Buy(id: uint64, id: string)"],
      good: ["service Shop", "  - Buy(id: uint64, note: string)"],
    }),
  },
  "argument-name": {
    code: "RK331",
    severity: "warning",
    message: 'The argument name "{name}" should consist of letters, digits and "_", and start with a letter.',
    rule: 'The name of an argument consists of letters, digits and "_", and starts with a letter.',
    reason: "It becomes an identifier in every language, but webrpc does not check it.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Buy(order-id: uint64)"],
      good: ["service Shop", "  - Buy(orderId: uint64)"],
    }),
  },
  "method-name": {
    code: "RK335",
    severity: "warning",
    message: 'The method name "{name}" should consist of letters, digits and "_", and start with a letter.',
    rule: 'The name of a method consists of letters, digits and "_", and starts with a letter.',
    reason: "It becomes an identifier in every language, but webrpc does not check it.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Buy-now(id: uint64)"],
      good: ["service Shop", "  - BuyNow(id: uint64)"],
    }),
  },
  "unbuilt-stream": {
    code: "RK338",
    severity: "warning",
    message: '"{method}" streams its request, which no webrpc generator supports.',
    rule: "Only the response of a method streams.",
    reason: "webrpc parses streamed requests, but none of its generators supports them.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - stream Upload(line: string)"],
      good: ["service Shop", "  - Watch() => stream (line: string)"],
    }),
  },
  "unbuilt-proxy": {
    code: "RK339",
    severity: "warning",
    message: '"proxy {method}" is read as a method without arguments, because proxying is not implemented.',
    rule: "A method is declared in its own service, not proxied.",
    reason: 'webrpc reads "proxy" as a method without arguments and forwards nothing.',
    examples: (): Examples => ({
      bad: ["service Shop", "  - proxy Pay.Buy"],
      good: ["service Shop", "  - Buy(id: uint64)"],
    }),
  },
  "service-case": {
    code: "RK344",
    severity: "error",
    message: 'The service "{name}" differs from "{other}" only in letter case.',
    rule: "The names of two services differ in more than letter case.",
    reason: "Their classes and paths would collide in some languages.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Buy(id: uint64)", "service SHOP", "  - Sell(id: uint64)"],
      good: ["service Shop", "  - Buy(id: uint64)", "service Market", "  - Sell(id: uint64)"],
    }),
  },
  "method-case": {
    code: "RK345",
    severity: "error",
    message: 'The methods "{other}" and "{name}" of "{service}" differ only in letter case.',
    rule: "The names of two methods of a service differ in more than letter case.",
    reason: "Their identifiers would collide in some languages.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Buy(id: uint64)", "  - buy(name: string)"],
      good: ["service Shop", "  - Buy(id: uint64)", "  - BuyByName(name: string)"],
    }),
  },
  "file-place": {
    code: "RK347",
    severity: "error",
    message: "A file is not a JSON value, so it cannot be {place}.",
    advice:
      "Make it an argument of the method or a field of its request, as file or []file, or the whole response, as (name: file).",
    rule: "A file is the whole response of a method; in a request, a file or a list of files is an argument or a field.",
    reason: "The contents of a file are sent next to the JSON of a call, not inside of it.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Sell(name: string) => (receipt: file, price: uint64)"],
      good: ["service Shop", "  - Sell(name: string) => (receipt: file)"],
    }),
  },
  "file-named-json": {
    code: "RK348",
    severity: "error",
    message: 'A file cannot be called "json".',
    advice: 'Give it another name: the other arguments are sent in the form part "json".',
    rule: 'No file is called "json".',
    reason:
      'An upload is a form. Each file is a part with its own name, and the part "json" holds all other arguments.',
    examples: (): Examples => ({
      bad: ["service Shop", "  - Import(json: file)"],
      good: ["service Shop", "  - Import(prices: file)"],
    }),
  },
  "file-struct-place": {
    code: "RK353",
    severity: "error",
    message: 'The struct "{name}" has a file, so it cannot be {place}.',
    advice: "Use it as the request of a method or as an argument, or take the file out of the struct.",
    rule: "A struct with a file is the request of a method, or one of its arguments.",
    reason: "The contents of a file are sent next to the JSON of a call, not inside of it.",
    examples: (): Examples => ({
      bad: ["struct Pet", "  - picture: file", "service Shop", "  - Sell(pets: []Pet)"],
      good: ["struct Pet", "  - picture: file", "service Shop", "  - Sell(pet: Pet)"],
    }),
  },
  "file-name-clash": {
    code: "RK354",
    severity: "error",
    message: 'Two files of the method have the name "{name}".',
    advice: "Rename one: files of structs are sent under the names of their fields.",
    rule: "All files of a method, including those in its structs, have different names.",
    reason: "The files are parts of one form, and a part is identified by its name.",
    examples: (): Examples => ({
      bad: ["struct Pet", "  - picture: file", "service Shop", "  - Sell(pet: Pet, picture: file)"],
      good: ["struct Pet", "  - picture: file", "service Shop", "  - Sell(pet: Pet, contract: file)"],
    }),
  },
  "file-never-absent": {
    code: "RK355",
    severity: "warning",
    message: 'The response "{name}" is always a file, so "?" has no effect.',
    advice: 'Remove the "?", and return an error if there is no file.',
    rule: "A response that is a file has no question mark.",
    reason: "The response of such a method is the file itself, so there is no way to leave it out.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Picture(id: uint64) => (picture?: file)"],
      good: ["service Shop", "  - Picture(id: uint64) => (picture: file)"],
    }),
  },
  "route-verb": {
    code: "RK356",
    severity: "error",
    message: '"{verb}" is not the verb of a route.',
    advice: "The verbs are GET, POST, PUT, PATCH, DELETE and QUERY, in upper case.",
    rule: "The verb of a route is GET, POST, PUT, PATCH, DELETE or QUERY.",
    reason: "webrpc knows only these verbs, in upper case.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - ListOrders()", "    get /orders"],
      good: ["service Shop", "  - ListOrders()", "    GET /orders"],
    }),
  },
  "route-of-stream": {
    code: "RK357",
    severity: "error",
    message: '"{method}" streams, so it cannot have a route.',
    advice: "Remove the route: streams are called by POST on their default path.",
    rule: "A method that streams has no route.",
    reason: "Streams are called by POST.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Watch() => stream (line: string)", "    GET /lines"],
      good: ["service Shop", "  - Watch() => stream (line: string)"],
    }),
  },
  "route-of-file": {
    code: "RK358",
    severity: "error",
    message: '"{method}" transfers a file, so it cannot have a route.',
    advice: "Remove the route: methods with files are called by POST on their default path.",
    rule: "A method with files has no route.",
    reason: "Files are sent as forms to the default path.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Picture(id: uint64) => (picture: file)", "    GET /pictures/{id}"],
      good: ["service Shop", "  - Picture(id: uint64) => (picture: file)"],
    }),
  },
  "route-path": {
    code: "RK359",
    severity: "error",
    message: "{what} {reason}.",
    rule: 'A path starts with "/", and each segment is text or a parameter, such as {id}.',
    reason: "Servers and clients in all languages must parse a path alike, so paths are simple.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - GetOrder(id: uint64)", "    GET /orders/order-{id}"],
      good: ["service Shop", "  - GetOrder(id: uint64)", "    GET /orders/{id}"],
    }),
  },
  "route-parameter-twice": {
    code: "RK360",
    severity: "error",
    message: 'The route of "{method}" has the parameter "{name}" twice.',
    rule: "Each parameter occurs once in a path, including the path of the service.",
    reason: "Otherwise, a call could have two values for one field.",
    examples: (): Examples => ({
      bad: ["service Shop", "  path = /shops/{id}", "  - GetOrder(id: uint64)", "    GET /orders/{id}"],
      good: [
        "service Shop",
        "  path = /shops/{shop}",
        "  - GetOrder(shop: uint64, id: uint64)",
        "    GET /orders/{id}",
      ],
    }),
  },
  "route-parameter-unknown": {
    code: "RK361",
    severity: "error",
    message: 'The route of "{method}" has the parameter "{name}", but the request has no such field.',
    advice: "A parameter has the name of an argument, or the JSON name of a field.",
    rule: "A parameter has the name of a field of the request.",
    reason: "The value in the path is the value of that field.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - GetOrder(id: uint64)", "    GET /orders/{orderId}"],
      good: ["service Shop", "  - GetOrder(id: uint64)", "    GET /orders/{id}"],
    }),
  },
  "route-parameter-optional": {
    code: "RK362",
    severity: "error",
    message: 'The field "{name}" of "{method}" is optional, so it cannot be in the path.',
    advice: "Make it required, or leave it out of the path.",
    rule: "A field in the path is required.",
    reason: "A path cannot express an absent value.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - GetOrder(id?: uint64)", "    GET /orders/{id}"],
      good: ["service Shop", "  - GetOrder(id: uint64)", "    GET /orders/{id}"],
    }),
  },
  "route-parameter-type": {
    code: "RK363",
    severity: "error",
    message: 'The field "{name}" of "{method}" is of type {type}, which a path cannot hold.',
    advice: "A path holds bool, numbers, string, timestamp and enums.",
    rule: "A field in the path is a bool, a number, a string, a timestamp or an enum.",
    reason: "A segment of a path holds a single text.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - GetOrders(ids: []uint64)", "    GET /orders/{ids}"],
      good: ["service Shop", "  - GetOrders(ids: []uint64)", "    GET /orders"],
    }),
  },
  "route-query-type": {
    code: "RK364",
    severity: "error",
    message: 'The field "{name}" of "{method}" is of type {type}, which the query of {verb} cannot hold.',
    advice:
      "A query holds bool, numbers, string, timestamp, enums and lists of these. POST, PUT and PATCH have a body.",
    rule: "With GET, DELETE and QUERY, each field that is not in the path is a scalar or a list of scalars.",
    reason: "These requests have no body, and a query string can only hold text.",
    examples: (): Examples => ({
      bad: [
        "struct Filter",
        "  - shop: string",
        "service Shop",
        "  - ListOrders(filter: Filter)",
        "    GET /orders",
      ],
      good: ["service Shop", "  - ListOrders(shop: string)", "    GET /orders"],
    }),
  },
  "route-query-absent": {
    code: "RK380",
    severity: "warning",
    message: 'In the query of "{method}", {value} is absent, {effect}.',
    rule: "With GET, DELETE and QUERY, a list that must be set (oneOf, when) has at least one item, and no field needs null (nullable = always).",
    reason:
      "A query has a text for each item, and none for an empty list or for null. The server would reject the request, or keep a value that null should remove.",
    examples: (): Examples => {
      const schema = (...lines: readonly string[]): readonly string[] => [
        ...["struct Search", "  - tags?: []string", "    + oneOf = by", ...lines],
        ...["  - shop?: string", "    + oneOf = by", "service Shop"],
        ...["  - ListOrders(Search) => (Search)", "    GET /orders"],
      ];
      return { bad: schema(), good: schema("    + minItems = 1") };
    },
  },
  "route-of-two-services": {
    code: "RK365",
    severity: "error",
    message: '"{route}" overlaps "{other}" of {owner}, which is in another service.',
    advice: "Give each service its own path.",
    rule: "The paths of two services do not overlap.",
    reason: "Each service can be served by a program of its own.",
    examples: (): Examples => ({
      bad: [
        "service Shop",
        "  - List()",
        "    GET /orders",
        "service Depot",
        "  - Add()",
        "    POST /orders",
      ],
      good: [
        "service Shop",
        "  - List()",
        "    GET /orders",
        "service Depot",
        "  - Add()",
        "    POST /depot/orders",
      ],
    }),
  },
  "route-twice": {
    code: "RK366",
    severity: "error",
    message: '"{route}" has the same verb and path as "{other}" of {owner}.',
    rule: "Each combination of verb and path belongs to one method.",
    reason: "Paths that differ only in the names of parameters match the same requests.",
    examples: (): Examples => ({
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
    }),
  },
  "route-ambiguous": {
    code: "RK367",
    severity: "error",
    message:
      '"{route}" and "{other}" of {owner} are ambiguous: a request can match both, and neither is more specific.',
    advice: "Change a fixed segment, so that no request matches both.",
    rule: "If a request can match two routes, one of them is more specific.",
    reason:
      "Servers call the more specific route. Between two equally specific routes, servers would choose differently.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - A(x: string)", "    GET /a/{x}/c", "  - B(y: string)", "    GET /a/b/{y}"],
      good: ["service Shop", "  - A(x: string)", "    GET /a/{x}/c", "  - B(y: string)", "    GET /b/{y}"],
    }),
  },
  "route-default-path": {
    code: "RK368",
    severity: "error",
    message: '"{route}" can match "{path}", the default path of a method.',
    advice: 'Start the route with a fixed segment, such as "/pets/{id}".',
    rule: "No route matches the default path of a method.",
    reason: "A call to that method would reach the method of the route instead.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - Get(kind: string, id: string)", "    GET /{kind}/{id}"],
      good: ["service Shop", "  - Get(kind: string, id: string)", "    GET /things/{kind}/{id}"],
    }),
  },
  "route-dots": {
    code: "RK374",
    severity: "warning",
    message: '{what} has the segment "{segment}", which clients remove from URLs.',
    advice: "Remove the segment or rename it. No call could reach a method on such a path.",
    rule: 'No segment of a path is "." or "..".',
    reason:
      "Browsers, fetch and proxies resolve these segments before they send a URL, as in the path of a file. Clients reject such values of parameters, too.",
    examples: (): Examples => ({
      bad: ["service Shop", "  - GetOrder(id: uint64)", "    GET /orders/./{id}"],
      good: ["service Shop", "  - GetOrder(id: uint64)", "    GET /orders/{id}"],
    }),
  },
  "cache-not-read": {
    code: "RK370",
    severity: "warning",
    message: '"@cache" of "{method}" has no effect, because the method is not a read.',
    advice: "Add @readonly or a GET or QUERY route, or remove @cache. Streams and uploads are not cached.",
    inYaml: {
      advice: "Add readonly or a GET or QUERY route, or remove cache. Streams and uploads are not cached.",
    },
    rule: "@cache is only on reads: methods with a GET or QUERY route, or with @readonly.",
    reason:
      "Caches keep responses of GET, HEAD and QUERY. A cached write would not reach the server, and streams and uploads cannot be called by GET or QUERY.",
    examples: (): Examples => ({
      bad: ["service Shop", '  @cache:"60s"', "  - CountOrders() => (count: uint32)"],
      good: ["service Shop", '  @readonly @cache:"60s"', "  - CountOrders() => (count: uint32)"],
    }),
  },
  "cache-duration": {
    code: "RK371",
    severity: "warning",
    message: '"@cache" of "{method}" needs a duration up to 365d at its start, found {found}.',
    advice:
      'Start with whole seconds, minutes, hours or days: @cache:"60s". With "0s", caches ask each time.',
    inYaml: {
      advice:
        'Start with whole seconds, minutes, hours or days: cache: "60s". With "0s", caches ask each time.',
    },
    rule: "@cache starts with a duration: whole seconds, minutes, hours or days, at most 365 days.",
    reason:
      "Caches have to know how long a response stays fresh. Longer times have no effect in many caches. Without a valid duration, the annotation has no effect.",
    examples: (): Examples => ({
      bad: ["service Shop", '  @readonly @cache:"1 minute"', "  - CountOrders() => (count: uint32)"],
      good: ["service Shop", '  @readonly @cache:"1m"', "  - CountOrders() => (count: uint32)"],
    }),
  },
  "cache-word": {
    code: "RK372",
    severity: "warning",
    message: '"@cache" of "{method}" contains {found}, {reason}.',
    advice:
      'After the duration and a comma, write "public" or "private", and "vary X-Header" for each header.',
    rule: 'After its duration, @cache has "public" or "private" at most once, and "vary" with the name of a header.',
    reason:
      "If an unknown word was ignored, the response could reach a caller that must not have it. So the whole annotation has no effect.",
    examples: (): Examples => ({
      bad: ["service Shop", '  @readonly @cache:"60s, shared"', "  - CountOrders() => (count: uint32)"],
      good: ["service Shop", '  @readonly @cache:"60s, public"', "  - CountOrders() => (count: uint32)"],
    }),
  },
  "cache-shared": {
    code: "RK373",
    severity: "warning",
    message: 'Shared caches could answer callers of "{method}" with the response of another caller.',
    advice:
      'The method has @auth: add ", vary X-Access-Key" with the header of the credential, or ", private".',
    rule: "A method with @auth is cached privately, or separately for each credential.",
    reason:
      "A cache identifies a response by its URL and the headers that Vary lists. Without them, it answers every caller with the response of the first one. So the annotation has no effect.",
    examples: (): Examples => ({
      bad: ["service Shop", '  @auth:"key" @readonly @cache:"60s"', "  - CountOrders() => (count: uint32)"],
      good: [
        "service Shop",
        '  @auth:"key" @readonly @cache:"60s, vary X-Key"',
        "  - CountOrders() => (count: uint32)",
      ],
    }),
  },
  "false-annotation": {
    code: "RK379",
    severity: "warning",
    message: '"@{text}" of "{method}" means the same as "@{annotation}".',
    advice: "Remove the annotation.",
    rule: "A method without a property does not have its annotation.",
    reason:
      "An annotation counts whatever its value is, so a method with @readonly:false is repeated like a read.",
    examples: (): Examples => ({
      bad: ["service Shop", "  @readonly:false", "  - AddOrder(item: string) => (id: uint64)"],
      good: ["service Shop", "  - AddOrder(item: string) => (id: uint64)"],
    }),
  },
  "mcp-value": {
    code: "RK381",
    severity: "error",
    referenceAccepts: true,
    message: '"{value}" of "{method}" is not a value of @mcp.',
    advice: "Write @mcp:off to hide the method from agents, or @mcp to show it.",
    inYaml: {
      message: '"{value}" of "{method}" is not a value of "mcp".',
      advice: 'Write "mcp: off" to hide the method from agents, or "mcp:" without a value to show it.',
    },
    rule: 'The annotation "mcp" has no value, or "off".',
    reason: "With any other value, agents could call a method that the value was meant to hide.",
    examples: (): Examples => ({
      bad: ["service Shop", "  @mcp:false", "  - Clear()"],
      good: ["service Shop", "  @mcp:off", "  - Clear()"],
    }),
  },
  "idempotency-key-unused": {
    code: "RK375",
    severity: "warning",
    message: '"@idempotencyKey" of "{method}" has no effect: {reason}.',
    advice: "Remove @idempotencyKey.",
    inYaml: { advice: "Remove idempotencyKey." },
    rule: "@idempotencyKey has no value, and is on writes that are not idempotent, without streams and files.",
    reason:
      "A key makes a write safe to repeat. Calls of @readonly and @idempotent methods can be repeated without one, and responses in parts are not kept.",
    examples: (): Examples => ({
      bad: ["service Shop", "  @idempotent @idempotencyKey", "  - CancelOrder(id: uint64)"],
      good: ["service Shop", "  @idempotencyKey", "  - AddOrder(item: string) => (id: uint64)"],
    }),
  },
  "paging-ignored": {
    code: "RK376",
    severity: "warning",
    message: 'Clients cannot page through "{method}": {reason}.',
    rule: "@paging names fields: the page size and the page in the request, then what follows and the list in the response.",
    reason: "With other names, generated clients have no helpers to read the list page by page.",
    examples: (): Examples => ({
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
    }),
  },
  "resume-ignored": {
    code: "RK377",
    severity: "warning",
    message: 'Clients cannot resume "{method}": {reason}.',
    rule: "@resume names a field of the request, a field of the items, and the error that reports a gap.",
    reason:
      "With other names, clients send the same request after a lost connection, and items are missed or repeated.",
    examples: (): Examples => ({
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
    }),
  },
  "deprecation-date": {
    code: "RK378",
    severity: "warning",
    message: '"@{annotation}" of "{method}" is not sent to callers: {reason}.',
    advice: "Write a date such as 2027-01-31. The sunset is on the day of the deprecation, or later.",
    rule: "The dates of @deprecated and @sunset are days of the calendar, and the sunset is not before the deprecation.",
    reason:
      "Servers send the dates in the headers Deprecation and Sunset, which have no form for anything else.",
    examples: (): Examples => ({
      bad: ["service Shop", '  @sunset:"31.1.2027"', "  - ListOrders() => (orders: []string)"],
      good: [
        "service Shop",
        '  @deprecated:"2026-11-26, use FindOrders" @sunset:"2027-01-31"',
        "  - ListOrders() => (orders: []string)",
      ],
    }),
  },
} as const;
