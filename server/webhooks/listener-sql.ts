/** Conditions on `webhook_listener as listener`, each in one place. */

/** Whether events are stored for it: a receiver that fails gets them later; its owner or a 410 ends that. */
export const isNotified = "(listener.pause_reason is null or listener.pause_reason = 'failing')";

/** Whether its receiver may be called now. Joined to `webhook_health as health`; one that fails is tried at `probe_at`. */
export const mayBeCalled =
  "(listener.pause_reason is null or (listener.pause_reason = 'failing' and coalesce(health.probe_at, now()) <= now()))";

/** The secret before a rotation, as long as deliveries are signed with it too. */
export const validPreviousSecret =
  "case when listener.previous_secret_until > now() then listener.previous_secret end";
