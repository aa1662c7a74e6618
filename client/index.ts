/** The client of the platform: five services as one object, and the verification of its webhooks. */
export {
  byGet,
  byQuery,
  items,
  listCollectibles,
  match,
  pages,
  RpcError,
  result,
  retryAfterMs,
} from "../generated/client.ts";
export type { EventLogs, WebhookNotification } from "../generated/types.ts";
export { connect, type NetworkServices, type Platform, type PlatformSettings } from "./platform.ts";
export type { HeaderSource } from "./verify-webhook.ts";
export {
  type ReceivedWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookBody,
  WebhookRefusal,
} from "./verify-webhook.ts";
