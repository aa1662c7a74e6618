import { compile } from "../../generator/compile.ts";
import { hashIr, writeIr } from "../../generator/ir/write.ts";
import { buildPlan, type PlanInput } from "../../generator/plan/build.ts";
import type { Plan } from "../../generator/plan/plan.ts";
import { type Files, memoryReader } from "./memory-reader.ts";

/** The plan of a schema in memory. Throws with its diagnostics if it does not compile. */
export function planOf(files: Files, entry: string, builtinErrors: PlanInput["builtinErrors"] = {}): Plan {
  const { result, diagnostics } = compile(entry, memoryReader(files));
  if (result === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const irText = writeIr(result.ir);
  return buildPlan({
    model: result.model,
    schemaFile: entry,
    irText,
    schemaHash: hashIr(irText),
    builtinErrors,
  });
}

/** A bit of everything: a method name that two services share, an enum, errors of both kinds, empty bodies, bigints, deprecations. */
export function samplePlan(): Plan {
  return planOf({ "sample.ridl": sampleSchema }, "sample.ridl", {
    "-8": { name: "WebrpcClientDisconnected", message: "client disconnected" },
  });
}

const sampleSchema = `webrpc = v1
name = Sample
version = v1.2.0
basepath = /rpc

error 1000 Unauthorized "Unauthorized access" HTTP 401
error 1007 RateLimited "Rate-limited. Please slow down." HTTP 429
error 1901 Overloaded "Server overloaded" HTTP 503
error 2000 InvalidArgument "Invalid argument" HTTP 400
# The record does not exist.
error 3000 NotFound "Resource not found" HTTP 400

enum OrderSide: string
  - listing
  - offer

struct PingRequest
struct PingResponse

# One order.
struct Order
  - id: string
  - side: OrderSide

struct GetOrdersRequest
  - ids: []string

struct GetOrdersResponse
  - orders: []Order

type Amounts: []bigint

# One step, and those below it.
struct Step
  - amount: bigint
  - below?: []Step

struct TransferRequest
  - to: string
  - amount: bigint

struct TransferResponse
  - total: bigint
  - fee?: bigint
  - parts: Amounts
  - byToken: map<string,[]bigint>
  - first: Step
  - note: string

# Orders of a market. Ends no comment: */ alert(1) /*
service Marketplace
  # Answers if it is up.
  @readonly
  - Ping(PingRequest) => (PingResponse) errors InvalidArgument

  # Answers orders by their ids.
  # Unknown ids are absent. */ alert(2) /*
  @idempotent
  - GetOrders(GetOrdersRequest) => (GetOrdersResponse) errors InvalidArgument | NotFound

  # Places an order.
  @deprecated:"use GetOrders"
  - PlaceOrder(GetOrdersRequest) => (GetOrdersResponse) errors InvalidArgument

service Bank
  @readonly
  - Ping(PingRequest) => (PingResponse)
  - Transfer(TransferRequest) => (TransferResponse) errors InvalidArgument
  - Watch(PingRequest) => stream (PingResponse)
`;
