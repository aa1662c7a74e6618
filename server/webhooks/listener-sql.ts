/** SQL conditions on `webhook_listener as listener`. */

/** Whether events are stored for the listener. A failing receiver gets them later. Other pauses (owner, 410) stop storing. */
export const isNotified = "(listener.pause_reason is null or listener.pause_reason = 'failing')";

/** Whether the receiver may be called now. A failing one is probed at `probe_at`. Needs a join with `webhook_health as health`. */
export const mayBeCalled =
  "(listener.pause_reason is null or (listener.pause_reason = 'failing' and coalesce(health.probe_at, now()) <= now()))";

/** The secret from before a rotation, while deliveries are still signed with it. */
export const validPreviousSecret =
  "case when listener.previous_secret_until > now() then listener.previous_secret end";
