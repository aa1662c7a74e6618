// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {SandboxToken} from "../../server/chain/sandbox/contracts/SandboxToken.sol";

/// Can be stopped, and then moves nothing.
contract PausedToken is SandboxToken {
    bool public isPaused;

    constructor() SandboxToken("Paused", "PAUSED", 77) {}

    function pause() external {
        isPaused = true;
    }

    function move(address from, address to, uint256 value) internal override {
        require(!isPaused, "paused");
        super.move(from, to, value);
    }
}

/// Turns from a good token into one that never comes to an end.
contract TiringToken is SandboxToken {
    bool public isTired;

    constructor() SandboxToken("Tiring", "TIRED", 0) {}

    function tire() external {
        isTired = true;
    }

    function move(address from, address to, uint256 value) internal override {
        while (isTired) {}
        super.move(from, to, value);
    }
}
