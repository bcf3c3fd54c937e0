"""The client of the bot: rewards for members, and events in a server. `npm run docs` makes this file from the OpenAPI document."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, TypedDict, Union

from .core import Answer, ApiClient, ApiFacts, Operation, StreamEvent


class Reward(TypedDict, total=False):
    """The fields of a Reward in an answer."""

    id: str
    # A member's Discord id.
    member: str
    # The amount. In millisatoshis.
    amountMsats: str
    # Whether the amounts are test sats, which are worth nothing.
    testMoney: bool
    reason: str
    # `given`: the member has it. `waiting`: it is above the approval limit, and a second moderator
    # decides. `unclaimed`: the member is new and has to claim it in Discord. `denied`, `returned`: it is
    # back in the pool. Only if the server's own wallet pays: `paying`: the wallet was asked to pay, and
    # has not proved that it did; `unpaid`: it paid nothing.
    state: str


class Member(TypedDict, total=False):
    """The fields of a Member in an answer."""

    # A member's Discord id.
    member: str
    # Whether it is a bot. Bots get no rewards.
    bot: bool
    # Whether they linked a gamertag, so that rewards go to their wallet.
    linked: bool


Event = TypedDict("Event", {
    "type": str,
    "at": str,
    "channel": Optional[str],
    "from": Optional[str],
    "to": Optional[str],
    "amountMsats": str,
    "testMoney": bool,
}, total=False)


class Leaderboard(TypedDict, total=False):
    """The fields of a Leaderboard in an answer."""

    # The server's Discord id.
    server: str
    # Whether the amounts are test sats, which are worth nothing.
    testMoney: bool
    period: str
    # ISO 8601, UTC.
    since: str
    # The top givers, the largest amount first.
    givers: List[Dict[str, Any]]
    # The top receivers, the largest amount first.
    getters: List[Dict[str, Any]]
    # The amount that newcomers have been given but have not claimed yet. Until they do, it counts only
    # for its givers. It does not include rewards. In millisatoshis.
    unclaimedMsats: str


class Stats(TypedDict, total=False):
    """The fields of a Stats in an answer."""

    # The server's Discord id.
    server: str
    # Whether the amounts are test sats, which are worth nothing.
    testMoney: bool
    period: str
    # ISO 8601, UTC.
    since: str
    # The total given. In millisatoshis.
    totalMsats: str
    # The number of tips, shares of drops and prizes.
    gifts: int
    # The number of people who gave.
    givers: int
    # The number of people who received.
    getters: int
    # The largest gift. In millisatoshis.
    largestMsats: str
    # The part of the total that newcomers have not claimed yet. In millisatoshis.
    unclaimedMsats: str
    # Hours, days or months, the oldest first.
    bars: List[Dict[str, Any]]


class Drops(TypedDict, total=False):
    """The fields of a Drops in an answer."""

    # The server's Discord id.
    server: str
    # Whether the amounts are test sats, which are worth nothing.
    testMoney: bool
    # The open drops, the newest first.
    drops: List[Dict[str, Any]]


_API = ApiFacts(header=("authorization", "Bearer "), has_envelope=False, proving_codes={"idempotency_conflict": 409, "discord_unreachable": 503, "too_many_readers": 503})

_OPERATIONS: Dict[str, Operation] = {
    "giveReward": Operation(name="giveReward", verb="POST", path="/api/v1/rewards", host="base", idempotent=False, query=[], has_body=True, needs={"id": "there", "amountMsats": "amount", "state": "there"}, amounts=["amountMsats"]),
    "readReward": Operation(name="readReward", verb="GET", path="/api/v1/rewards/{id}", host="base", idempotent=True, query=[], has_body=False, needs={"id": "there", "amountMsats": "amount", "state": "there"}, amounts=[]),
    "readMember": Operation(name="readMember", verb="GET", path="/api/v1/members/{member}", host="base", idempotent=True, query=[], has_body=False, needs={}, amounts=[]),
    "readEvents": Operation(name="readEvents", verb="GET", path="/api/v1/events", host="base", idempotent=True, query=[], has_body=False, needs={}, amounts=[]),
    "leaderboard": Operation(name="leaderboard", verb="GET", path="/api/v1/servers/{server}/leaderboard", host="base", idempotent=True, query=["period"], has_body=False, needs={"unclaimedMsats": "amount"}, amounts=[]),
    "stats": Operation(name="stats", verb="GET", path="/api/v1/servers/{server}/stats", host="base", idempotent=True, query=["period"], has_body=False, needs={"totalMsats": "amount", "largestMsats": "amount", "unclaimedMsats": "amount"}, amounts=[]),
    "drops": Operation(name="drops", verb="GET", path="/api/v1/servers/{server}/drops", host="base", idempotent=True, query=[], has_body=False, needs={}, amounts=[]),
}


class CommunityClient(ApiClient):
    """The client of the bot: rewards for members, and events in a server.

    Each method raises only ``PaymentsError``, whatever the server or the network does. Amounts are strings of
    millisatoshis: ``int(amount) // 1000`` is the amount in sats. Requests also accept an int.
    """

    _api = _API

    def give_reward(self, *, member: str, amount_msats: Union[str, int], reason: str, idempotency_key: Optional[str] = None) -> Answer[Reward]:
        """Pays a member from the server’s pool or wallet, as the moderator who made the key would with `/reward`.

        Above the server’s approval limit, the reward waits for a second moderator. A card in Discord shows it. Needs the scope `rewards`.

        member: The receiver's Discord id.
        amount_msats: The amount. In millisatoshis: 1 sat is 1000.
        reason: What it is for, at most 200 characters. Everybody in the server sees it.
        """
        return self._call(_OPERATIONS["giveReward"], {"member": member, "amountMsats": amount_msats, "reason": reason}, idempotency_key)

    def read_reward(self, *, id: str) -> Answer[Reward]:
        """Reads a reward that a key of this server gave.

        Needs the scope `rewards`.

        id: The id in the answer to Give a reward.
        """
        return self._call(_OPERATIONS["readReward"], {"id": id}, None)

    def read_member(self, *, member: str) -> Answer[Member]:
        """Says whether a person is a member of the server and has linked a gamertag.

        It reports no balance. Needs the scope `members`.

        member: A Discord id.
        """
        return self._call(_OPERATIONS["readMember"], {"member": member}, None)

    def read_events(self, *, after: Optional[str] = None) -> Iterator[StreamEvent]:
        """Streams server-sent events for tips, rewards, drops, giveaways and gifts to the pool, each within a second, in the order of the book.

        A reward or tip for a newcomer arrives when it is given, not when they claim it; a reward above the approval limit arrives when it is approved. The stream contains only events from channels that everybody in the server can see. A program that does not read is disconnected when 128 KiB wait for it. Needs the scope `events`.
        """
        return self._stream(_OPERATIONS["readEvents"], {}, after)

    def leaderboard(self, *, server: str, period: Optional[str] = None) -> Answer[Leaderboard]:
        """Returns the top ten givers and receivers.

        Neither list contains members who opted out of leaderboards in `/settings`.

        server: The server's Discord id.
        period: The period up to now: a day, 7 days, 30 days, 12 months.
        """
        return self._call(_OPERATIONS["leaderboard"], {"server": server, "period": period}, None)

    def stats(self, *, server: str, period: Optional[str] = None) -> Answer[Stats]:
        """Returns totals of tips, shares of drops and prizes, without names.

        A gift that went back to its giver does not count.

        server: The server's Discord id.
        period: The period up to now: a day, 7 days, 30 days, 12 months.
        """
        return self._call(_OPERATIONS["stats"], {"server": server, "period": period}, None)

    def drops(self, *, server: str) -> Answer[Drops]:
        """Lists the open drops in channels that everybody in the server can see.

        Members take shares in Discord, with the button under the drop.

        server: The server's Discord id.
        """
        return self._call(_OPERATIONS["drops"], {"server": server}, None)
