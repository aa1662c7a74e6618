// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// As much of an NFT contract as is read of one.
contract Picture {
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function tokenURI(uint256 id) external pure returns (string memory) {
        require(id < 10, "no such token");
        return string(abi.encodePacked("ipfs://pictures/", bytes1(uint8(48 + id))));
    }
}
