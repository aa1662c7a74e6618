// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Collectibles of both standards, as far as listeners see them: the events, and what contracts say of themselves (ERC-165).

contract TestCollectible {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    mapping(uint256 => address) public ownerOf;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function move(address to, uint256 tokenId) external {
        emit Transfer(ownerOf[tokenId], to, tokenId);
        ownerOf[tokenId] = to;
    }

    function setApprovalForAll(address operator, bool approved) external {
        emit ApprovalForAll(msg.sender, operator, approved);
    }
}

contract TestMultiToken {
    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values);
    event URI(string value, uint256 indexed id);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26;
    }

    function give(address to, uint256 id, uint256 value) external {
        emit TransferSingle(msg.sender, address(0), to, id, value);
    }

    function giveMany(address to, uint256[] calldata ids, uint256[] calldata values) external {
        emit TransferBatch(msg.sender, address(0), to, ids, values);
    }

    function setURI(string calldata value, uint256 id) external {
        emit URI(value, id);
    }
}
