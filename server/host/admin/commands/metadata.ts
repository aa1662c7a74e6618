import { utcSeconds } from "../../../base/storage/sql.ts";
import {
  countMetadata,
  deletedTokens,
  deleteMetadata,
  restoreMetadata,
} from "../../../market/token-metadata/deleted-metadata.ts";
import {
  AdminFault,
  argument,
  type Command,
  chainIdNamed,
  confirm,
  confirmOption,
  contractNamed,
  counted,
  firstOf,
  type Input,
  limitOption,
  networkName,
  type Row,
  readLimit,
  readTokenId,
} from "../command.ts";
import { idOf } from "./collections.ts";

const reasonMax = 500;

export const metadata: readonly Command[] = [
  {
    name: "metadata list",
    help: "list tokens whose metadata was deleted, and why",
    positionals: ["[NETWORK]"],
    options: limitOption,
    run: async (context, input) => {
      const [network] = input.positionals;
      const chainId = network === undefined ? undefined : chainIdNamed(context.config, network);
      const rows = await deletedTokens(await context.database(), chainId, readLimit(input));
      return {
        list: rows.map(({ chainId: id, ...row }) => ({ network: networkName(context.config, id), ...row })),
      };
    },
  },
  {
    name: "metadata show",
    help: "show the metadata of a token, where it is from, and why it was deleted or could not be read",
    positionals: ["NETWORK", "ADDRESS", "TOKEN"],
    run: async (context, input) => {
      const tokenId = readTokenId(argument(input, 2));
      const database = await context.database();
      const id = await idOf(database, contractNamed(context, input));
      const [row] = await database.query<Row>(showSql, [id, tokenId]);
      if (row === undefined) throw new AdminFault(`no token ${tokenId} of this collection is stored`);
      return { record: row };
    },
  },
  {
    name: "metadata delete",
    help: "delete the metadata of all tokens of a collection, or of one, and keep it from coming back",
    positionals: ["NETWORK", "ADDRESS", "[TOKEN]"],
    options: {
      reason: { valueName: "TEXT", help: "why; metadata list shows it" },
      ...confirmOption,
    },
    details: `The tokens and their orders stay, without name, images and properties. Until metadata restore, hosts do not read their
metadata again, and imports reject it. Tokens that appear later are not affected.`,
    run: async (context, input) => {
      const tokenId = tokenOf(input);
      const reason = firstOf(input, "reason")?.trim() ?? "";
      if (reason === "" || reason.length > reasonMax)
        throw new AdminFault(`--reason: expected a text of 1 to ${reasonMax} characters`);
      const database = await context.database();
      const id = await idOf(database, contractNamed(context, input));
      const tokens = await countMetadata(database, id, { tokenId, isDeleted: false });
      if (tokens === 0) throw new AdminFault("no such token is stored, or its metadata was deleted already");
      await confirm(context, input, {
        consequence: `the metadata of ${counted(tokens, "tokens")} will be deleted`,
        word: String(tokens),
      });
      const deleted = await deleteMetadata(database, id, { tokenId, reason });
      return {
        record: { tokens: deleted, reason },
        ...(deleted > tokens && { note: `${counted(deleted - tokens, "tokens")} appeared after the count.` }),
      };
    },
  },
  {
    name: "metadata restore",
    help: "allow metadata that was deleted: it is read from the chain again, or imported",
    positionals: ["NETWORK", "ADDRESS", "[TOKEN]"],
    run: async (context, input) => {
      const tokenId = tokenOf(input);
      const database = await context.database();
      const id = await idOf(database, contractNamed(context, input));
      if ((await countMetadata(database, id, { tokenId, isDeleted: true })) === 0)
        throw new AdminFault("no metadata of these tokens was deleted; see: platform metadata list");
      return { record: { tokens: await restoreMetadata(database, id, tokenId) } };
    },
  },
];

function tokenOf({ positionals: [, , text] }: Input): string | undefined {
  return text === undefined ? undefined : readTokenId(text);
}

const showSql = `
select token_id::text as "tokenId", name, description, image, external_url as "externalUrl", status,
       case when deleted_because is null then origin end as origin, ${utcSeconds("metadata_updated_at")} as "updatedAt",
       (select count(*)::int from asset where collectible_id = token.id) as assets, deleted_because as "deletedBecause",
       uri, reason as failure, ${utcSeconds("due_at")} as "nextRead"
from collectible token left join token_read on collectible_id = token.id
where collection_id = $1 and token_id = $2`;
