import type { Msats } from '../../lib/money/amount.ts'
import type { RewardView } from '../rewards/rewards.ts'

/** The maximum number of valid keys that one server can have. */
export const MAX_API_KEYS = 10
export const MAX_API_KEY_NAME = 40
/** The most days for which a key can be valid. */
export const MAX_API_KEY_DAYS = 365
export const MAX_WEBHOOK_URL = 500

/** The rights that a key can have: to give rewards, to ask about members, to receive events. */
export const API_KEY_SCOPES = ['rewards', 'members', 'events'] as const
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number]

/**
 * Keys with which programs act for a server. With a key, a program gives rewards as the key's owner, a moderator, would
 * with `/reward`: from the pool, within the moderator's budget, and subject to the server's approval limit. In any 24
 * hours, the rewards by a key are limited to the key's own budget, which the spending transaction checks.
 */
export interface ApiKeys {
  /** Makes a key. Only the first answer contains the key's secret; the book contains only a hash of the secret. */
  create(command: CreateApiKey): Promise<NewApiKey>
  /** Returns the server's keys, newest first. */
  list(guild: string): Promise<readonly ApiKeyView[]>
  /** Revokes a key immediately. A second call changes nothing. */
  revoke(decision: ApiKeyDecision): Promise<ApiKeyView>
  /**
   * Returns the key with this secret, and records its use; undefined if the key never existed, was revoked or has
   * expired.
   */
  find(secret: string): Promise<ApiKeyTerms | undefined>
  /**
   * Gives a reward, or reserves it until a moderator approves it. A repeated Idempotency-Key returns the same reward.
   */
  reward(command: RewardByKey): Promise<RewardView>
  /** Returns a reward that a key of this server gave. Throws TippingRefusal `not-there`. */
  rewardOf(guild: string, id: string): Promise<RewardView>
  /** Whether a member has linked a gamertag. */
  isLinked(member: string): Promise<boolean>
}

export interface CreateApiKey {
  readonly guild: string
  /** The channel in which the key's rewards are shown. */
  readonly channel: string
  readonly member: string
  readonly name: string
  readonly scopes: readonly ApiKeyScope[]
  /** The budget for 24 hours, as typed. Required for `rewards`. */
  readonly budget: string | undefined
  readonly days: number
  /** The address to which events are sent, as typed. Permitted only with the right `events`. */
  readonly webhook?: string | undefined
  /** The id of the command's interaction, so that the command makes only one key, however often it is delivered. */
  readonly interaction: string
}

export interface NewApiKey {
  readonly key: ApiKeyView
  /** The key's secret; undefined if an earlier delivery of the command made the key. */
  readonly secret: string | undefined
  /**
   * The secret that signs events for the key's webhook (`whsec_…`); undefined for a key without a webhook, and if
   * `secret` is undefined.
   */
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
  /** When deliveries began to fail; undefined if the last attempt succeeded. */
  readonly failingSince: Date | undefined
  /** When the bot stopped trying to deliver events; undefined if it has not. */
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
  /** Returns a moderator's roles in the server; undefined if the member may no longer give rewards. */
  moderator(guild: string, member: string): Promise<readonly string[] | undefined>
  /** Returns whether a person is a bot, and their roles; undefined if the person is not a member. */
  person(
    guild: string,
    member: string,
  ): Promise<{ readonly bot: boolean; readonly roles: readonly string[] } | undefined>
  /** Returns the server's language. */
  localeOf(guild: string): string
}
