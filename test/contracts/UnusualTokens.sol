// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {SandboxToken} from "../../server/chain/sandbox/contracts/SandboxToken.sol";

/// Keeps one percent of what is sent.
contract FeeToken is SandboxToken {
    constructor() SandboxToken("Fee", "FEE", 18) {}

    function move(address from, address to, uint256 value) internal override {
        super.move(from, to, value - value / 100);
        super.move(from, address(0xfee), value / 100);
    }
}

/// As Tether's: it refuses to change an allowance that is not zero, and answers nothing.
contract StubbornToken {
    string public constant name = "Stubborn";
    string public constant symbol = "STUB";
    uint8 public constant decimals = 6;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = value;
    }

    function transfer(address to, uint256 value) external {
        move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        require(allowance[from][msg.sender] >= value);
        allowance[from][msg.sender] -= value;
        move(from, to, value);
    }

    function move(address from, address to, uint256 value) private {
        require(balanceOf[from] >= value);
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }
}

/// Takes its fee from a moment on.
contract LateFeeToken is SandboxToken {
    bool public isStarted;

    constructor() SandboxToken("Late", "LATE", 18) {}

    function start() external {
        isStarted = true;
    }

    function move(address from, address to, uint256 value) internal override {
        uint256 fee = isStarted ? value / 100 : 0;
        super.move(from, to, value - fee);
        super.move(from, address(0xfee), fee);
    }
}
