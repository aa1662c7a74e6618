/** The batch of a notification, as a lateral subquery. Batches do not overlap. */
export function batchOf(notification: string): string {
  return `select * from webhook_batch
    where chain_id = ${notification}.chain_id and first_sequence <= ${notification}.sequence
    order by first_sequence desc limit 1`;
}
