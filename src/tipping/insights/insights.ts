import type { Msats } from '../../lib/money/amount.ts'
import type { PuzzleKind } from '../drops/drops.ts'
import type { ModerationAction } from '../engine/moderation-log/log-moderation.ts'
import type { ServerPreferences } from '../engine/preferences/preferences.ts'

/** A server's figures for gifts: tips, shares of drops, prizes. Sums that went back to their giver are not counted. */
export interface Insights {
  leaderboard(guild: string, span: Span): Promise<LeaderboardView>
  stats(guild: string, span: Span): Promise<StatsView>
  /** The drops of a server that are open, in channels that may be shown, the newest first, at most 25. */
  drops(guild: string, isShown: (channel: string) => boolean): Promise<readonly OpenDrop[]>
  /** Changes in a server, with their authors: settings, pool, rules, and ended things; newest first. */
  changes(guild: string, most: number): Promise<readonly ServerChange[]>
  /** Givers of a server's anonymous tips, newest first; pages count from 0. For its moderators. */
  anonymousTips(guild: string, page: number): Promise<AnonymousTipsPage>
  /** Figures of a week or a month for a card. Throws TippingRefusal `not-there`. */
  recap(id: string): Promise<RecapView>
  /** The entry that a card of the log's channel tells. Throws TippingRefusal `not-there`. */
  changeOfCard(record: string): Promise<ServerChange>
}

/** A server's gifts of a week or a month. Nobody is ranked by what they got. */
export interface RecapView {
  readonly kind: 'week' | 'month'
  readonly gifts: number
  readonly amount: Msats
  /** The pool's gifts, which are not part of the sum. */
  readonly pool: Msats
  /** People who took their first sats here. */
  readonly newcomers: number
  /** The most frequent pairs of giver and recipient. */
  readonly thanks: readonly { readonly from: string; readonly to: string; readonly count: number }[]
  /** Givers with the most days in a row. */
  readonly streaks: readonly { readonly member: string; readonly days: number }[]
  /** Each day as midnight UTC of its date, and what people gave on it. */
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
  readonly member: string
  readonly action: ModerationAction
  readonly amount: Msats | undefined
  /** The recipient. */
  readonly to: string | undefined
  /** The owner of something that a moderator ended. */
  readonly of: string | undefined
  readonly role: string | undefined
  /** The name of the API key that did it, or that was made or revoked. */
  readonly apiKey: string | undefined
  readonly reason: string | undefined
  /** Changed settings and their values; undefined: the operator's own. */
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
   * Gifts to newcomers who have not claimed them yet. It counts for its givers, and for its receivers once it is
   * claimed. Rewards are not part of it: they count for nobody until they are claimed.
   */
  readonly unclaimed: Msats
}

export interface Ranked {
  readonly member: string
  readonly amount: Msats
}

export interface StatsView {
  readonly since: Date
  /** Hours, days or months (UTC), the oldest first. */
  readonly bars: readonly StatsBar[]
  readonly total: Msats
  readonly gifts: number
  /** Different people. */
  readonly tippers: number
  readonly receivers: number
  /** The part of the total that newcomers have not claimed yet. A newcomer who claims it is a receiver from then on. */
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
  /** Undefined if they want to be left out. */
  readonly member: string | undefined
  readonly share: Msats
  readonly shares: number
  readonly claimed: number
  readonly draw: boolean
  readonly puzzle: PuzzleKind | undefined
  readonly closesAt: Date
}
