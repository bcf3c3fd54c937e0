/** The client of the bot: rewards for members, and events in a server. `npm run docs` makes this file from the OpenAPI document. */
import { ApiClient, type ApiFacts, type ClientOptions, type OperationOfApi } from '../api-client.ts'
import type { ApiAnswer, CallOptions } from '../call.ts'
import type { StreamEvent, StreamOptions } from '../event-stream.ts'

/** An amount in millisatoshis, as a string of digits. `BigInt(amount) / 1000n` is the amount in sats. */
export type Msats = string

export interface GiveRewardInput {
  /** The receiver's Discord id. */
  readonly member: string
  /** The amount. In millisatoshis: 1 sat is 1000. */
  readonly amountMsats: Msats | bigint
  /** What it is for, at most 200 characters. Everybody in the server sees it. */
  readonly reason: string
}

export interface Reward {
  readonly id: string
  /** A member's Discord id. */
  readonly member: string
  /** The amount. In millisatoshis. */
  readonly amountMsats: Msats
  /** Whether the amounts are test sats, which are worth nothing. */
  readonly testMoney: boolean
  readonly reason: string
  /** `given`: the member has it. `waiting`: it is above the approval limit, and a second moderator decides. `unclaimed`: the member is new and has to claim it in Discord. `denied`, `returned`: it is back in the pool. Only if the server's own wallet pays: `paying`: the wallet was asked to pay, and has not proved that it did; `unpaid`: it paid nothing. */
  readonly state: "given" | "waiting" | "paying" | "unclaimed" | "denied" | "returned" | "unpaid"
}

export interface ReadRewardInput {
  /** The id in the answer to Give a reward. */
  readonly id: string
}

export interface ReadMemberInput {
  /** A Discord id. */
  readonly member: string
}

export interface Member {
  /** A member's Discord id. */
  readonly member: string
  /** Whether it is a bot. Bots get no rewards. */
  readonly bot: boolean
  /** Whether they linked a gamertag, so that rewards go to their wallet. */
  readonly linked: boolean
}

export interface Event {
  /** Also the name of the event. */
  readonly type: "tip" | "reward" | "drop" | "giveaway" | "pool-gift"
  /** ISO 8601, UTC. */
  readonly at: string
  /** The channel's Discord id; null if it belongs to no channel. */
  readonly channel: string | null
  /** Who gave; null for the pool, for an anonymous tip, and for members who opted out of being named. */
  readonly from: string | null
  /** Who received it; null while nobody has, and for members who opted out of being named. */
  readonly to: string | null
  /** The amount; of a drop or a giveaway, the whole amount. In millisatoshis. */
  readonly amountMsats: Msats
  /** Whether the amounts are test sats, which are worth nothing. */
  readonly testMoney: boolean
}

export interface LeaderboardInput {
  /** The server's Discord id. */
  readonly server: string
  /** The period up to now: a day, 7 days, 30 days, 12 months. */
  readonly period?: "day" | "week" | "month" | "year" | undefined
}

export interface Leaderboard {
  /** The server's Discord id. */
  readonly server: string
  /** Whether the amounts are test sats, which are worth nothing. */
  readonly testMoney: boolean
  readonly period: "day" | "week" | "month" | "year"
  /** ISO 8601, UTC. */
  readonly since: string
  /** The top givers, the largest amount first. */
  readonly givers: readonly {
    /** A member's Discord id. */
    readonly member: string
    /** The amount given or received. In millisatoshis. */
    readonly amountMsats: Msats
  }[]
  /** The top receivers, the largest amount first. */
  readonly getters: readonly {
    /** A member's Discord id. */
    readonly member: string
    /** The amount given or received. In millisatoshis. */
    readonly amountMsats: Msats
  }[]
  /** The amount that newcomers have been given but have not claimed yet. Until they do, it counts only for its givers. It does not include rewards. In millisatoshis. */
  readonly unclaimedMsats: Msats
}

export interface StatsInput {
  /** The server's Discord id. */
  readonly server: string
  /** The period up to now: a day, 7 days, 30 days, 12 months. */
  readonly period?: "day" | "week" | "month" | "year" | undefined
}

export interface Stats {
  /** The server's Discord id. */
  readonly server: string
  /** Whether the amounts are test sats, which are worth nothing. */
  readonly testMoney: boolean
  readonly period: "day" | "week" | "month" | "year"
  /** ISO 8601, UTC. */
  readonly since: string
  /** The total given. In millisatoshis. */
  readonly totalMsats: Msats
  /** The number of tips, shares of drops and prizes. */
  readonly gifts: number
  /** The number of people who gave. */
  readonly givers: number
  /** The number of people who received. */
  readonly getters: number
  /** The largest gift. In millisatoshis. */
  readonly largestMsats: Msats
  /** The part of the total that newcomers have not claimed yet. In millisatoshis. */
  readonly unclaimedMsats: Msats
  /** Hours, days or months, the oldest first. */
  readonly bars: readonly {
    /** ISO 8601, UTC. */
    readonly from: string
    /** The amount given. In millisatoshis. */
    readonly amountMsats: Msats
    /** The number of gifts. */
    readonly gifts: number
  }[]
}

