// A page that lists what a collection has on sale. Bundle it, and put the elements below into the page:
//   npx esbuild client/examples/page.mjs --bundle --format=esm --outfile=page.js
//   <ul data-url="http://127.0.0.1:4000" data-access-key="…" data-collection="0x…"></ul>
//   <script type="module" src="page.js"></script>
import { connect, items, listCollectibles } from "platform-client";

const list = document.querySelector("ul");
const { url, accessKey, collection, network = "31337" } = list.dataset;
const { marketplace } = connect({ url, accessKey }).on(network);

const request = { contractAddress: collection, side: "listing" };
for await (const { metadata, listing } of items(listCollectibles, marketplace.client, request)) {
  const item = document.createElement("li");
  item.textContent = `${metadata.name}: ${listing?.priceUSDFormatted} USD`;
  list.append(item);
}
