import { BaseError } from "viem";

/** How nodes and providers say that a range of blocks has more logs, or more blocks, than they give at once. */
const wordings =
  /more than [\d,]+ (results|logs)|exceeds? (the )?(max|limit|allowed|range)|(block )?range (is )?(too (large|wide|big)|limit|exceed)|too (many|large)|limited to|response size|size (is )?(larger|exceed)|query returned more|max(imum)? (block )?range|query timeout|log limit|up to a [\d,]+ block|ranges over|is greater than the|exceed.*block|block.*exceed|ResponseBodyTooLarge/i;

/** Errors that are about too many requests, and not about too many logs. */
const rate = /too many requests|rate limit|request(s)? per second|429|capacity|credits|quota/i;

export function isTooMany(err: unknown): boolean {
  for (let link = err, depth = 0; link instanceof Error && depth < 10; link = link.cause, depth++) {
    const { name, message } = link;
    const details = link instanceof BaseError ? link.details : "";
    if (name === "ResponseBodyTooLargeError") return true;
    const text = `${details ?? ""}`.length > 0 ? `${details}` : message;
    if (rate.test(text)) return false;
    if (wordings.test(text)) return true;
  }
  return false;
}