export interface DropsInput {
  /** The server's Discord id. */
  readonly server: string
}

export interface Drops {
  /** The server's Discord id. */
  readonly server: string
  /** Whether the amounts are test sats, which are worth nothing. */
  readonly testMoney: boolean
  /** The open drops, the newest first. */
  readonly drops: readonly {
    readonly id: string
    /** The channel's Discord id. */
    readonly channel: string
    /** The giver; null if they opted out of being named. */
    readonly member: string | null
    /** The amount of each share. In millisatoshis. */
    readonly shareMsats: Msats
    /** The number of shares. */
    readonly shares: number
    /** The number of taken shares. */
    readonly taken: number
    /** Whether everybody can enter, and a draw at the end decides. */
    readonly drawn: boolean
    /** The puzzle to solve first. */
    readonly puzzle: "phrase" | "sum" | "trivia" | null
    /** ISO 8601, UTC. */
    readonly closesAt: string
  }[]
}

const api: ApiFacts = { authorization: (apiKey) => ({ authorization: `Bearer ${apiKey}` }), hasEnvelope: false, provingCodes: {"idempotency_conflict":409,"discord_unreachable":503,"too_many_readers":503} }

const operations = {
  giveReward: {"facts":{"name":"giveReward","verb":"POST","path":"/api/v1/rewards","host":"base","idempotent":false},"query":[],"hasBody":true,"needs":{"id":"there","amountMsats":"amount","state":"there"}},
  readReward: {"facts":{"name":"readReward","verb":"GET","path":"/api/v1/rewards/{id}","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{"id":"there","amountMsats":"amount","state":"there"}},
  readMember: {"facts":{"name":"readMember","verb":"GET","path":"/api/v1/members/{member}","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{}},
  readEvents: {"facts":{"name":"readEvents","verb":"GET","path":"/api/v1/events","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{}},
  leaderboard: {"facts":{"name":"leaderboard","verb":"GET","path":"/api/v1/servers/{server}/leaderboard","host":"base","idempotent":true},"query":["period"],"hasBody":false,"needs":{"unclaimedMsats":"amount"}},
  stats: {"facts":{"name":"stats","verb":"GET","path":"/api/v1/servers/{server}/stats","host":"base","idempotent":true},"query":["period"],"hasBody":false,"needs":{"totalMsats":"amount","largestMsats":"amount","unclaimedMsats":"amount"}},
  drops: {"facts":{"name":"drops","verb":"GET","path":"/api/v1/servers/{server}/drops","host":"base","idempotent":true},"query":[],"hasBody":false,"needs":{}},
} as const satisfies Record<string, OperationOfApi>

/** The client of the bot: rewards for members, and events in a server. Each method throws only `PaymentsError`, whatever the server or the network does. */
export class CommunityClient extends ApiClient {
  constructor(options: ClientOptions) {
    super(options, api)
  }

  /**
   * Pays a member from the server’s pool or wallet, as the moderator who made the key would with `/reward`. Above the server’s approval limit, the reward waits for a second moderator. A card in Discord shows it. Needs the scope `rewards`.
   *
   * Send an `idempotencyKey` of your own, so that a repeated request is carried out only once.
   */
  giveReward(input: GiveRewardInput, options: CallOptions = {}): Promise<ApiAnswer<Reward>> {
    return this.call(operations.giveReward, input, options)
  }

  /** Reads a reward that a key of this server gave. Needs the scope `rewards`. */
  readReward(input: ReadRewardInput, options: CallOptions = {}): Promise<ApiAnswer<Reward>> {
    return this.call(operations.readReward, input, options)
  }

  /** Says whether a person is a member of the server and has linked a gamertag. It reports no balance. Needs the scope `members`. */
  readMember(input: ReadMemberInput, options: CallOptions = {}): Promise<ApiAnswer<Member>> {
    return this.call(operations.readMember, input, options)
  }

  /** Streams server-sent events for tips, rewards, drops, giveaways and gifts to the pool, each within a second, in the order of the book. A reward or tip for a newcomer arrives when it is given, not when they claim it; a reward above the approval limit arrives when it is approved. The stream contains only events from channels that everybody in the server can see. A program that does not read is disconnected when 128 KiB wait for it. Needs the scope `events`. */
  readEvents(options: StreamOptions = {}): AsyncGenerator<StreamEvent<Event>, void, undefined> {
    return this.stream(operations.readEvents, {}, options)
  }

  /** Returns the top ten givers and receivers. Neither list contains members who opted out of leaderboards in `/settings`. */
  leaderboard(input: LeaderboardInput, options: CallOptions = {}): Promise<ApiAnswer<Leaderboard>> {
    return this.call(operations.leaderboard, input, options)
  }

  /** Returns totals of tips, shares of drops and prizes, without names. A gift that went back to its giver does not count. */
  stats(input: StatsInput, options: CallOptions = {}): Promise<ApiAnswer<Stats>> {
    return this.call(operations.stats, input, options)
  }

  /** Lists the open drops in channels that everybody in the server can see. Members take shares in Discord, with the button under the drop. */
  drops(input: DropsInput, options: CallOptions = {}): Promise<ApiAnswer<Drops>> {
    return this.call(operations.drops, input, options)
  }
}
