// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A royalty (ERC-2981) that changes without an event, and is not said before it is set.
abstract contract Royalty {
    address private artist;
    uint256 private bps;

    function setRoyalty(address artist_, uint256 bps_) external {
        artist = artist_;
        bps = bps_;
    }

    function royaltyInfo(uint256, uint256 price) external view returns (address, uint256) {
        require(artist != address(0), "none is set");
        return (artist, (price * bps) / 10_000);
    }
}

/// Tokens of ERC-1155 that markets can move. Anybody may mint.
contract TradedToken is Royalty {
    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event TransferBatch(
        address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values
    );
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    mapping(address => mapping(uint256 => uint256)) public balances;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26 || id == 0x2a55205a;
    }

    function balanceOf(address owner, uint256 id) external view returns (uint256) {
        return balances[owner][id];
    }

    function mint(address to, uint256 id, uint256 value) external {
        balances[to][id] += value;
        emit TransferSingle(msg.sender, address(0), to, id, value);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata) external {
        require(from == msg.sender || isApprovedForAll[from][msg.sender], "not approved");
        balances[from][id] -= value;
        balances[to][id] += value;
        emit TransferSingle(msg.sender, from, to, id, value);
    }

    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata
    ) external {
        require(from == msg.sender || isApprovedForAll[from][msg.sender], "not approved");
        for (uint256 i = 0; i < ids.length; i++) {
            balances[from][ids[i]] -= values[i];
            balances[to][ids[i]] += values[i];
        }
        emit TransferBatch(msg.sender, from, to, ids, values);
    }
}

/// Tokens of ERC-721 that markets can move. Anybody may mint.
contract RoyaltyCollectible is Royalty {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    mapping(uint256 => address) private owners;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x2a55205a;
    }

    function ownerOf(uint256 id) public view returns (address owner) {
        owner = owners[id];
        require(owner != address(0), "no such token");
    }

    function mint(address to, uint256 id) external {
        require(owners[id] == address(0), "it is there");
        owners[id] = to;
        emit Transfer(address(0), to, id);
    }

    function approve(address to, uint256 id) external {
        require(ownerOf(id) == msg.sender, "not yours");
        getApproved[id] = to;
        emit Approval(msg.sender, to, id);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 id) public {
        require(ownerOf(id) == from, "not the owner");
        require(from == msg.sender || getApproved[id] == msg.sender || isApprovedForAll[from][msg.sender], "not approved");
        delete getApproved[id];
        owners[id] = to;
        emit Transfer(from, to, id);
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        transferFrom(from, to, id);
    }
}

/// Says that it is a token of every kind, and one word to every question.
contract LyingToken {
    fallback() external {
        assembly {
            mstore(0, 1)
            return(0, 32)
        }
    }
}

/// Tokens of ERC-721 that markets can move. Anybody may mint.
contract TradedCollectible {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    mapping(uint256 => address) public owners;
    mapping(uint256 => address) public getApproved;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function ownerOf(uint256 tokenId) public view returns (address owner) {
        owner = owners[tokenId];
        require(owner != address(0), "no such token");
    }

    function mint(address to, uint256 tokenId) external {
        require(owners[tokenId] == address(0), "minted");
        owners[tokenId] = to;
        balanceOf[to]++;
        emit Transfer(address(0), to, tokenId);
    }

    function approve(address to, uint256 tokenId) external {
        require(ownerOf(tokenId) == msg.sender, "not the owner");
        getApproved[tokenId] = to;
        emit Approval(msg.sender, to, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) public {
        require(ownerOf(tokenId) == from, "not the owner");
        bool isAllowed = from == msg.sender || isApprovedForAll[from][msg.sender] || getApproved[tokenId] == msg.sender;
        require(isAllowed, "not approved");
        delete getApproved[tokenId];
        balanceOf[from]--;
        balanceOf[to]++;
        owners[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }

    function safeTransferFrom(address from, address to, uint256 tokenId) external {
        transferFrom(from, to, tokenId);
    }

    function burn(uint256 tokenId) external {
        address from = ownerOf(tokenId);
        require(from == msg.sender, "not the owner");
        balanceOf[from]--;
        delete owners[tokenId];
        delete getApproved[tokenId];
        emit Transfer(from, address(0), tokenId);
    }
}
