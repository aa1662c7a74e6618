// GetOrders of one id as hand-written code: node:http, pg and one named statement. Keys are looked up in memory, as the host does once it
// has cached them.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";

const [, , connection, accessKey] = process.argv;
const pool = new pg.Pool({ ...JSON.parse(connection), max: 10 });
const hashOf = (key) => createHash("sha256").update(key).digest("hex");
const known = hashOf(accessKey);

const text = `
  select o.id, o.collection_id as "collectionId", o.collectible_id as "collectibleId", o.order_id as "orderId", o.marketplace, o.source,
    o.side, o.status, o.valid_until <= now() as over, c.chain_id as "chainId", o.origin_name as "originName", o.slug,
    c.address as "collectionContractAddress", t.token_id::text as "tokenId", o.created_by as "createdBy",
    o.price_amount::text as "priceAmount", m.address as "priceCurrencyAddress", m.decimals as "priceDecimals",
    coalesce(m.usd_rate, 0)::float8 as rate, o.quantity_initial::text as "quantityInitial",
    o.quantity_remaining::text as "quantityRemaining", o.quantity_available::text as "quantityAvailable",
    o.quantity_decimals as "quantityDecimals", o.fee_bps as "feeBps", o.fee_breakdown as "feeBreakdown",
    o.valid_from as "validFrom", o.valid_until as "validUntil", o.block_number as "blockNumber",
    o.order_created_at as "orderCreatedAt", o.order_updated_at as "orderUpdatedAt", o.created_at as "createdAt",
    o.updated_at as "updatedAt", o.deleted_at as "deletedAt"
  from market_order o
  join collection c on c.id = o.collection_id
  join currency m on m.id = o.currency_id
  left join collectible t on t.id = o.collectible_id
  where c.chain_id = $1 and c.address = $2 and o.order_id = $3`;

function amount(digits, decimals) {
  const padded = digits.padStart(decimals + 1, "0");
  const fraction = decimals === 0 ? "" : padded.slice(-decimals).replace(/0+$/, "");
  const whole = decimals === 0 ? padded : padded.slice(0, -decimals);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

function answer({ over, rate, ...row }) {
  const net = String((BigInt(row.priceAmount) * BigInt(10_000 - row.feeBps)) / 10_000n);
  const usd = (Number(row.priceAmount) / 10 ** row.priceDecimals) * rate;
  const order = {
    ...row,
    id: Number(row.id),
    collectionId: Number(row.collectionId),
    collectibleId: Number(row.collectibleId),
    chainId: Number(row.chainId),
    blockNumber: Number(row.blockNumber),
    status: over && row.status === "active" ? "expired" : row.status,
    priceAmountFormatted: amount(row.priceAmount, row.priceDecimals),
    priceAmountNet: net,
    priceAmountNetFormatted: amount(net, row.priceDecimals),
    priceUSD: usd,
    priceUSDFormatted: usd.toFixed(2),
    quantityInitialFormatted: amount(row.quantityInitial, row.quantityDecimals),
    quantityRemainingFormatted: amount(row.quantityRemaining, row.quantityDecimals),
    quantityAvailableFormatted: amount(row.quantityAvailable, row.quantityDecimals),
  };
  for (const key of ["orderCreatedAt", "orderUpdatedAt", "deletedAt"])
    if (order[key] === null) delete order[key];
  return order;
}

async function read(req) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

const server = createServer(async (req, res) => {
  try {
    if (hashOf(req.headers["x-access-key"] ?? "") !== known) throw new Error("unknown key");
    const { input } = await read(req);
    const { contractAddress, orderId } = input[0];
    if (!/^0x[0-9a-fA-F]{40}$/.test(contractAddress) || typeof orderId !== "string")
      throw new Error("bad request");
    const { rows } = await pool.query({
      name: "order",
      text,
      values: [137, contractAddress.toLowerCase(), orderId],
    });
    const body = JSON.stringify({
      orders: rows.map(answer),
      page: { page: 1, pageSize: 100, more: false, sort: [] },
    });
    res.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    res.end(body);
  } catch (err) {
    res.writeHead(400).end(JSON.stringify({ error: String(err) }));
  }
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
