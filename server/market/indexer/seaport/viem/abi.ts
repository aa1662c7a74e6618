import { type Abi, parseAbi } from "viem";

const items = [
  "struct OfferItem { uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount; }",
  "struct ConsiderationItem { uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount; address recipient; }",
] as const;

export const seaportAbi: Abi = parseAbi([
  ...items,
  "struct OrderComponents { address offerer; address zone; OfferItem[] offer; ConsiderationItem[] consideration; uint8 orderType; uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt; bytes32 conduitKey; uint256 counter; }",
  "struct OrderParameters { address offerer; address zone; OfferItem[] offer; ConsiderationItem[] consideration; uint8 orderType; uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt; bytes32 conduitKey; uint256 totalOriginalConsiderationItems; }",
  "struct Order { OrderParameters parameters; bytes signature; }",
  "function information() view returns (string version, bytes32 domainSeparator, address conduitController)",
  "function getCounter(address offerer) view returns (uint256 counter)",
  "function getOrderHash(OrderComponents order) view returns (bytes32 orderHash)",
  "function getOrderStatus(bytes32 orderHash) view returns (bool isValidated, bool isCancelled, uint256 totalFilled, uint256 totalSize)",
  "function validate(Order[] orders) returns (bool validated)",
]);

export const controllerAbi: Abi = parseAbi([
  "function getConduitCodeHashes() view returns (bytes32 creationCodeHash, bytes32 runtimeCodeHash)",
  "function getConduit(bytes32 conduitKey) view returns (address conduit, bool exists)",
  "function getChannelStatus(address conduit, address channel) view returns (bool isOpen)",
]);

export const royaltyAbi: Abi = parseAbi([
  "function royaltyInfo(uint256 tokenId, uint256 salePrice) view returns (address receiver, uint256 royaltyAmount)",
]);
