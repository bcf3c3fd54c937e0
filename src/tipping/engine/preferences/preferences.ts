import type { Msats } from '../../../lib/money/amount.ts'
import type { TippingSettings } from '../../core/settings.ts'

/** Members' and servers' own choices. Whether somebody may choose for a server is the front's to know. */
export interface Preferences {
  of(member: string): Promise<MemberPreferences>
  /** Changes the named ones, and resolves to the result. Notes that this person uses the bot. */
  change(command: { readonly member: string; readonly change: Partial<MemberPreferences> }): Promise<MemberPreferences>
  /** The language that a member chose; undefined: Discord's. Known at once. */
  languageOf(member: string): string | undefined
  /** Known at once. In a private conversation (null), nothing was chosen. Another bot of the book may have been told otherwise seconds ago. */
  ofServer(guild: string | null): ServerPreferences
  /** Reads the same from the book, for decisions about money or rights. */
  inForce(guild: string | null): Promise<ServerPreferences>
  /** Defaults in a server that chose nothing: the operator's own settings. Undefined: no such limit. */
  readonly defaults: ServerDefaults
  /** Changes the named ones, on the record. Throws TippingRefusal `tip-bounds-crossed`. */
  changeServer(command: {
    readonly guild: string
    readonly member: string
    readonly change: Partial<ServerPreferences>
  }): Promise<ServerPreferences>
  /**
   * Changes which reactions tip in a server, on the record. Throws TippingRefusal `emoji-line`, `emoji-twice`, `emoji-too-many`, and what
   * an amount may be refused for.
   */
  changeEmojiTips(command: {
    readonly guild: string
    readonly member: string
    /** As typed: a line for each, an emoji and its amount; nothing for none. */
    readonly text: string
  }): Promise<ServerPreferences>
}

export interface MemberPreferences {
  /** Told privately of every tip received. */
  readonly receipts: boolean
  /** Left out of leaderboards. */
  readonly hidden: boolean
  /** The amount of their ⚡ reactions; undefined: nothing. */
  readonly reactionTip: Msats | undefined
  /** Daily limit (UTC) of reactions with emoji of servers, over all servers; undefined: none are allowed. */
  readonly emojiCeiling: Msats | undefined
  /** Undefined: as Discord says. */
  readonly language: string | undefined
}

/** A reaction with this emoji tips, for everybody who has switched that on. */
export interface EmojiTip {
  /** As Discord writes it. */
  readonly emoji: string
  readonly amount: Msats
}

/** Number of a server's emoji that tip at most. */
export const MAX_EMOJI_TIPS = 5

/** Undefined: the operator's own settings hold. */
export interface ServerPreferences {
  /** The bot's channels; none: everywhere. */
  readonly channels: readonly string[]
  /** Roles whose holders are moderators, besides those who may manage the server. */
  readonly moderatorRoles: readonly string[]
  /** People, and holders of roles, who are left out of gifts to everybody: giveaways, drops, rain, rules. */
  readonly blockedMembers: readonly string[]
  readonly blockedRoles: readonly string[]
  /** Reactions that tip here. */
  readonly emojiTips: readonly EmojiTip[]
  readonly smallestTip: Msats | undefined
  readonly largestTip: Msats | undefined
  /** The sum that one person may give here in a day, over all their accounts. */
  readonly perDay: Msats | undefined
  /** The same while their Discord account is new. */
  readonly newAccountPerDay: Msats | undefined
  readonly newAccountDays: number | undefined
  /** Between two gifts of one person. */
  readonly coolDownSeconds: number | undefined
  /** Least age of an account, and of its membership, for rain; 0: any. */
  readonly rainAccountDays: number | undefined
  readonly rainMemberDays: number | undefined
  readonly claimDays: number | undefined
  readonly language: string | undefined
  /** Paying more than this with one press takes a second one. */
  readonly confirmAbove: Msats | undefined
  /** Whether a text of somebody's that the bot shows is refused where it has a link. */
  readonly noLinks: boolean
  /** Whether tips here always name who gave them. */
  readonly noAnonymousTips: boolean
  /** The time zone of schedules, by its IANA name; undefined: UTC. */
  readonly timeZone: string | undefined
  /** The channel of the recap after each week; undefined: none. */
  readonly recapChannel: string | undefined
  /** Whether the recap covers a month instead. */
  readonly recapMonthly: boolean
  /** The channel of the moderation log, for moderators; undefined: none. */
  readonly logChannel: string | undefined
  /** A reward above this needs a second moderator's confirmation; undefined: none does. */
  readonly approvalAbove: Msats | undefined
}

/** The amounts among a server's settings. */
export const SERVER_AMOUNTS = [
  'smallestTip',
  'largestTip',
  'perDay',
  'newAccountPerDay',
  'confirmAbove',
  'approvalAbove',
] as const satisfies readonly (keyof ServerPreferences)[]

/** The numbers of a server's settings that the operator has a word on. */
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

/** The operator's defaults, for a server that chose nothing. */
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
