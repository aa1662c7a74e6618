// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface ICoin {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

interface ICollectible {
    function safeTransferFrom(address from, address to, uint256 tokenId) external;
    function ownerOf(uint256 tokenId) external view returns (address);
}

interface IMultiToken {
    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata data) external;
}

interface IRoyalty {
    function royaltyInfo(uint256 tokenId, uint256 price) external view returns (address recipient, uint256 royalty);
}

/// A market for a local chain, with the ABI and the events of the public Sequence marketplace, version 2.
contract SandboxMarket {
    struct RequestParams {
        bool isListing;
        bool isERC1155;
        address tokenContract;
        uint256 tokenId;
        uint256 quantity;
        uint96 expiry;
        address currency;
        uint256 pricePerToken;
    }

    struct Request {
        address creator;
        bool isListing;
        bool isERC1155;
        address tokenContract;
        uint256 tokenId;
        uint256 quantity;
        uint96 expiry;
        address currency;
        uint256 pricePerToken;
    }

    struct CustomRoyalty {
        address recipient;
        uint96 fee;
    }

    event RequestCreated(
        uint256 indexed requestId,
        address indexed creator,
        address indexed tokenContract,
        uint256 tokenId,
        bool isListing,
        uint256 quantity,
        address currency,
        uint256 pricePerToken,
        uint256 expiry
    );
    event RequestAccepted(
        uint256 indexed requestId,
        address indexed buyer,
        address indexed tokenContract,
        address recipient,
        uint256 quantity,
        uint256 quantityRemaining
    );
    event RequestCancelled(uint256 indexed requestId, address indexed tokenContract);
    event RequestsInvalidated(address indexed creator, uint256 indexed invalidatedBefore);
    event RequestsInvalidated(address indexed creator, address indexed tokenContract, uint256 indexed invalidatedBefore);
    event CustomRoyaltyChanged(address indexed tokenContract, address recipient, uint96 fee);

    uint256 public nextRequestId;
    mapping(address => CustomRoyalty) public customRoyalties;
    mapping(uint256 => Request) private requests;
    mapping(address => uint256) public invalidBefore;
    mapping(address => mapping(address => uint256)) public invalidTokenBefore;

    function createRequest(RequestParams calldata params) external returns (uint256 requestId) {
        require(params.quantity > 0 && params.pricePerToken > 0 && params.expiry > block.timestamp, "no request");
        require(params.isERC1155 || params.quantity == 1, "one of its kind");
        require(params.isListing || params.currency != address(0), "an offer needs a token to pay with");
        requestId = nextRequestId++;
        requests[requestId] = Request(
            msg.sender,
            params.isListing,
            params.isERC1155,
            params.tokenContract,
            params.tokenId,
            params.quantity,
            params.expiry,
            params.currency,
            params.pricePerToken
        );
        emit RequestCreated(
            requestId,
            msg.sender,
            params.tokenContract,
            params.tokenId,
            params.isListing,
            params.quantity,
            params.currency,
            params.pricePerToken,
            params.expiry
        );
    }

    function acceptRequest(
        uint256 requestId,
        uint256 quantity,
        address recipient,
        uint256[] calldata additionalFees,
        address[] calldata additionalFeeRecipients
    ) external payable {
        Request memory request = requests[requestId];
        require(request.creator != address(0) && !isInvalid(requestId, request), "no such request");
        require(request.expiry > block.timestamp, "expired");
        require(quantity > 0 && quantity <= request.quantity, "no such quantity");
        require(additionalFees.length == additionalFeeRecipients.length, "fees without recipients");
        uint256 remaining = request.quantity - quantity;
        if (remaining == 0) delete requests[requestId];
        else requests[requestId].quantity = remaining;

        (address payer, address payee) =
            request.isListing ? (msg.sender, request.creator) : (request.creator, msg.sender);
        settle(request, request.pricePerToken * quantity, payer, payee, additionalFees, additionalFeeRecipients);
        (address from, address to) =
            request.isListing ? (request.creator, recipient) : (msg.sender, request.creator);
        if (request.isERC1155)
            IMultiToken(request.tokenContract).safeTransferFrom(from, to, request.tokenId, quantity, "");
        else ICollectible(request.tokenContract).safeTransferFrom(from, to, request.tokenId);
        emit RequestAccepted(requestId, msg.sender, request.tokenContract, recipient, quantity, remaining);
    }

    function cancelRequest(uint256 requestId) external {
        Request memory request = requests[requestId];
        require(request.creator == msg.sender, "not yours");
        delete requests[requestId];
        emit RequestCancelled(requestId, request.tokenContract);
    }

    function invalidateRequests() external {
        invalidBefore[msg.sender] = nextRequestId;
        emit RequestsInvalidated(msg.sender, nextRequestId);
    }

    function invalidateRequests(address tokenContract) external {
        invalidTokenBefore[msg.sender][tokenContract] = nextRequestId;
        emit RequestsInvalidated(msg.sender, tokenContract, nextRequestId);
    }

    function setRoyalty(address tokenContract, address recipient, uint96 fee) external {
        require(fee <= 10_000, "more than all");
        customRoyalties[tokenContract] = CustomRoyalty(recipient, fee);
        emit CustomRoyaltyChanged(tokenContract, recipient, fee);
    }

    function getRequest(uint256 requestId) external view returns (Request memory) {
        return requests[requestId];
    }

    /// Whether the request can be accepted now, as far as the market alone can tell.
    function isOpen(uint256 requestId) external view returns (bool) {
        Request memory request = requests[requestId];
        return request.creator != address(0) && !isInvalid(requestId, request) && request.expiry > block.timestamp;
    }

    function getRoyaltyInfo(address tokenContract, uint256 tokenId, uint256 cost)
        public
        view
        returns (address recipient, uint256 royalty)
    {
        try IRoyalty(tokenContract).royaltyInfo(tokenId, cost) returns (address to, uint256 value) {
            return (to, value);
        } catch {
            CustomRoyalty memory custom = customRoyalties[tokenContract];
            return (custom.recipient, (custom.fee * cost) / 10_000);
        }
    }

    function isInvalid(uint256 requestId, Request memory request) private view returns (bool) {
        return requestId < invalidBefore[request.creator]
            || requestId < invalidTokenBefore[request.creator][request.tokenContract];
    }

    /// The maker of a listing pays the royalty out of the price; the maker of an offer pays it on top. The accepter pays the
    /// additional fees.
    function settle(
        Request memory request,
        uint256 cost,
        address payer,
        address payee,
        uint256[] calldata fees,
        address[] calldata feeRecipients
    ) private {
        (address artist, uint256 royalty) = getRoyaltyInfo(request.tokenContract, request.tokenId, cost);
        uint256 paid = pay(request.currency, payer, artist, royalty);
        uint256 further;
        for (uint256 i; i < fees.length; i++) {
            further += fees[i];
            paid += pay(request.currency, payer, feeRecipients[i], fees[i]);
        }
        uint256 net = request.isListing ? cost - royalty : cost - further;
        paid += pay(request.currency, payer, payee, net);
        if (request.currency == address(0)) require(paid == msg.value, "another price");
        else require(msg.value == 0, "no coin is asked for");
    }

    function pay(address currency, address from, address to, uint256 value) private returns (uint256) {
        if (value == 0) return 0;
        if (currency == address(0)) {
            (bool ok,) = to.call{value: value}("");
            require(ok, "not paid");
        } else {
            require(ICoin(currency).transferFrom(from, to, value), "not paid");
        }
        return value;
    }
}
