import type { Msats } from '../../lib/money/amount.ts'
import type { RewardView } from '../rewards/rewards.ts'

/** A server may have so many keys that still work. */
export const MAX_API_KEYS = 10
export const MAX_API_KEY_NAME = 40
/** How long a key works, in days. */
export const MAX_API_KEY_DAYS = 365
export const MAX_WEBHOOK_URL = 500

/** Rights of a key: give rewards, ask about members, hear of what happens. */
export const API_KEY_SCOPES = ['rewards', 'members', 'events'] as const
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number]

/**
 * Keys with which programs act for a server. A key gives rewards as the moderator who made it would with `/reward`: from the pool,
 * within the moderator's budget, with the server's approval limit. In any 24 hours it gives at most its own budget, which is checked
 * in the transaction that spends.
 */
export interface ApiKeys {
  /** Makes a key. Its secret is in the answer once; the book has only its hash. */
  create(command: CreateApiKey): Promise<NewApiKey>
  /** The server's own, newest first. */
  list(guild: string): Promise<readonly ApiKeyView[]>
  /** Ends a key at once. Doing it twice does nothing twice. */
  revoke(decision: ApiKeyDecision): Promise<ApiKeyView>
  /** The key behind a secret; undefined if it never existed, is revoked, or has expired. Notes that it was used. */
  find(secret: string): Promise<ApiKeyTerms | undefined>
  /** Gives a reward, or sets it aside until a moderator approves it. The same Idempotency-Key gives the same reward. */
  reward(command: RewardByKey): Promise<RewardView>
  /** A reward that a key of this server gave. Throws TippingRefusal `not-there`. */
  rewardOf(guild: string, id: string): Promise<RewardView>
  /** Whether a member has linked a gamertag. */
  isLinked(member: string): Promise<boolean>
}

export interface CreateApiKey {
  readonly guild: string
  /** Where its rewards are shown. */
  readonly channel: string
  readonly member: string
  readonly name: string
  readonly scopes: readonly ApiKeyScope[]
  /** In 24 hours, as typed; needed for `rewards`. */
  readonly budget: string | undefined
  readonly days: number
  /** Where events are sent, as typed; only with `events`. */
  readonly webhook?: string | undefined
  /** The command's, so it makes one key for any number of deliveries. */
  readonly interaction: string
}

export interface NewApiKey {
  readonly key: ApiKeyView
  /** Undefined if this very command made the key before. */
  readonly secret: string | undefined
  /** It signs the key's webhook (`whsec_…`). Undefined for a key without a webhook, and where `secret` is undefined. */
  readonly signingSecret: string | undefined
}

export interface ApiKeyDecision {
  readonly key: string
  readonly guild: string
  readonly member: string
}

/** A key's rights and limits, and whether it works. */
export interface ApiKeyTerms {
  readonly id: string
  readonly guild: string
  readonly channel: string
  readonly owner: string
  readonly name: string
  readonly scopes: readonly ApiKeyScope[]
  readonly budget: Msats
  readonly expiresAt: Date
  readonly lastUsedAt: Date | undefined
  readonly revokedBy: string | undefined
  readonly state: 'live' | 'expired' | 'revoked'
}

export interface ApiKeyView extends ApiKeyTerms {
  /** Of the budget, in the last 24 hours. */
  readonly spent: Msats
  readonly webhook: WebhookView | undefined
}

export interface WebhookView {
  readonly url: string
  /** Since when nothing could be delivered; undefined if the last attempt succeeded. */
  readonly failingSince: Date | undefined
  /** When the bot gave up. */
  readonly givenUpAt: Date | undefined
}

export interface RewardByKey {
  /** Its id. */
  readonly key: string
  readonly idempotencyKey: string
  /** The recipient's Discord id. */
  readonly to: string
  readonly amount: Msats
  readonly reason: string
  readonly people: PeopleOfServer
}

/** Discord's facts about people in a server, asked when they are needed. */
export interface PeopleOfServer {
  /** The roles of a moderator there; undefined if the member may not reward any more. */
  moderator(guild: string, member: string): Promise<readonly string[] | undefined>
  /** Undefined for somebody who is not a member. */
  person(
    guild: string,
    member: string,
  ): Promise<{ readonly bot: boolean; readonly roles: readonly string[] } | undefined>
  /** The language of the server. */
  localeOf(guild: string): string
}
