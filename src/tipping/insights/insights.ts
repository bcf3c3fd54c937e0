import type { Msats } from '../../lib/money/amount.ts'
import type { PuzzleKind } from '../drops/drops.ts'
import type { ModerationAction } from '../engine/moderation-log/log-moderation.ts'
import type { ServerPreferences } from '../engine/preferences/preferences.ts'
import type { SpendingKind } from '../engine/spending/spending.ts'

/**
 * Servers' figures for gifts (tips, drops' shares, prizes), open drops and moderation logs. Sums that went back to
 * their giver are not counted.
 */
export interface Insights {
  leaderboard(guild: string, span: Span): Promise<LeaderboardView>
  stats(guild: string, span: Span): Promise<StatsView>
  /** Returns a server's open drops, newest first, at most 25, without drops in channels that may not be shown. */
  drops(guild: string, isShown: (channel: string) => boolean): Promise<readonly OpenDrop[]>
  /** Returns the newest entries of a server's moderation log, at most `most`, newest first. */
  changes(guild: string, most: number): Promise<readonly ServerChange[]>
  /**
   * Returns a page of a server's anonymous tips with their givers, newest first, for the server's moderators. Pages are
   * counted from 0.
   */
  anonymousTips(guild: string, page: number): Promise<AnonymousTipsPage>
  /** Returns a week's or month's figures for a card. Throws TippingRefusal `not-there`. */
  recap(id: string): Promise<RecapView>
  /** Returns the entry that a card in the moderation log's channel shows. Throws TippingRefusal `not-there`. */
  changeOfCard(record: string): Promise<ServerChange>
}

/** A server's gifts in a week or a month. Nobody is ranked by the sums that they received. */
export interface RecapView {
  readonly kind: 'week' | 'month'
  readonly gifts: number
  readonly amount: Msats
  /** The sum of the pool's gifts, which `amount` does not include. */
  readonly pool: Msats
  /** The number of newcomers who claimed their first sats in this server. */
  readonly newcomers: number
  /** The most frequent pairs of giver and recipient. */
  readonly thanks: readonly { readonly from: string; readonly to: string; readonly count: number }[]
  /** The givers who gave on the most days in a row. */
  readonly streaks: readonly { readonly member: string; readonly days: number }[]
  /** The days, each with midnight UTC of its date and the sum that people gave on that day. */
  readonly days: readonly { readonly from: Date; readonly amount: Msats }[]
}

export interface AnonymousTipsPage {
  readonly tips: readonly AnonymousTip[]
  /** Whether there are older tips. */
  readonly isMore: boolean
}

export interface AnonymousTip {
  readonly from: string
  readonly to: readonly string[]
  readonly total: Msats
  readonly note: string
  readonly at: Date
}

/** An entry of a server's moderation log. */
export interface ServerChange {
  readonly at: Date
  /** The member who acted; undefined if Satchel acted automatically. */
  readonly member: string | undefined
  readonly action: ModerationAction
  readonly amount: Msats | undefined
  /** The recipient. */
  readonly to: string | undefined
  /** The owner of a record that a moderator ended. */
  readonly of: string | undefined
  /** The kind of gift that the pool gave or got back; undefined if the pool gave a reward to one person. */
  readonly gift: SpendingKind | undefined
  readonly role: string | undefined
  /** The name of the API key that acted, or that was created or revoked. */
  readonly apiKey: string | undefined
  readonly reason: string | undefined
  /** The changed settings with their new values. An undefined value stands for the operator's own setting. */
  readonly settings: Partial<ServerPreferences>
}

/** The spans of figures: the last 24 hours, 7 days, 30 days or 12 months. */
export const SPANS = ['day', 'week', 'month', 'year'] as const
export type Span = (typeof SPANS)[number]

/** The givers and receivers of the largest sums, ten of each, largest first, without members who opted out. */
export interface LeaderboardView {
  readonly since: Date
  readonly tippers: readonly Ranked[]
  readonly receivers: readonly Ranked[]
  /**
   * The sum of the gifts that newcomers have not claimed yet. These gifts count for their givers now, and for their
   * receivers after the claim. Rewards are excluded, because they count for nobody until they are claimed.
   */
  readonly unclaimed: Msats
}

export interface Ranked {
  readonly member: string
  readonly amount: Msats
}

export interface StatsView {
  readonly since: Date
  /** The bars, one for each hour, day or month (UTC), oldest first. */
  readonly bars: readonly StatsBar[]
  readonly total: Msats
  readonly gifts: number
  /** The number of different givers. */
  readonly tippers: number
  readonly receivers: number
  /** The part of the total that newcomers have not claimed yet. Newcomers become receivers when they claim. */
  readonly unclaimed: Msats
  readonly largest: Msats
}

export interface StatsBar {
  readonly from: Date
  readonly amount: Msats
  readonly gifts: number
}

export interface OpenDrop {
  readonly id: string
  readonly channel: string
  /** The member who started the drop; undefined if that member opted out of being named. */
  readonly member: string | undefined
  readonly share: Msats
  readonly shares: number
  readonly claimed: number
  readonly draw: boolean
  readonly puzzle: PuzzleKind | undefined
  readonly closesAt: Date
}
