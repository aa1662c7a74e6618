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

/// Finds the cheapest route to buy an exact amount. It is never deployed: it exists for one `eth_call`, in which it queries
/// every pool that may be of use. A price therefore costs one round trip, however many pools there are.
contract SwapLens {
    /// A router of version 2 or 3. `fees`: version 3 only, the fees whose pools are queried. `codeHash`: a router with other
    /// code is skipped; zero accepts any code.
    struct Exchange {
        bool isV3;
        address router;
        uint24[] fees;
        bytes32 codeHash;
    }

    /// The zero address stands for the native coin. `connectors`: tokens that a route may pass through.
    struct Request {
        address sell;
        address buy;
        uint256 amount;
        address user;
        address[] connectors;
        Exchange[] exchanges;
    }

    /// A route and its price: tokens from the sold to the bought one, and for version 3 a fee for each hop. Without tokens
    /// there is no route, and a single token is wrapped or unwrapped. `probe`: the price of a thousandth of the amount, or of
    /// the amount itself if it is below 1000.
    struct Route {
        uint256 price;
        uint256 exchange;
        address[] tokens;
        uint24[] fees;
        uint256 probe;
    }

    /// Whether a token's transfers move exactly the amount they should.
    enum TransferBehaviour {
        Exact,
        TakesAFee,
        Fails,
        NoToken
    }

    struct Result {
        Route route;
        TransferBehaviour sell;
        TransferBehaviour buy;
        uint256 balance;
        uint256 allowance;
        uint256 timestamp;
        /// For each exchange, whether its router has no code or unexpected code.
        bool[] hasUnexpectedCode;
    }

    /// Gas limit of one hop: enough to cross more than a hundred ticks. It also ends transfers that would never end.
    uint256 private constant HOP_GAS = 3_000_000;
    uint256 private constant READ_GAS = 300_000;
    bytes32 private constant MARK = keccak256("SwapLens");

    /// The only pool that may call back.
    address private expectedPool;
    /// The token whose transfers are tested; zero if only the price is needed.
    address private testedToken;
    bool private isPair;

    function find(Request calldata request) external returns (Result memory result) {
        result.timestamp = block.timestamp;
        result.hasUnexpectedCode = new bool[](request.exchanges.length);
        for (uint256 i = 0; i < request.exchanges.length; i++) {
            result.hasUnexpectedCode[i] = hasUnexpectedCode(request.exchanges[i]);
            if (result.hasUnexpectedCode[i]) continue;
            Route memory route = cheapest(request, i);
            if (isBetter(route, result.route)) result.route = route;
        }
        if (result.route.tokens.length > 0) result.route.probe = probe(request, result.route);
        inspect(request, result);
    }

    function hasUnexpectedCode(Exchange calldata exchange) private view returns (bool) {
        if (exchange.router.code.length == 0) return true;
        return exchange.codeHash != 0 && exchange.codeHash != exchange.router.codehash;
    }

    // Routes. Costs grow with amounts, so the cheapest route from a token to the end does not depend on the hops before it.
    // Routes are therefore built backwards from the bought token, and no pool is queried for an amount that cannot be part of
    // the result.

    function cheapest(Request calldata request, uint256 index) private returns (Route memory best) {
        Exchange calldata exchange = request.exchanges[index];
        address sell = tokenOf(exchange, request.sell);
        Route memory end = Route(request.amount, index, new address[](1), new uint24[](0), 0);
        end.tokens[0] = tokenOf(exchange, request.buy);
        if (sell == address(0) || end.tokens[0] == address(0)) return best;
        // The native coin and its wrapped token.
        if (sell == end.tokens[0]) return end;
        // `one`, `two` and `three` are routes with this many hops; `one[i]` starts at connector i.
        Route[] memory one = new Route[](request.connectors.length);
        for (uint256 i = 0; i < one.length; i++)
            if (request.connectors[i] != sell) one[i] = extend(exchange, request.connectors[i], end);
        best = extend(exchange, sell, end);
        for (uint256 i = 0; i < one.length; i++) {
            Route memory route = extend(exchange, sell, one[i]);
            if (isBetter(route, best)) best = route;
        }
        for (uint256 i = 0; i < one.length; i++) {
            if (request.connectors[i] == sell) continue;
            Route memory two;
            for (uint256 j = 0; j < one.length; j++) {
                Route memory route = extend(exchange, request.connectors[i], one[j]);
                if (isBetter(route, two)) two = route;
            }
            Route memory three = extend(exchange, sell, two);
            if (isBetter(three, best)) best = three;
        }
    }

    function isBetter(Route memory route, Route memory than) private pure returns (bool) {
        return route.tokens.length > 0 && (than.tokens.length == 0 || route.price < than.price);
    }

    /// Extends a route by one token at its front, through the cheapest pool. Returns an empty route if the token is already
    /// part of it, or no pool has enough liquidity.
    function extend(Exchange calldata exchange, address from, Route memory rest)
        private
        returns (Route memory route)
    {
        uint256 length = rest.tokens.length;
        if (length == 0) return route;
        for (uint256 i = 0; i < length; i++) if (rest.tokens[i] == from) return route;
        (uint256 price, uint24 fee) = hop(exchange, from, rest.tokens[0], rest.price);
        if (price == 0) return route;
        route = Route(price, rest.exchange, new address[](length + 1), new uint24[](length), 0);
        route.tokens[0] = from;
        route.fees[0] = fee;
        for (uint256 i = 0; i < length; i++) {
            route.tokens[i + 1] = rest.tokens[i];
            if (i + 1 < length) route.fees[i + 1] = rest.fees[i];
        }
    }

    /// Finds the cheapest pool between two tokens for an exact amount of the second. Returns 0 if none has enough.
    function hop(Exchange calldata exchange, address from, address to, uint256 amount)
        private
        returns (uint256 best, uint24 fee)
    {
        if (!exchange.isV3) return (priceOfPair(exchange.router, from, to, amount), 0);
        address factory = factoryOf(exchange.router);
        for (uint256 i = 0; i < exchange.fees.length; i++) {
            address pool = poolOf(factory, from, to, exchange.fees[i]);
            uint256 price = priceOfPool(pool, from, to, amount);
            if (price != 0 && (best == 0 || price < best)) (best, fee) = (price, exchange.fees[i]);
        }
    }

    function priceOfPool(address pool, address from, address to, uint256 amount) private returns (uint256) {
        // A swap in a pool that holds less would run to the end of the price range, at the gas of ten successful swaps.
        (, uint256 held) = read(to, abi.encodeCall(IToken.balanceOf, (pool)));
        if (held < amount) return 0;
        (bool succeeded, uint256 price, uint256 bought, ) = swapInPool(pool, from < to, amount, address(0));
        return succeeded && bought == amount ? price : 0;
    }

    function priceOfPair(address router, address from, address to, uint256 amount) private view returns (uint256) {
        address[] memory path = new address[](2);
        path[0] = from;
        path[1] = to;
        // The router knows its pairs and their fees.
        try IRouter(router).getAmountsIn{gas: READ_GAS}(amount, path) returns (uint256[] memory amounts) {
            return amounts[0];
        } catch {
            return 0;
        }
    }

    /// The price of another amount by a known route. Returns 0 if a pool has too little liquidity.
    function priceOf(Request calldata request, Route memory route, uint256 amount) private returns (uint256 price) {
        Exchange calldata exchange = request.exchanges[route.exchange];
        address factory = exchange.isV3 ? factoryOf(exchange.router) : address(0);
        price = amount;
        for (uint256 i = route.fees.length; i > 0 && price > 0; i--) {
            (address from, address to) = (route.tokens[i - 1], route.tokens[i]);
            price = exchange.isV3
                ? priceOfPool(poolOf(factory, from, to, route.fees[i - 1]), from, to, price)
                : priceOfPair(exchange.router, from, to, price);
        }
    }

    function probe(Request calldata request, Route memory route) private returns (uint256 price) {
        uint256 divisor = request.amount < 1_000 ? 1 : 1_000;
        price = priceOf(request, route, request.amount / divisor);
        if (price == 0) price = route.price / divisor;
    }

    // Balances, allowances and transfer behaviour.

    function inspect(Request calldata request, Result memory result) private {
        Route memory route = result.route;
        Exchange calldata exchange = request.exchanges[route.exchange];
        if (request.sell == address(0)) {
            result.balance = request.user.balance;
        } else {
            bool isToken;
            (isToken, result.balance) = read(request.sell, abi.encodeCall(IToken.balanceOf, (request.user)));
            (, result.allowance) = read(request.sell, abi.encodeCall(IToken.allowance, (request.user, exchange.router)));
            result.sell = isToken ? transferBehaviourOf(exchange, route, true, route.price) : TransferBehaviour.NoToken;
        }
        if (request.buy == address(0)) return;
        (bool isBoughtToken, ) = read(request.buy, abi.encodeCall(IToken.balanceOf, (request.user)));
        result.buy = isBoughtToken ? transferBehaviourOf(exchange, route, false, request.amount) : TransferBehaviour.NoToken;
    }

    /// Tests the first or last token of a route: borrows some of it from the first or last pool, and sends it back.
    function transferBehaviourOf(Exchange calldata exchange, Route memory route, bool isSell, uint256 amount)
        private
        returns (TransferBehaviour)
    {
        uint256 hops = route.fees.length;
        if (hops == 0) return TransferBehaviour.Exact;
        address token = route.tokens[isSell ? 0 : hops];
        address other = route.tokens[isSell ? 1 : hops - 1];
        address factory = factoryOf(exchange.router);
        bool succeeded;
        uint256 owed;
        uint256 received;
        uint256 returned;
        if (exchange.isV3) {
            address pool = poolOf(factory, token, other, route.fees[isSell ? 0 : hops - 1]);
            (succeeded, owed, received, returned) = swapInPool(pool, other < token, amount, token);
            // The pool has none of the sold token to lend, so its transfers cannot be tested.
            if (!succeeded && isSell) return TransferBehaviour.Exact;
        } else {
            address pair = pairOf(factory, token, other);
            (, uint256 held) = read(token, abi.encodeCall(IToken.balanceOf, (pair)));
            if (isSell && amount > held / 2) amount = held / 2;
            (succeeded, owed, received, returned) = lendFromPair(pair, token < other, amount, token);
        }
        if (!succeeded) return TransferBehaviour.Fails;
        return received == owed && returned == received ? TransferBehaviour.Exact : TransferBehaviour.TakesAFee;
    }

    // Pools call back in the middle of a swap. The callback reverts with its findings, which undoes the swap.

    function swapInPool(address pool, bool zeroForOne, uint256 amount, address token)
        private
        returns (bool, uint256, uint256, uint256)
    {
        if (pool == address(0) || amount >= 1 << 255) return (false, 0, 0, 0);
        (expectedPool, testedToken, isPair) = (pool, token, false);
        // The limits of the price range, so that only the amount or the liquidity ends the swap.
        uint160 limit = zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
        return callUntilRevert(pool, abi.encodeCall(IPool.swap, (address(this), zeroForOne, -int256(amount), limit, "")));
    }

    function lendFromPair(address pair, bool isFirst, uint256 amount, address token)
        private
        returns (bool, uint256, uint256, uint256)
    {
        (expectedPool, testedToken, isPair) = (pair, token, true);
        (uint256 out0, uint256 out1) = isFirst ? (amount, uint256(0)) : (uint256(0), amount);
        return callUntilRevert(pair, abi.encodeCall(IPair.swap, (out0, out1, address(this), "lend")));
    }

    /// Each exchange names its callback differently, so a fallback function handles them all.
    fallback() external {
        require(msg.sender == expectedPool);
        uint256 paid;
        uint256 owed;
        if (isPair) {
            (, uint256 out0, uint256 out1) = abi.decode(msg.data[4:], (address, uint256, uint256));
            owed = out0 + out1;
        } else {
            (int256 delta0, int256 delta1) = abi.decode(msg.data[4:], (int256, int256));
            (paid, owed) = delta0 > 0 ? (uint256(delta0), uint256(-delta1)) : (uint256(delta1), uint256(-delta0));
        }
        if (testedToken == address(0)) revertWith(paid, owed, 0);
        (, uint256 received) = read(testedToken, abi.encodeCall(IToken.balanceOf, (address(this))));
        (, uint256 before) = read(testedToken, abi.encodeCall(IToken.balanceOf, (msg.sender)));
        (bool isSent, ) = testedToken.call(abi.encodeCall(IToken.transfer, (msg.sender, received)));
        (, uint256 afterwards) = read(testedToken, abi.encodeCall(IToken.balanceOf, (msg.sender)));
        revertWith(owed, received, isSent && afterwards > before ? afterwards - before : 0);
    }

    function revertWith(uint256 a, uint256 b, uint256 c) private pure {
        bytes memory words = abi.encode(MARK, a, b, c);
        assembly ("memory-safe") {
            revert(add(words, 32), 128)
        }
    }

    /// Makes a call that should end in `revertWith`. Reads at most its four words, whatever a token returns.
    function callUntilRevert(address target, bytes memory data) private returns (bool, uint256, uint256, uint256) {
        uint256[4] memory words;
        uint256 size;
        assembly ("memory-safe") {
            pop(call(HOP_GAS, target, 0, add(data, 32), mload(data), words, 128))
            size := returndatasize()
        }
        bool succeeded = size == 128 && bytes32(words[0]) == MARK;
        return (succeeded, words[1], words[2], words[3]);
    }

    // Reading.

    /// Reads a word from a contract. Returns false if there is no contract, or it returns less than a word.
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

    function pairOf(address factory, address a, address b) private view returns (address) {
        (, uint256 word) = read(factory, abi.encodeCall(IFactory.getPair, (a, b)));
        return address(uint160(word));
    }
}
