// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A price feed with the interface of Chainlink's, that says what it is told to.
contract PlayFeed {
    string public description;
    uint8 public decimals;
    int256 public answer;
    uint256 public updatedAt;

    constructor(string memory description_, uint8 decimals_) {
        description = description_;
        decimals = decimals_;
    }

    function set(int256 answer_, uint256 updatedAt_) external {
        answer = answer_;
        updatedAt = updatedAt_;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, answer, updatedAt, updatedAt, 1);
    }
}
