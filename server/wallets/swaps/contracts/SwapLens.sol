// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IRouter {
    function factory() external view returns (address);
    function WETH() external view returns (address);
    function WETH9() external view returns (address);
    function getAmountsIn(uint256 amountOut, address[] calldata path) external view returns (uint256[] memory);
}

interface IFactory {
    function getPair(address a, address b) external view returns (address);
    function getPool(address a, address b, uint24 fee) external view returns (address);
}

interface IPair {
    function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
}

interface IPool {
    function swap(address recipient, bool zeroForOne, int256 amount, uint160 priceLimit, bytes calldata data)
        external
        returns (int256, int256);
}

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function allowance(address owner, address spender) external view returns (uint256);
    function transfer(address to, uint256 value) external;
}

/// Looks for the cheapest way to buy an exact amount. It is never deployed: it lives for one `eth_call`, in which it asks every pool
/// that may be of use, so that a price costs one round trip however many pools there are.
contract SwapLens {
    /// A router of version 2 or 3, and for 3 the fees whose pools are asked. Of a router with another code than that, no pool is; zero: any.
    struct Exchange {
        bool isV3;
        address router;
        uint24[] fees;
        bytes32 codeHash;
    }

    /// The zero address is the chain's own coin.
    struct Ask {
        address sell;
        address buy;
        uint256 amount;
        address user;
        address[] connectors;
        Exchange[] exchanges;
    }

    /// What buying costs: tokens from the sold one to the bought one, and for version 3 a fee for each hop. No tokens: no way.
    struct Route {
        uint256 price;
        uint256 exchange;
        address[] tokens;
        uint24[] fees;
    }

    /// Whether a token's transfers do what they say.
    enum Conduct {
        Exact,
        TakesAFee,
        Fails,
        NoToken
    }

    struct Answer {
        Route route;
        Conduct sell;
        Conduct buy;
        uint256 balance;
        uint256 allowance;
        uint256 timestamp;
        /// Of each exchange whether its router is not what it should be.
        bool[] isOther;
    }

    /// One hop may cost this much: more than a hundred ticks. A token without end takes no more.
    uint256 private constant HOP_GAS = 3_000_000;
    uint256 private constant READ_GAS = 300_000;
    bytes32 private constant MARK = keccak256("SwapLens");

    /// The pool that may call back.
    address private expected;
    /// The token whose conduct is looked at; zero: only the price is asked.
    address private watched;
    bool private isPair;

    function find(Ask calldata ask) external returns (Answer memory answer) {
        answer.timestamp = block.timestamp;
        answer.isOther = new bool[](ask.exchanges.length);
        for (uint256 i = 0; i < ask.exchanges.length; i++) {
            answer.isOther[i] = isOther(ask.exchanges[i]);
            if (answer.isOther[i]) continue;
            Route memory route = cheapest(ask, ask.exchanges[i]);
            route.exchange = i;
            if (isBetter(route, answer.route)) answer.route = route;
        }
        look(ask, ask.exchanges[answer.route.exchange], answer);
    }

    function isOther(Exchange calldata exchange) private view returns (bool) {
        if (exchange.router.code.length == 0) return true;
        return exchange.codeHash != 0 && exchange.codeHash != exchange.router.codehash;
    }

    // Routes. Costs grow with amounts, so the cheapest way from a token on is the cheapest whatever comes before it: paths are put
    // together from their ends, and every pool is asked for no amount that cannot be of use.

    function cheapest(Ask calldata ask, Exchange calldata exchange) private returns (Route memory best) {
        address sell = tokenOf(exchange, ask.sell);
        Route memory end = Route(ask.amount, 0, new address[](1), new uint24[](0));
        end.tokens[0] = tokenOf(exchange, ask.buy);
        if (sell == address(0) || end.tokens[0] == address(0)) return best;
        Route[] memory one = new Route[](ask.connectors.length);
        for (uint256 i = 0; i < one.length; i++)
            if (ask.connectors[i] != sell) one[i] = extend(exchange, ask.connectors[i], end);
        best = extend(exchange, sell, end);
        for (uint256 i = 0; i < one.length; i++) {
            Route memory route = extend(exchange, sell, one[i]);
            if (isBetter(route, best)) best = route;
        }
        for (uint256 i = 0; i < one.length; i++) {
            if (ask.connectors[i] == sell) continue;
            Route memory two;
            for (uint256 j = 0; j < one.length; j++) {
                Route memory route = extend(exchange, ask.connectors[i], one[j]);
                if (isBetter(route, two)) two = route;
            }
            Route memory three = extend(exchange, sell, two);
            if (isBetter(three, best)) best = three;
        }
    }

    function isBetter(Route memory route, Route memory than) private pure returns (bool) {
        return route.tokens.length > 0 && (than.tokens.length == 0 || route.price < than.price);
    }

    /// The cheapest way from one token further out; none if it is on the way already, or no pool has enough.
    function extend(Exchange calldata exchange, address from, Route memory rest)
        private
        returns (Route memory route)
    {
        uint256 length = rest.tokens.length;
        if (length == 0) return route;
        for (uint256 i = 0; i < length; i++) if (rest.tokens[i] == from) return route;
        (uint256 price, uint24 fee) = hop(exchange, from, rest.tokens[0], rest.price);
        if (price == 0) return route;
        route = Route(price, 0, new address[](length + 1), new uint24[](length));
        route.tokens[0] = from;
        route.fees[0] = fee;
        for (uint256 i = 0; i < length; i++) {
            route.tokens[i + 1] = rest.tokens[i];
            if (i + 1 < length) route.fees[i + 1] = rest.fees[i];
        }
    }

    /// The cheapest pool between two tokens for an exact amount of the second; 0 if none has enough.
    function hop(Exchange calldata exchange, address from, address to, uint256 amount)
        private
        returns (uint256 best, uint24 fee)
    {
        if (!exchange.isV3) return (priceOfPair(exchange.router, from, to, amount), 0);
        address factory = factoryOf(exchange.router);
        for (uint256 i = 0; i < exchange.fees.length; i++) {
            address pool = poolOf(factory, from, to, exchange.fees[i]);
            // A pool that holds less would be walked to the end of all prices, which costs as much gas as ten searches.
            (, uint256 held) = read(to, abi.encodeCall(IToken.balanceOf, (pool)));
            if (held < amount) continue;
            (bool isTold, uint256 price, uint256 bought, ) = swapInPool(pool, from < to, amount, address(0));
            if (isTold && bought == amount && (best == 0 || price < best)) (best, fee) = (price, exchange.fees[i]);
        }
    }

    function priceOfPair(address router, address from, address to, uint256 amount) private view returns (uint256) {
        address[] memory path = new address[](2);
        path[0] = from;
        path[1] = to;
        // The router knows its pairs and what they charge.
        try IRouter(router).getAmountsIn{gas: READ_GAS}(amount, path) returns (uint256[] memory amounts) {
            return amounts[0];
        } catch {
            return 0;
        }
    }

    // Means and conduct.

    function look(Ask calldata ask, Exchange calldata exchange, Answer memory answer) private {
        if (ask.sell == address(0)) {
            answer.balance = ask.user.balance;
        } else {
            bool isToken;
            (isToken, answer.balance) = read(ask.sell, abi.encodeCall(IToken.balanceOf, (ask.user)));
            (, answer.allowance) = read(ask.sell, abi.encodeCall(IToken.allowance, (ask.user, exchange.router)));
            answer.sell = isToken ? conduct(exchange, answer.route, true, answer.route.price) : Conduct.NoToken;
        }
        if (ask.buy == address(0)) return;
        (bool isToo, ) = read(ask.buy, abi.encodeCall(IToken.balanceOf, (ask.user)));
        answer.buy = isToo ? conduct(exchange, answer.route, false, ask.amount) : Conduct.NoToken;
    }

    /// The pool at that end of the route sends some of the token here, and it is sent back.
    function conduct(Exchange calldata exchange, Route memory route, bool isSell, uint256 amount)
        private
        returns (Conduct)
    {
        uint256 hops = route.fees.length;
        if (hops == 0) return Conduct.Exact;
        address token = route.tokens[isSell ? 0 : hops];
        address other = route.tokens[isSell ? 1 : hops - 1];
        address factory = factoryOf(exchange.router);
        bool isTold;
        uint256 owed;
        uint256 received;
        uint256 returned;
        if (exchange.isV3) {
            address pool = poolOf(factory, token, other, route.fees[isSell ? 0 : hops - 1]);
            (isTold, owed, received, returned) = swapInPool(pool, other < token, amount, token);
            // Nobody sells there what the user wants to sell: then there is nothing to look at.
            if (!isTold && isSell) return Conduct.Exact;
        } else {
            address pair = IFactory(factory).getPair(token, other);
            (, uint256 held) = read(token, abi.encodeCall(IToken.balanceOf, (pair)));
            if (isSell && amount > held / 2) amount = held / 2;
            (isTold, owed, received, returned) = lendFromPair(pair, token < other, amount, token);
        }
        if (!isTold) return Conduct.Fails;
        return received == owed && returned == received ? Conduct.Exact : Conduct.TakesAFee;
    }

    // Pools call back in the middle of a swap. The callback reverts with what it has learned, which undoes the swap.

    function swapInPool(address pool, bool zeroForOne, uint256 amount, address token)
        private
        returns (bool, uint256, uint256, uint256)
    {
        if (pool == address(0) || amount >= 1 << 255) return (false, 0, 0, 0);
        (expected, watched, isPair) = (pool, token, false);
        // The ends of the range of prices: the swap ends with the amount, or with the liquidity.
        uint160 limit = zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
        return told(pool, abi.encodeCall(IPool.swap, (address(this), zeroForOne, -int256(amount), limit, "")));
    }

    function lendFromPair(address pair, bool isFirst, uint256 amount, address token)
        private
        returns (bool, uint256, uint256, uint256)
    {
        (expected, watched, isPair) = (pair, token, true);
        (uint256 out0, uint256 out1) = isFirst ? (amount, uint256(0)) : (uint256(0), amount);
        return told(pair, abi.encodeCall(IPair.swap, (out0, out1, address(this), "lend")));
    }

    /// Every exchange has a name of its own for its callback.
    fallback() external {
        require(msg.sender == expected);
        uint256 paid;
        uint256 owed;
        if (isPair) {
            (, uint256 out0, uint256 out1) = abi.decode(msg.data[4:], (address, uint256, uint256));
            owed = out0 + out1;
        } else {
            (int256 delta0, int256 delta1) = abi.decode(msg.data[4:], (int256, int256));
            (paid, owed) = delta0 > 0 ? (uint256(delta0), uint256(-delta1)) : (uint256(delta1), uint256(-delta0));
        }
        if (watched == address(0)) tell(paid, owed, 0);
        (, uint256 received) = read(watched, abi.encodeCall(IToken.balanceOf, (address(this))));
        (, uint256 before) = read(watched, abi.encodeCall(IToken.balanceOf, (msg.sender)));
        (bool isSent, ) = watched.call(abi.encodeCall(IToken.transfer, (msg.sender, received)));
        (, uint256 afterwards) = read(watched, abi.encodeCall(IToken.balanceOf, (msg.sender)));
        tell(owed, received, isSent && afterwards > before ? afterwards - before : 0);
    }

    function tell(uint256 a, uint256 b, uint256 c) private pure {
        bytes memory words = abi.encode(MARK, a, b, c);
        assembly ("memory-safe") {
            revert(add(words, 32), 128)
        }
    }

    /// Calls what is to end in `tell`. No more than its four words are read, whatever a token answers.
    function told(address target, bytes memory data) private returns (bool, uint256, uint256, uint256) {
        uint256[4] memory words;
        uint256 size;
        assembly ("memory-safe") {
            pop(call(HOP_GAS, target, 0, add(data, 32), mload(data), words, 128))
            size := returndatasize()
        }
        bool isTold = size == 128 && bytes32(words[0]) == MARK;
        return (isTold, words[1], words[2], words[3]);
    }

    // Reading.

    /// A word from a contract; false if there is none, or it answers none.
    function read(address target, bytes memory data) private view returns (bool isRead, uint256 word) {
        assembly ("memory-safe") {
            mstore(0, 0)
            isRead := staticcall(READ_GAS, target, add(data, 32), mload(data), 0, 32)
            isRead := and(isRead, gt(returndatasize(), 31))
            if isRead {
                word := mload(0)
            }
        }
    }

    function tokenOf(Exchange calldata exchange, address currency) private view returns (address) {
        if (currency != address(0)) return currency;
        bytes memory data = exchange.isV3 ? abi.encodeCall(IRouter.WETH9, ()) : abi.encodeCall(IRouter.WETH, ());
        (, uint256 word) = read(exchange.router, data);
        return address(uint160(word));
    }

    function factoryOf(address router) private view returns (address) {
        (, uint256 word) = read(router, abi.encodeCall(IRouter.factory, ()));
        return address(uint160(word));
    }

    function poolOf(address factory, address a, address b, uint24 fee) private view returns (address) {
        (, uint256 word) = read(factory, abi.encodeCall(IFactory.getPool, (a, b, fee)));
        return address(uint160(word));
    }
}
