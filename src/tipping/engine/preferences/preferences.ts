import type { Msats } from '../../../lib/money/amount.ts'
import type { TippingSettings } from '../../core/settings.ts'

/** Members' and servers' own choices. The front decides who may choose for a server. */
export interface Preferences {
  of(member: string): Promise<MemberPreferences>
  /** Changes the named preferences, and resolves to all of them. Notes that this person uses the bot. */
  change(command: { readonly member: string; readonly change: Partial<MemberPreferences> }): Promise<MemberPreferences>
  /** Returns the language that a member chose, from memory; undefined: Discord's language. */
  languageOf(member: string): string | undefined
  /**
   * Returns a server's choices from memory. A private conversation (null) has none. Another bot of the book may have
   * changed them seconds ago.
   */
  ofServer(guild: string | null): ServerPreferences
  /** Reads the same from the book, for decisions about money or rights. */
  inForce(guild: string | null): Promise<ServerPreferences>
  /** What applies in a server that chose nothing: the operator's own settings. Undefined: no such limit. */
  readonly defaults: ServerDefaults
  /** Changes the named settings, and logs it. Throws TippingRefusal `tip-bounds-crossed`. */
  changeServer(command: {
    readonly guild: string
    readonly member: string
    readonly change: Partial<ServerPreferences>
  }): Promise<ServerPreferences>
  /**
   * Changes which reactions tip in a server, and logs it. Throws TippingRefusal `emoji-line`, `emoji-twice`,
   * `emoji-too-many`, or the refusal of an amount.
   */
  changeEmojiTips(command: {
    readonly guild: string
    readonly member: string
    /** As typed: an emoji and its amount on each line. Empty: none. */
    readonly text: string
  }): Promise<ServerPreferences>
}

export interface MemberPreferences {
  /** Whether they get a private message about every tip received. */
  readonly receipts: boolean
  /** Whether leaderboards leave them out. */
  readonly hidden: boolean
  /** The amount of their ⚡ reactions; undefined: none. */
  readonly reactionTip: Msats | undefined
  /** The daily limit (UTC) of reactions with servers' emoji, in all servers together. Undefined: none are permitted. */
  readonly emojiCeiling: Msats | undefined
  /** Undefined: the language that Discord reports. */
  readonly language: string | undefined
}

/** A reaction with this emoji tips, if the reacting member has switched that on. */
export interface EmojiTip {
  /** The emoji as Discord writes it. */
  readonly emoji: string
  readonly amount: Msats
}

/** The most emoji with amounts in one server. */
export const MAX_EMOJI_TIPS = 5

/** A server's own choices. Undefined: the operator's settings apply. */
export interface ServerPreferences {
  /** The channels in which the bot works; empty: all. */
  readonly channels: readonly string[]
  /** Roles whose members are moderators, besides those who may manage the server. */
  readonly moderatorRoles: readonly string[]
  /** People and roles that are left out of gifts to everybody: giveaways, drops, rain, rules. */
  readonly blockedMembers: readonly string[]
  readonly blockedRoles: readonly string[]
  /** The reactions that tip here. */
  readonly emojiTips: readonly EmojiTip[]
  readonly smallestTip: Msats | undefined
  readonly largestTip: Msats | undefined
  /** The most that one person may give here in a day, from all their accounts together. */
  readonly perDay: Msats | undefined
  /** The same limit while their Discord account is new. */
  readonly newAccountPerDay: Msats | undefined
  readonly newAccountDays: number | undefined
  /** The pause between two gifts of one person. */
  readonly coolDownSeconds: number | undefined
  /** The least age of an account, and of its membership, for rain; 0: any. */
  readonly rainAccountDays: number | undefined
  readonly rainMemberDays: number | undefined
  readonly claimDays: number | undefined
  readonly language: string | undefined
  /** Gifts above this amount need a confirmation. */
  readonly confirmAbove: Msats | undefined
  /** Whether the bot refuses to show a person's text that contains a link. */
  readonly noLinks: boolean
  /** Whether tips here always name their giver. */
  readonly noAnonymousTips: boolean
  /** The IANA time zone of schedules; undefined: UTC. */
  readonly timeZone: string | undefined
  /** The channel that gets the weekly recap; undefined: none. */
  readonly recapChannel: string | undefined
  /** Whether the recap covers a month instead. */
  readonly recapMonthly: boolean
  /** The moderators' channel for the moderation log; undefined: none. */
  readonly logChannel: string | undefined
  /** A reward above this amount needs a second moderator's approval; undefined: none does. */
  readonly approvalAbove: Msats | undefined
}

/** The server settings that are amounts. */
export const SERVER_AMOUNTS = [
  'smallestTip',
  'largestTip',
  'perDay',
  'newAccountPerDay',
  'confirmAbove',
  'approvalAbove',
] as const satisfies readonly (keyof ServerPreferences)[]

/** The numeric server settings with defaults that the operator sets. */
export type ServerDefaults = Pick<
  ServerPreferences,
  | 'smallestTip'
  | 'largestTip'
  | 'perDay'
  | 'newAccountPerDay'
  | 'newAccountDays'
  | 'coolDownSeconds'
  | 'rainAccountDays'
  | 'rainMemberDays'
  | 'claimDays'
  | 'confirmAbove'
>

/** Returns the operator's defaults for a server that chose nothing. */
export function serverDefaults(settings: TippingSettings): ServerDefaults {
  const { limits, minAmount, maxAmount, claimDays, confirmAbove, rainAccountDays, rainMemberDays } = settings
  const { smallestTip = minAmount, largestTip = maxAmount, coolDownSeconds, ...others } = limits
  const pause = coolDownSeconds === 0 ? undefined : coolDownSeconds
  return {
    ...others,
    ...{ smallestTip, largestTip, coolDownSeconds: pause },
    ...{ rainAccountDays, rainMemberDays, claimDays, confirmAbove },
  }
}

export const NOTHING_CHOSEN: ServerPreferences = {
  channels: [],
  moderatorRoles: [],
  blockedMembers: [],
  blockedRoles: [],
  emojiTips: [],
  smallestTip: undefined,
  largestTip: undefined,
  perDay: undefined,
  newAccountPerDay: undefined,
  newAccountDays: undefined,
  coolDownSeconds: undefined,
  rainAccountDays: undefined,
  rainMemberDays: undefined,
  claimDays: undefined,
  language: undefined,
  confirmAbove: undefined,
  approvalAbove: undefined,
  noLinks: false,
  noAnonymousTips: false,
  recapChannel: undefined,
  recapMonthly: false,
  timeZone: undefined,
  logChannel: undefined,
}
