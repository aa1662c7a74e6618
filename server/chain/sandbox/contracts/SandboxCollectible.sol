// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// An ERC-721 collection for a local chain, with a royalty (ERC-2981) and on-chain metadata. Anybody may mint.
contract SandboxCollectible {
    string public name;
    string public symbol;
    address private immutable artist;
    mapping(uint256 => address) private owners;
    mapping(uint256 => string) private uris;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);
    event MetadataUpdate(uint256 tokenId);

    constructor(string memory name_, string memory symbol_) {
        name = name_;
        symbol = symbol_;
        artist = msg.sender;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        // ERC-165, ERC-721, its metadata, ERC-2981, ERC-4906.
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f || id == 0x2a55205a || id == 0x49064906;
    }

    function mint(address to, uint256 tokenId, string calldata uri) external {
        require(owners[tokenId] == address(0), "it is there");
        owners[tokenId] = to;
        uris[tokenId] = uri;
        balanceOf[to]++;
        emit Transfer(address(0), to, tokenId);
    }

    function describe(uint256 tokenId, string calldata uri) external {
        require(ownerOf(tokenId) == msg.sender, "not yours");
        uris[tokenId] = uri;
        emit MetadataUpdate(tokenId);
    }

    function ownerOf(uint256 tokenId) public view returns (address owner) {
        owner = owners[tokenId];
        require(owner != address(0), "no such token");
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        ownerOf(tokenId);
        return uris[tokenId];
    }

    /// 2.5 % for the deployer.
    function royaltyInfo(uint256, uint256 price) external view returns (address, uint256) {
        return (artist, (price * 250) / 10_000);
    }

    function approve(address to, uint256 tokenId) external {
        require(ownerOf(tokenId) == msg.sender, "not yours");
        getApproved[tokenId] = to;
        emit Approval(msg.sender, to, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) public {
        require(ownerOf(tokenId) == from, "not the owner");
        require(
            from == msg.sender || isApprovedForAll[from][msg.sender] || getApproved[tokenId] == msg.sender, "not approved"
        );
        delete getApproved[tokenId];
        balanceOf[from]--;
        balanceOf[to]++;
        owners[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }

    function safeTransferFrom(address from, address to, uint256 tokenId) external {
        transferFrom(from, to, tokenId);
    }
}
