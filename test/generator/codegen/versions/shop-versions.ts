/** Three versions of a small API: renames, a default, looser and tighter rules, a removal, and what a person decides. */
const header = (version: string): string => `webrpc = v1
name = Shop
version = ${version}
basepath = /rpc
`;

export const shopV1: string = `${header("v1.0.0")}
struct Order
  - id: uint64
  - amount: int32
  - note?: string
  - status: Status

enum Status: string
  - OPEN
  - DONE

error 1 Missing "no such order" HTTP 404
error 2 Closed "closed" HTTP 409

service Shop
  @auth:key
  - Get(id: uint64) => (order: Order) errors Missing
  - Put(order: Order) => (id: uint64)
  - Watch(id: uint64) => stream (order: Order)
  - Gone() => (ok: bool)
`;

export const shopV2: string = `${header("v2.0.0")}
struct Order
  - id: uint64
  - total: int64
    + renamedFrom = amount
  - note?: string
  - status: Status
  - currency: string
    + default = EUR

enum Status: string
  - OPEN
  - DONE

error 1 NotFound "no such order" HTTP 404
error 5 Closed "closed" HTTP 409

service Shop
  @auth:key
  @renamedFrom:Get
  - Fetch(id: uint64) => (order: Order) errors NotFound
  - Put(order: Order) => (id: uint64)
  - Watch(id: uint64) => stream (order: Order)
`;

export const shopV3: string = `${header("v3.0.0")}
struct Purchase
  - id: uint64
  - total: int64
  - note?: string
    + maxLength = 10
  - status: State
  - currency: string
    + default = EUR
  - place: string

enum State: string
  - OPEN
  - DONE
  - LOST

error 1 NotFound "no such order" HTTP 404
error 5 Closed "closed" HTTP 409
error 6 Busy "busy" HTTP 503

service Shop
  @auth:admin
  - Fetch(id: uint64) => (order: Purchase) errors NotFound | Busy
  - Put(order: Purchase) => (id: uint64)
  - Watch(id: uint64) => stream (order: Purchase)
`;
