// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Tells the events of the public Sequence marketplace as a busy market does, and nothing else: no token is moved.
contract BusyMarket {
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

    uint256 public nextRequestId;

    /// Twenty events a round: ten requests of as many makers, of which some are filled, one in part, some cancelled, and one maker
    /// starts anew.
    function trade(uint256 rounds, address token, address coin) external {
        uint256 first = nextRequestId;
        for (uint256 round = 0; round < rounds; round++) {
            for (uint256 i = 0; i < 10; i++) {
                uint256 id = first + i;
                emit RequestCreated(id, makerOf(id), token, id % 5000, i % 10 < 7, 10, coin, 1000 + (id % 977), 4102444800);
            }
            for (uint256 i = 0; i < 4; i++) {
                emit RequestAccepted(first + i, makerOf(first + 9), token, makerOf(first + 9), 10, 0);
            }
            for (uint256 i = 4; i < 6; i++) {
                emit RequestAccepted(first + i, makerOf(first + 9), token, makerOf(first + 9), 4, 6);
            }
            for (uint256 i = 6; i < 9; i++) {
                emit RequestCancelled(first + i, token);
            }
            if (round % 2 == 0) emit RequestsInvalidated(makerOf(first), first);
            else emit RequestsInvalidated(makerOf(first), token, first);
            first += 10;
        }
        nextRequestId = first;
    }

    function makerOf(uint256 id) private pure returns (address) {
        return address(uint160(0x1000 + (id % 2003)));
    }
}
