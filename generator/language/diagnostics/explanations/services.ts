import type { services as codes } from "../catalog/services.ts";
import type { Explanations } from "./explanation.ts";

/** Errors, services and methods. */
export const services: Explanations<keyof typeof codes> = {
  "error-name": {
    rule: "The name of an error starts with an upper case letter from A to Z.",
    reason: "It becomes the name of a class.",
    bad: ['error 1 outOfStock "no more of it"'],
    good: ['error 1 OutOfStock "no more of it"'],
  },
  "error-name-reserved": {
    rule: 'The name of an error does not start with "Webrpc".',
    reason: "The errors of the protocol do, and could not be told from it.",
    bad: ['error 1 WebrpcLost "lost"'],
    good: ['error 1 Lost "lost"'],
  },
  "error-code": {
    rule: "The code of an error is 1 or more.",
    reason: "0 and below belong to the errors of the protocol.",
    bad: ['error 0 OutOfStock "no more of it"'],
    good: ['error 1 OutOfStock "no more of it"'],
  },
  "error-code-clamped": {
    rule: "The code of an error is at most 2147483647.",
    reason: "webrpc makes a larger one just that, so that two of them fall together.",
    bad: ['error 3000000000 OutOfStock "no more of it"'],
    good: ['error 3000 OutOfStock "no more of it"'],
  },
  "error-message": {
    rule: "An error has a message.",
    reason: "It is what somebody reads who has no other word for the code.",
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
          '  "errors": [{ "code": 1, "name": "OutOfStock", "message": "no more of it", "httpStatus": 409 }] }',
        ],
      },
    },
  },
  "error-status": {
    rule: "The HTTP status of an error lies between 400 and 599.",
    reason: "Everything below is a success, or no answer yet, to whoever looks at the status alone.",
    bad: ['error 1 OutOfStock "no more of it" HTTP 200'],
    good: ['error 1 OutOfStock "no more of it" HTTP 409'],
  },
  "duplicate-error-name": {
    rule: "A name stands for one error, imported ones included.",
    reason: "Clients tell errors apart by name.",
    bad: ['error 1 OutOfStock "no more of it"', 'error 2 OutOfStock "sold"'],
    good: ['error 1 OutOfStock "no more of it"', 'error 2 Sold "sold"'],
  },
  "error-case": {
    rule: "Two errors differ in more than letter case.",
    reason: "Their classes would fall together in some languages.",
    bad: ['error 1 OutOfStock "no more of it"', 'error 2 OutofStock "sold"'],
    good: ['error 1 OutOfStock "no more of it"', 'error 2 Sold "sold"'],
  },
  "duplicate-error-code": {
    rule: "A code stands for one error, imported ones included.",
    reason: "Clients of other versions tell errors apart by code.",
    bad: ['error 1 OutOfStock "no more of it"', 'error 1 Closed "closed"'],
    good: ['error 1 OutOfStock "no more of it"', 'error 2 Closed "closed"'],
  },
  "duplicate-service": {
    rule: "A name stands for one service, imported ones included.",
    reason: "It is a part of the path of every method.",
    bad: ["service Shop", "  - Buy(id: uint64)", "service Shop", "  - Sell(id: uint64)"],
    good: ["service Shop", "  - Buy(id: uint64)", "  - Sell(id: uint64)"],
  },
  "service-case": {
    rule: "Two services differ in more than letter case.",
    reason: "Their classes and paths would fall together in some places.",
    bad: ["service Shop", "  - Buy(id: uint64)", "service SHOP", "  - Sell(id: uint64)"],
    good: ["service Shop", "  - Buy(id: uint64)", "service Market", "  - Sell(id: uint64)"],
  },
  "empty-service": {
    rule: "A service has at least one method.",
    reason: "webrpc refuses one without.",
    bad: ["service Shop"],
    good: ["service Shop", "  - Ping()"],
  },
  "duplicate-method": {
    rule: "A service has each method once.",
    reason: "The name is the path that it is called by; there is no overloading.",
    bad: ["service Shop", "  - Buy(id: uint64)", "  - Buy(name: string)"],
    good: ["service Shop", "  - Buy(id: uint64)", "  - BuyByName(name: string)"],
  },
  "method-case": {
    rule: "Two methods of a service differ in more than letter case.",
    reason: "They would fall together as identifiers in some languages.",
    bad: ["service Shop", "  - Buy(id: uint64)", "  - buy(name: string)"],
    good: ["service Shop", "  - Buy(id: uint64)", "  - BuyByName(name: string)"],
  },
  "succinct-pair": {
    rule: "A method is succinct on both sides or on none.",
    reason:
      "The form says that the body is the struct itself, and webrpc knows it for request and answer together.",
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
    rule: "An argument has a name and a type, unless it is a struct that stands alone.",
    reason: "A body is one struct, or an object of named arguments; there is nothing between.",
    bad: ["struct Ask", "service Shop", "  - Buy(id: uint64, Ask)"],
    good: ["struct Ask", "service Shop", "  - Buy(id: uint64, ask: Ask)"],
  },
  "unknown-error": {
    rule: "Every error that a method lists is declared in the file or in one that it imports.",
    reason: "The built-in errors can come from every method and are not listed.",
    bad: ['error 1 OutOfStock "no more of it"', "service Shop", "  - Buy(id: uint64) errors OutOfStok"],
    good: ['error 1 OutOfStock "no more of it"', "service Shop", "  - Buy(id: uint64) errors OutOfStock"],
  },
  "duplicate-argument": {
    rule: "A method has each argument once.",
    reason: "webrpc lets two pass, and a JSON object has one value for a key.",
    bad: ["service Shop", "  - Buy(id: uint64, id: string)"],
    good: ["service Shop", "  - Buy(id: uint64, note: string)"],
  },
  "argument-name": {
    rule: 'The name of an argument is letters, digits and "_", and starts with a letter.',
    reason: "It becomes an identifier in every language, which webrpc does not check.",
    bad: ["service Shop", "  - Buy(order-id: uint64)"],
    good: ["service Shop", "  - Buy(orderId: uint64)"],
  },
  "method-name": {
    rule: 'The name of a method is letters, digits and "_", and starts with a letter.',
    reason: "It becomes an identifier in every language, which webrpc does not check.",
    bad: ["service Shop", "  - Buy-now(id: uint64)"],
    good: ["service Shop", "  - BuyNow(id: uint64)"],
  },
  "unbuilt-stream": {
    rule: "Only the answer of a method is a stream.",
    reason: "webrpc reads streams of requests, and none of its generators carries them out.",
    bad: ["service Shop", "  - stream Upload(line: string)"],
    good: ["service Shop", "  - Watch() => stream (line: string)"],
  },
  "unbuilt-proxy": {
    rule: "A method is described where it stands.",
    reason: 'webrpc reads "proxy" and makes of it a method without arguments; nothing is passed on.',
    bad: ["service Shop", "  - proxy Pay.Buy"],
    good: ["service Shop", "  - Buy(id: uint64)"],
  },
  "file-place": {
    rule: "A file is an argument of a method, alone or in a list, or all of its answer.",
    reason: "Its bytes go beside the JSON of a call and not within it.",
    bad: ["struct Pet", "  - picture: file", "service Shop", "  - Sell(pet: Pet)"],
    good: ["struct Pet", "  - name: string", "service Shop", "  - Sell(pet: Pet, picture: file)"],
  },
  "file-named-json": {
    rule: 'No file is called "json".',
    reason:
      "An upload is a form whose parts have the names of the files, and its part json has all other arguments.",
    bad: ["service Shop", "  - Import(json: file)"],
    good: ["service Shop", "  - Import(prices: file)"],
  },
  "no-errors-value": {
    rule: "@noErrors has no value.",
    reason: "@noErrors:false would read as the opposite, so a value makes the annotation void.",
    bad: ["service Shop", "  @noErrors:true", "  - Ping()"],
    good: ["service Shop", "  @noErrors", "  - Ping()"],
  },
  "no-errors-and-list": {
    rule: "A method lists its errors or has @noErrors, not both.",
    reason: "The two contradict each other. The list counts, so that callers are prepared for its errors.",
    bad: [
      'error 1 OutOfStock "no more of it"',
      "service Shop",
      "  @noErrors",
      "  - Buy(id: uint64) errors OutOfStock",
    ],
    good: ['error 1 OutOfStock "no more of it"', "service Shop", "  - Buy(id: uint64) errors OutOfStock"],
  },
};
