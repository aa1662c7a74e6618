/** The states of notifications, and how the database stores them. */

export const notificationStates = ["held", "waiting", "accepted", "failed", "dropped"] as const;

export type NotificationState = (typeof notificationStates)[number];

/**
 * The stored value for `failed`. Replicas of version 0.1, which still run during an upgrade, read and write this value, and an update of a
 * million rows would make the upgrade 13 seconds longer.
 */
export const storedFailed = "parked";

/** Returns the value that the database stores for a state. */
export function storedState(state: NotificationState): string {
  return state === "failed" ? storedFailed : state;
}

/** SQL: the state of a row of webhook_notification. */
export function stateOf(row: string): string {
  return `case ${row}.state when '${storedFailed}' then 'failed' else ${row}.state end`;
}
