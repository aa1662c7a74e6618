import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile } from "../../generator/language/compile.ts";
import type { Model } from "../../generator/language/model/model.ts";
import { answerOurselves } from "../support/compare.ts";
import { root } from "../support/docs.ts";
import { memoryReader } from "../support/memory-reader.ts";
import { referenceBinary, startReference } from "../support/reference.ts";

const folder = join(root, "schema");
const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".ridl"),
);
const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));

function platform(): Model {
  const { result, diagnostics } = compile("platform.ridl", memoryReader(files), { strict: true });
  expect(diagnostics).toEqual([]);
  if (result === undefined) throw new Error("refused");
  return result.model;
}

const binary = referenceBinary();
const { CI } = process.env;

describe.skipIf(binary === undefined && CI !== "true")(
  "the platform's schema and the reference parser",
  () => {
    test.each(paths)("%s: accepted, with the same IR and hash", async (path) => {
      if (binary === undefined) throw new Error("the reference parser is not built: see .ci/run");
      const request = { kind: "ridl", path, files } as const;
      await using reference = startReference(binary);
      const theirs = await reference.ask(request);
      expect(theirs.verdict).toBe("ok");
      expect(answerOurselves(request)).toMatchObject(theirs);
    });
  },
);

describe("the contract", () => {
  const health = ["Ping", "Version"];
  const methods: Readonly<Record<string, readonly string[]>> = {
    API: [...health, "IsValidTypedDataSignature", "IsValidMessageSignature", "GetSwapPrice", "GetSwapQuote"],
    Builder: [...health, "ListContractSources", "GetAudience"],
    Metadata: [
      ...health,
      "TokenCollectionFilters",
      "GetTokenMetadataPropertyFilters",
      "SearchTokenMetadata",
      "GetTokenMetadata",
      "GetTokenMetadataBatch",
      "GetContractInfo",
      "GetContractInfoBatch",
    ],
    Marketplace: [
      ...health,
      "GetOrders",
      "ListCollectibles",
      "Execute",
      "GetFloorOrder",
      "GetHighestPriceOfferForCollectible",
      "GetLowestPriceOfferForCollectible",
      "GetLowestPriceListingForCollectible",
      "GetHighestPriceListingForCollectible",
      "ListListingsForCollectible",
      "ListOffersForCollectible",
      "GetCountOfListingsForCollectible",
      "GetCountOfOffersForCollectible",
      "ListListings",
      "ListOffers",
      "ListOrdersWithCollectibles",
      "GetCountOfAllOrders",
      "GetCountOfFilteredOrders",
      "GetCountOfAllCollectibles",
      "GetCountOfFilteredCollectibles",
      "GetCollectible",
      "GetCollectionDetail",
      "ListCurrencies",
      "GetCollectionActiveListingsCurrencies",
      "GetCollectionActiveOffersCurrencies",
    ],
    Indexer: [
      ...health,
      "AddWebhookListener",
      "UpdateWebhookListener",
      "RemoveWebhookListener",
      "ToggleWebhookListener",
      "GetWebhookListener",
      "GetAllWebhookListeners",
      "RemoveAllWebhookListeners",
      "PauseAllWebhookListeners",
      "ResumeAllWebhookListeners",
      "RotateWebhookSecret",
      "SubscribeEvents",
      "GetTokenBalances",
      "GetTokenSupplies",
      "GetTokenIDRanges",
    ],
  };

  test("has every service and method", () => {
    const found = platform().services.map(({ name, methods: all }) => [
      name,
      all.map((method) => method.name),
    ]);
    expect(Object.fromEntries(found)).toEqual(methods);
  });

  test("has the errors with their codes and statuses", () => {
    const found = platform().errors.map(({ name, code, httpStatus }) => [name, code, httpStatus]);
    expect(found).toEqual([
      ["Unauthorized", 1000, 401],
      ["PermissionDenied", 1001, 403],
      ["SessionExpired", 1002, 403],
      ["Aborted", 1005, 400],
      ["Geoblocked", 1006, 451],
      ["RateLimited", 1007, 429],
      ["Overloaded", 1901, 503],
      ["InvalidArgument", 2000, 400],
      ["Unavailable", 2002, 400],
      ["QueryFailed", 2003, 400],
      ["NotFound", 3000, 400],
      ["EventsGap", 3001, 400],
    ]);
  });

  test("documents every type, field and method, and says how each method is authorized", () => {
    const { types, services } = platform();
    const silent = [
      ...types.filter(({ docs }) => docs.length === 0).map(({ name }) => name),
      ...types.flatMap((type) =>
        type.kind === "struct"
          ? type.fields.filter(({ docs }) => docs.length === 0).map(({ name }) => `${type.name}.${name}`)
          : [],
      ),
      ...services.flatMap((service) =>
        service.methods
          .filter(
            ({ docs, annotations }) =>
              docs.length === 0 || !annotations.some(({ name }) => /^(auth|public)$/.test(name)),
          )
          .map(({ name }) => `${service.name}.${name}`),
      ),
    ];
    expect(silent).toEqual([]);
  });

  test.each([
    ["Order", 38],
    ["TokenMetadata", 17],
    ["Asset", 11],
    ["ContractSource", 17],
    ["AudienceContact", 7],
    ["SwapQuote", 8],
    ["FeeBreakdownItem", 3],
  ])("%s has at least its %i fields", (name, count) => {
    const type = platform().typeByName.get(name);
    expect(type?.kind === "struct" ? type.fields.length : 0).toBeGreaterThanOrEqual(count);
  });
});
