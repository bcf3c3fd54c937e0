import type { Msats } from '../../../lib/money/amount.ts'
import type { TippingSettings } from '../../core/settings.ts'

/** Members' and servers' own choices. The front decides who may choose for a server. */
export interface Preferences {
  of(member: string): Promise<MemberPreferences>
  /** Changes some of a member's preferences, and resolves to all of them. Notes that this person uses the bot. */
  change(command: { readonly member: string; readonly change: Partial<MemberPreferences> }): Promise<MemberPreferences>
  /** Returns the language that a member chose, from memory; undefined if Discord's language applies. */
  languageOf(member: string): string | undefined
  /**
   * Returns a server's choices from memory. A private conversation (null) has none. Another bot on the same book may
   * have changed them seconds ago.
   */
  ofServer(guild: string | null): ServerPreferences
  /** Reads a server's choices from the book, for decisions about money or rights. */
  inForce(guild: string | null): Promise<ServerPreferences>
  /**
   * The operator's own settings, which apply in a server that chose nothing. An undefined value means that there is no
   * such limit.
   */
  readonly defaults: ServerDefaults
  /** Changes some of a server's settings, and logs the change. Throws TippingRefusal `tip-bounds-crossed`. */
  changeServer(command: {
    readonly guild: string
    readonly member: string
    readonly change: Partial<ServerPreferences>
  }): Promise<ServerPreferences>
  /**
   * Changes which reactions tip in a server, and logs the change. Throws TippingRefusal `emoji-line`, `emoji-twice`,
   * `emoji-too-many`, or the refusal of an amount.
   */
  changeEmojiTips(command: {
    readonly guild: string
    readonly member: string
    /** The text as typed, with an emoji and its amount on each line; empty if no reaction should tip. */
    readonly text: string
  }): Promise<ServerPreferences>
}

export interface MemberPreferences {
  /** Whether the member gets a private message about every tip received. */
  readonly receipts: boolean
  /** Whether leaderboards leave the member out. */
  readonly hidden: boolean
  /** The amount of the member's ⚡ reactions; undefined if they do not tip. */
  readonly reactionTip: Msats | undefined
  /**
   * The daily limit (UTC) of the member's reactions with servers' emoji, in all servers together; undefined if none are
   * permitted.
   */
  readonly emojiCeiling: Msats | undefined
  /** The chosen language; undefined for the language that Discord reports. */
  readonly language: string | undefined
}

/** An emoji that makes a reaction a tip, if the reacting member has switched that on. */
export interface EmojiTip {
  /** The emoji as Discord writes it. */
  readonly emoji: string
  readonly amount: Msats
}

/** The largest number of emoji with amounts in one server. */
export const MAX_EMOJI_TIPS = 5

/** A server's own choices. Where a choice is undefined, the operator's setting applies. */
export interface ServerPreferences {
  /** The channels in which the bot works; empty for all channels. */
  readonly channels: readonly string[]
  /** Roles whose members are moderators, besides the people who may manage the server. */
  readonly moderatorRoles: readonly string[]
  /** People and roles that are left out of gifts to everybody: giveaways, drops, rain, rules. */
  readonly blockedMembers: readonly string[]
  readonly blockedRoles: readonly string[]
  /** The emoji whose reactions tip in this server. */
  readonly emojiTips: readonly EmojiTip[]
  readonly smallestTip: Msats | undefined
  readonly largestTip: Msats | undefined
  /** The most that one person may give in this server in a day, with all of the person's accounts together. */
  readonly perDay: Msats | undefined
  /** The daily limit for a person whose Discord account is new. */
  readonly newAccountPerDay: Msats | undefined
  readonly newAccountDays: number | undefined
  /** The shortest pause between two gifts of one person, in seconds. */
  readonly coolDownSeconds: number | undefined
  /** The least age in days of an account, and of its membership in the server, for rain; 0 for any. */
  readonly rainAccountDays: number | undefined
  readonly rainMemberDays: number | undefined
  readonly claimDays: number | undefined
  readonly language: string | undefined
  /** The amount above which gifts need a confirmation. */
  readonly confirmAbove: Msats | undefined
  /** Whether the bot refuses to show a person's text that contains a link. */
  readonly noLinks: boolean
  /** Whether tips in this server always show the giver's name. */
  readonly noAnonymousTips: boolean
  /** The IANA time zone of schedules; undefined for UTC. */
  readonly timeZone: string | undefined
  /** The channel for the weekly recap; undefined if there is none. */
  readonly recapChannel: string | undefined
  /** Whether the recap covers a month instead of a week. */
  readonly recapMonthly: boolean
  /** The moderators' channel for the moderation log; undefined if there is none. */
  readonly logChannel: string | undefined
  /** The amount above which a reward needs a second moderator's approval; undefined if none does. */
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
