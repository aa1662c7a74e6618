// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Tokens that describe themselves, as their tests want it.

contract DescribedToken {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event MetadataUpdate(uint256 tokenId);
    event BatchMetadataUpdate(uint256 fromTokenId, uint256 toTokenId);

    mapping(uint256 => address) public ownerOf;
    mapping(uint256 => string) private uris;
    string private base;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function move(address to, uint256 tokenId) public {
        emit Transfer(ownerOf[tokenId], to, tokenId);
        ownerOf[tokenId] = to;
    }

    function mint(address to, uint256 tokenId, string calldata uri) external {
        uris[tokenId] = uri;
        move(to, tokenId);
    }

    function announce(uint256 first, uint256 count) external {
        for (uint256 id = first; id < first + count; id++) emit Transfer(address(0), msg.sender, id);
    }

    function setBase(string calldata base_) external {
        base = base_;
    }

    function describe(uint256 tokenId, string calldata uri) external {
        uris[tokenId] = uri;
        emit MetadataUpdate(tokenId);
    }

    function describeAll(string calldata base_) external {
        base = base_;
        emit BatchMetadataUpdate(0, type(uint256).max);
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        if (bytes(uris[tokenId]).length > 0) return uris[tokenId];
        return string.concat(base, decimal(tokenId));
    }

    function decimal(uint256 value) private pure returns (string memory) {
        bytes memory text;
        do {
            text = bytes.concat(bytes1(uint8(48 + value % 10)), text);
            value /= 10;
        } while (value > 0);
        return string(text);
    }
}

contract DescribedMultiToken {
    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values);
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event URI(string value, uint256 indexed id);

    string public uriOfAll;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26;
    }

    function uri(uint256) external view returns (string memory) {
        return uriOfAll;
    }

    function setUri(string calldata value, uint256 id) external {
        uriOfAll = value;
        emit URI(value, id);
    }

    function move(address from, address to, uint256 id, uint256 value) external {
        emit TransferSingle(msg.sender, from, to, id, value);
    }

    function moveMany(address from, address to, uint256[] calldata ids, uint256[] calldata values) external {
        emit TransferBatch(msg.sender, from, to, ids, values);
    }

    /// An event that this standard has not.
    function lie(address to, uint256 id) external {
        emit Transfer(address(0), to, id);
    }
}
