// Prints the price of the cheapest token of a collection, and handles the errors.
//   URL=http://127.0.0.1:4000 ACCESS_KEY=… COLLECTION=0x… node client/examples/floor.mjs
import { connect, match, result } from "platform-client";

const {
  URL: url = "http://127.0.0.1:4000",
  ACCESS_KEY: accessKey,
  NETWORK: network = "31337",
  COLLECTION = "",
} = process.env;
const { marketplace } = connect({ url, accessKey }).on(network);

const line = match(await result(marketplace.getFloorOrder({ contractAddress: COLLECTION })), {
  ok: ({ collectible }) =>
    collectible === null
      ? "nothing is listed"
      : `${collectible.metadata.name}: ${collectible.order?.priceAmountFormatted} (${collectible.order?.priceUSD} USD)`,
  Unauthorized: ({ cause }) => `ACCESS_KEY: ${cause}`,
  RateLimited: ({ retryAfter }) => `too many calls; try again in ${retryAfter} s`,
  _: ({ message, cause }) => `${message}${cause === undefined ? "" : `: ${cause}`}`,
});
console.log(line);
