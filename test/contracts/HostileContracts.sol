// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Answers every call by asking the caller to look something up at an address of its choice (ERC-3668).
contract OffchainLookup {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData);

    string private url;

    constructor(string memory url_) {
        url = url_;
    }

    fallback() external {
        string[] memory urls = new string[](1);
        urls[0] = url;
        revert OffchainLookup(address(this), urls, msg.data, this.answered.selector, "");
    }

    function answered(bytes calldata response, bytes calldata) external pure returns (bytes memory) {
        return response;
    }
}

/// Answers every call with megabytes.
contract Megabytes {
    fallback() external {
        assembly {
            return(0, 4000000)
        }
    }
}

/// Never comes to an end.
contract Endless {
    fallback() external {
        while (true) {}
    }
}

/// An ERC-1271 wallet that says yes to everything, or reverts.
contract YesWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0x1626ba7e;
    }
}

/// Says yes, and goes on: its answer has a word more than is read.
contract TalkativeWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4, bytes memory) {
        return (0x1626ba7e, new bytes(20000));
    }
}
