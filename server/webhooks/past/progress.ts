/** Blocks left to read, of rows of webhook_past joined with the follower's checkpoint. */
export const blocksLeft = "greatest(block_number - next_block + 1, 0)";

/**
 * SQL of the `Past` of a listener as JSON, or null if it has none. The newest block is below the next one if the follower restarts from a
 * lower block. `toBlock` never is, so that both ends and the position always describe a range.
 */
export function pastOf(listenerId: string): string {
  return `(select json_build_object('fromBlock', from_block, 'nextBlock', next_block, 'toBlock', greatest(block_number, next_block))
    from webhook_past past join follower_cursor cursor on cursor.chain_id = past.chain_id where past.listener_id = ${listenerId})`;
}
