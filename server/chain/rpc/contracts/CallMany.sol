// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Calls many contracts in one `eth_call`. It exists for that call only and is never deployed. Callers choose the contracts, so
/// each gets an equal share of the gas and of the response, cannot change any state, and cannot prevent the other calls.
contract CallMany {
    struct Call {
        address to;
        bytes data;
    }

    struct Answer {
        bool isDone;
        bytes data;
    }

    /// A result of more than `maxBytes` is cut to its first `maxBytes`.
    function callMany(Call[] calldata calls, uint256 maxBytes) external view returns (Answer[] memory answers) {
        answers = new Answer[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            // One share is reserved for encoding the results.
            uint256 share = gasleft() / (calls.length - i + 1);
            (answers[i].isDone, answers[i].data) = read(calls[i].to, calls[i].data, share, maxBytes);
        }
    }

    function read(address to, bytes memory input, uint256 share, uint256 maxBytes)
        private
        view
        returns (bool isDone, bytes memory data)
    {
        assembly ("memory-safe") {
            isDone := staticcall(share, to, add(input, 32), mload(input), 0, 0)
            let size := returndatasize()
            if gt(size, maxBytes) { size := maxBytes }
            size := mul(isDone, size)
            data := mload(0x40)
            mstore(data, size)
            returndatacopy(add(data, 32), 0, size)
            mstore(0x40, and(add(add(data, size), 63), not(31)))
        }
    }
}
