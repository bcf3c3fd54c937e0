import type { Msats } from '../../lib/money/amount.ts'
import type { RewardView } from '../rewards/rewards.ts'

/** The most valid keys of one server. */
export const MAX_API_KEYS = 10
export const MAX_API_KEY_NAME = 40
/** How many days a key is valid. */
export const MAX_API_KEY_DAYS = 365
export const MAX_WEBHOOK_URL = 500

/** A key's rights: give rewards, ask about members, receive events. */
export const API_KEY_SCOPES = ['rewards', 'members', 'events'] as const
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number]

/**
 * Keys with which programs act for a server. A key gives rewards as its moderator would with `/reward`: from the pool,
 * within the moderator's budget, with the server's approval limit. In any 24 hours it gives at most its own budget,
 * which the spending transaction checks.
 */
export interface ApiKeys {
  /** Makes a key. The answer contains its secret once; the book contains only its hash. */
  create(command: CreateApiKey): Promise<NewApiKey>
  /** Returns the server's keys, newest first. */
  list(guild: string): Promise<readonly ApiKeyView[]>
  /** Revokes a key immediately. A second call changes nothing. */
  revoke(decision: ApiKeyDecision): Promise<ApiKeyView>
  /** Returns the key of a secret; undefined if it never existed, is revoked, or has expired. Notes its use. */
  find(secret: string): Promise<ApiKeyTerms | undefined>
  /** Gives a reward, or reserves it until a moderator approves it. The same Idempotency-Key gives the same reward. */
  reward(command: RewardByKey): Promise<RewardView>
  /** Returns a reward that a key of this server gave. Throws TippingRefusal `not-there`. */
  rewardOf(guild: string, id: string): Promise<RewardView>
  /** Whether a member has linked a gamertag. */
  isLinked(member: string): Promise<boolean>
}

export interface CreateApiKey {
  readonly guild: string
  /** The channel in which its rewards are shown. */
  readonly channel: string
  readonly member: string
  readonly name: string
  readonly scopes: readonly ApiKeyScope[]
  /** The budget for 24 hours, as typed. Required for `rewards`. */
  readonly budget: string | undefined
  readonly days: number
  /** Where events are sent, as typed. Only with `events`. */
  readonly webhook?: string | undefined
  /** The command's interaction, so that it makes one key however often it is delivered. */
  readonly interaction: string
}

export interface NewApiKey {
  readonly key: ApiKeyView
  /** Undefined if this same command already made the key. */
  readonly secret: string | undefined
  /** Signs the key's webhook (`whsec_…`). Undefined for a key without a webhook, and if `secret` is undefined. */
  readonly signingSecret: string | undefined
}

export interface ApiKeyDecision {
  readonly key: string
  readonly guild: string
  readonly member: string
}

/** A key's rights and limits, and whether it is valid. */
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
  /** The part of the budget spent in the last 24 hours. */
  readonly spent: Msats
  readonly webhook: WebhookView | undefined
}

export interface WebhookView {
  readonly url: string
  /** Since when deliveries fail; undefined if the last attempt succeeded. */
  readonly failingSince: Date | undefined
  /** When the bot gave up. */
  readonly givenUpAt: Date | undefined
}

export interface RewardByKey {
  /** The key's id. */
  readonly key: string
  readonly idempotencyKey: string
  /** The recipient's Discord id. */
  readonly to: string
  readonly amount: Msats
  readonly reason: string
  readonly people: PeopleOfServer
}

/** Discord's facts about people in a server, which are requested when needed. */
export interface PeopleOfServer {
  /** Returns a moderator's roles there; undefined if the member may no longer give rewards. */
  moderator(guild: string, member: string): Promise<readonly string[] | undefined>
  /** Returns a person; undefined if they are not a member. */
  person(
    guild: string,
    member: string,
  ): Promise<{ readonly bot: boolean; readonly roles: readonly string[] } | undefined>
  /** Returns the server's language. */
  localeOf(guild: string): string
}
