import type { Msats } from '../../lib/money/amount.ts'
import type { PuzzleKind } from '../drops/drops.ts'
import type { ModerationAction } from '../engine/moderation-log/log-moderation.ts'
import type { ServerPreferences } from '../engine/preferences/preferences.ts'
import type { SpendingKind } from '../engine/spending/spending.ts'

/** A server's figures for gifts: tips, drops' shares, prizes. Sums that went back to their giver are not counted. */
export interface Insights {
  leaderboard(guild: string, span: Span): Promise<LeaderboardView>
  stats(guild: string, span: Span): Promise<StatsView>
  /** Returns a server's open drops in channels that may be shown, newest first, at most 25. */
  drops(guild: string, isShown: (channel: string) => boolean): Promise<readonly OpenDrop[]>
  /** Returns changes in a server with their authors: settings, pool, rules, and ended records; newest first. */
  changes(guild: string, most: number): Promise<readonly ServerChange[]>
  /** Returns the givers of a server's anonymous tips for its moderators, newest first. Pages count from 0. */
  anonymousTips(guild: string, page: number): Promise<AnonymousTipsPage>
  /** Returns a week's or month's figures for a card. Throws TippingRefusal `not-there`. */
  recap(id: string): Promise<RecapView>
  /** Returns the entry that a card in the log's channel shows. Throws TippingRefusal `not-there`. */
  changeOfCard(record: string): Promise<ServerChange>
}

/** A server's gifts of a week or a month. Nobody is ranked by what they received. */
export interface RecapView {
  readonly kind: 'week' | 'month'
  readonly gifts: number
  readonly amount: Msats
  /** The pool's gifts, which the sum does not include. */
  readonly pool: Msats
  /** The number of people who claimed their first sats here. */
  readonly newcomers: number
  /** The most frequent pairs of giver and recipient. */
  readonly thanks: readonly { readonly from: string; readonly to: string; readonly count: number }[]
  /** The givers with the most days in a row. */
  readonly streaks: readonly { readonly member: string; readonly days: number }[]
  /** For each day, midnight UTC of its date, and what people gave on it. */
  readonly days: readonly { readonly from: Date; readonly amount: Msats }[]
}

export interface AnonymousTipsPage {
  readonly tips: readonly AnonymousTip[]
  /** Whether there are older ones. */
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
  /** Who did it; undefined if Satchel acted automatically. */
  readonly member: string | undefined
  readonly action: ModerationAction
  readonly amount: Msats | undefined
  /** The recipient. */
  readonly to: string | undefined
  /** The owner of a record that a moderator ended. */
  readonly of: string | undefined
  /** The kind of gift that the pool gave or gets back; undefined for a reward for one person that it gave. */
  readonly gift: SpendingKind | undefined
  readonly role: string | undefined
  /** The name of the API key that did it, or that was made or revoked. */
  readonly apiKey: string | undefined
  readonly reason: string | undefined
  /** The changed settings with their values; undefined: the operator's own. */
  readonly settings: Partial<ServerPreferences>
}

/** The last 24 hours, 7 days, 30 days, 12 months. */
export const SPANS = ['day', 'week', 'month', 'year'] as const
export type Span = (typeof SPANS)[number]

/** Largest sums first, ten of each, without members who opted out. */
export interface LeaderboardView {
  readonly since: Date
  readonly tippers: readonly Ranked[]
  readonly receivers: readonly Ranked[]
  /**
   * Gifts to newcomers who have not claimed them yet. They count for their givers now, and for their receivers after
   * the claim. Rewards are excluded, because they count for nobody until they are claimed.
   */
  readonly unclaimed: Msats
}

export interface Ranked {
  readonly member: string
  readonly amount: Msats
}

export interface StatsView {
  readonly since: Date
  /** Hours, days or months (UTC), oldest first. */
  readonly bars: readonly StatsBar[]
  readonly total: Msats
  readonly gifts: number
  /** The number of different givers. */
  readonly tippers: number
  readonly receivers: number
  /** The part of the total that newcomers have not claimed yet. A newcomer who claims it becomes a receiver. */
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
  /** Undefined if they opted out. */
  readonly member: string | undefined
  readonly share: Msats
  readonly shares: number
  readonly claimed: number
  readonly draw: boolean
  readonly puzzle: PuzzleKind | undefined
  readonly closesAt: Date
}
