// A marketplace of one collection: its tokens, the orders of a token, and a button that buys on the sandbox's chain. SubscribeEvents
// keeps it current. `npm start` prints the values of the address:
//   npx esbuild client/examples/market/market.mjs --bundle --format=esm --outdir=client/examples/market --servedir=client/examples/market --serve=127.0.0.1:8000
//   http://127.0.0.1:8000/?url=http://127.0.0.1:4000&accessKey=…&collection=0x…&market=0x…&rpc=http://127.0.0.1:…&account=0x…
import { MutationObserver, QueriesObserver, QueryClient, QueryObserver } from "@tanstack/query-core";
import { queryOptions, retryTemporary, streamOptions } from "ridlkit-runtime/tanstack-query";
import {
  getCollectible,
  listCollectibles,
  listCurrencies,
  listListingsForCollectible,
  listOffersForCollectible,
  subscribeEvents,
} from "../../../generated/client.ts";
import { connect } from "../../platform.ts";

const settings = Object.fromEntries(new URLSearchParams(location.search));
const { url, accessKey, collection, market, rpc, account, network = "31337" } = settings;
const { marketplace, indexer } = connect({ url, accessKey }).on(network);
// Without an event, rates change, orders expire, and makers' balances are checked. After EventsGap, the stream is opened again.
const refetchInterval = 5_000;
const cache = new QueryClient({ defaultOptions: { queries: { ...retryTemporary, refetchInterval } } });

/* The two views, by the fragment of the address: #42 is token 42. */

function queriesOf(tokenId) {
  const { client } = marketplace;
  const ofToken = { contractAddress: collection, tokenId };
  return tokenId === ""
    ? [queryOptions(listCollectibles, client, { contractAddress: collection, side: "listing" })]
    : [
        queryOptions(getCollectible, client, ofToken),
        queryOptions(listListingsForCollectible, client, ofToken),
        queryOptions(listOffersForCollectible, client, ofToken),
        queryOptions(listCurrencies, client, {}, { staleTime: Number.POSITIVE_INFINITY }),
      ];
}

let tokenId = "";
const view = new QueriesObserver(cache, []);
view.subscribe(render);
addEventListener("hashchange", show);

function show() {
  tokenId = location.hash.slice(1);
  view.setQueries(queriesOf(tokenId));
}

function render(results) {
  const failed = results.find(({ error }) => error !== null);
  const data = results.map((each) => each.data);
  if (failed !== undefined) return replace([element("h1", {}, "Marketplace"), problem(failed.error)]);
  if (data.length === 0 || data.includes(undefined)) return undefined;
  return replace(tokenId === "" ? collectionPage(...data) : tokenPage(...data));
}

const dollars = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });

function problem({ message, cause }) {
  return element("p", { role: "alert" }, cause === undefined ? message : `${message}: ${cause}`);
}

function collectionPage({ collectibles }) {
  document.title = "On sale";
  const cards = collectibles.map(({ metadata, listing }) =>
    element(
      "li",
      {},
      element(
        "a",
        { href: `#${metadata.tokenId}`, id: `token-${metadata.tokenId}` },
        element("strong", {}, metadata.name || `Token ${metadata.tokenId}`),
        element("br"),
        listing === undefined ? "not listed" : `from ${dollars.format(listing.priceUSD)}`,
      ),
    ),
  );
  return [element("h1", {}, "On sale"), element("ul", { class: "tokens" }, ...cards)];
}

function tokenPage({ metadata }, { listings }, { offers }, { currencies }) {
  const name = metadata.name || `Token ${metadata.tokenId}`;
  document.title = name;
  const symbols = new Map(currencies.map(({ contractAddress, symbol }) => [contractAddress, symbol]));
  const price = ({ priceAmountFormatted, priceCurrencyAddress, priceUSD }) =>
    `${priceAmountFormatted} ${symbols.get(priceCurrencyAddress) ?? ""} (${dollars.format(priceUSD)})`;
  const picture =
    metadata.image === undefined ? [] : [element("img", { src: metadata.image, alt: `Picture of ${name}` })];
  return [
    element("p", {}, element("a", { href: "#", id: "back" }, "All tokens")),
    element("h1", {}, name),
    ...picture,
    element("p", {}, metadata.description ?? ""),
    ...orders("Listings", "Seller", listings, price, buyButton),
    ...orders("Offers", "Bidder", offers, price),
  ];
}

function orders(title, maker, list, price, action) {
  if (list.length === 0) return [element("h2", {}, title), element("p", {}, "None.")];
  const rows = list.map((order) =>
    element(
      "tr",
      { id: `order-${order.orderId}` },
      element("td", {}, price(order)),
      element("td", {}, order.createdBy),
      ...(action === undefined ? [] : [element("td", {}, action(order))]),
    ),
  );
  const columns = ["Price", maker, ...(action === undefined ? [] : ["Action"])];
  const head = columns.map((text) => element("th", { scope: "col" }, text));
  return [
    element("h2", {}, title),
    element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)),
  ];
}

/* Buying: the marketplace contract takes the payment from the account, which approves it first. */

const zeroAddress = `0x${"0".repeat(40)}`;
const selectors = { approve: "0x095ea7b3", acceptRequest: "0xe6bd720e" };
const word = (value) => BigInt(value).toString(16).padStart(64, "0");

const purchase = new MutationObserver(cache, {
  async mutationFn({ orderId, priceAmount, priceCurrencyAddress }) {
    const isCoin = priceCurrencyAddress === zeroAddress;
    if (!isCoin) await send(priceCurrencyAddress, selectors.approve + word(market) + word(priceAmount));
    // One piece, for the account, without further fees: two empty lists, at these offsets.
    const values = [orderId, 1, account, 0xa0, 0xc0, 0, 0];
    await send(market, selectors.acceptRequest + values.map(word).join(""), isCoin ? priceAmount : 0);
  },
});
purchase.subscribe(({ status, error }) => {
  const texts = { idle: "", pending: "Buying…", success: "Bought.", error: `Not bought: ${error?.message}` };
  document.querySelector("#status").textContent = texts[status];
});

function buyButton(order) {
  const button = element("button", { type: "button", id: `buy-${order.orderId}` }, "Buy");
  button.addEventListener("click", () => purchase.mutate(order).catch(() => {}));
  return button;
}

/** Sends a transaction by the wallet of the browser, or else by the sandbox's chain, which holds the keys of its accounts. */
async function send(to, data, value = 0) {
  const transaction = { from: account, to, data, value: `0x${BigInt(value).toString(16)}` };
  const hash = await request("eth_sendTransaction", [transaction]);
  for (;;) {
    const receipt = await request("eth_getTransactionReceipt", [hash]);
    if (receipt?.status === "0x1") return;
    if (receipt) throw new Error("the transaction was reverted");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function request(method, params) {
  if (window.ethereum !== undefined) return window.ethereum.request({ method, params });
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(rpc, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(error.message);
  return result;
}

/* Live: the platform commits events together with the data that they change, so a reload after an event shows the change. */

const filter = {
  contractAddresses: [collection, market],
  events: [
    "Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
    "RequestCreated(uint256 indexed requestId, address indexed creator, address indexed tokenContract, uint256 tokenId, bool isListing, uint256 quantity, address currency, uint256 pricePerToken, uint256 expiry)",
    "RequestAccepted(uint256 indexed requestId, address indexed buyer, address indexed tokenContract, address recipient, uint256 quantity, uint256 quantityRemaining)",
    "RequestCancelled(uint256 indexed requestId, address indexed tokenContract)",
  ],
};

function onState({ kind }) {
  document.querySelector("#live").textContent = kind === "open" ? "Live." : "Connecting…";
  // Events may have been missed before the stream was opened.
  if (kind === "open") reload();
}

const live = new QueryObserver(
  cache,
  streamOptions(subscribeEvents, indexer.client, { filter }, { maxItems: 10, onState }),
);
live.subscribe(({ data = [], error }) => {
  if (error !== null) document.querySelector("#live").textContent = `No live updates: ${error.message}`;
  const lines = data.map(({ log }) => {
    const name = log.event?.eventSig.split("(")[0];
    const removed = log.type === "BLOCK_REMOVED" ? ", removed by a reorganization" : "";
    return element("li", {}, `${name} in block ${log.blockNumber}${removed}`);
  });
  document.querySelector("#events").replaceChildren(...lines.reverse());
  if (data.length > 0) reload();
});

function reload() {
  return cache.invalidateQueries({
    predicate: ({ queryHash }) => queryHash !== live.getCurrentQuery().queryHash,
  });
}

/* The document. */

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Replaces the page, and keeps the focus. */
function replace(children) {
  const { id } = document.activeElement ?? {};
  document.querySelector("#page").replaceChildren(...children);
  if (id) document.getElementById(id)?.focus();
}

show();
