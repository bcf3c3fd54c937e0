import { sats } from '../../src/lib/money/amount.ts'
import { DEFAULT_SETTINGS } from '../../src/tipping/core/settings.ts'
import { readEmojiTips } from '../../src/tipping/engine/preferences/emoji-tips.ts'
import { serverDefaults } from '../../src/tipping/engine/preferences/preferences.ts'
import type { MemberPreferences, Preferences, ServerPreferences } from '../../src/tipping/tipping.ts'

/** People's preferences, in memory. */
export class FakePreferences implements Preferences {
  readonly defaults = serverDefaults(DEFAULT_SETTINGS)
  readonly #members = new Map<string, MemberPreferences>()
  readonly #elsewhere = new Map<string, Partial<ServerPreferences>>()
  readonly #servers = new Map<string, ServerPreferences>()

  of(member: string): Promise<MemberPreferences> {
    return Promise.resolve(this.#of(member))
  }

  languageOf(member: string): string | undefined {
    return this.#of(member).language
  }

  change({ member, change }: Parameters<Preferences['change']>[0]): Promise<MemberPreferences> {
    const changed = { ...this.#of(member), ...change }
    this.#members.set(member, changed)
    return Promise.resolve(changed)
  }

  ofServer(guild: string | null): ServerPreferences {
    return this.#servers.get(guild ?? '') ?? nothing
  }

  /** Records a change that another bot on the book has just stored, and that this bot has not yet read. */
  changedElsewhere(guild: string, change: Partial<ServerPreferences>): void {
    this.#elsewhere.set(guild, change)
  }

  inForce(guild: string | null): Promise<ServerPreferences> {
    return Promise.resolve({ ...this.ofServer(guild), ...this.#elsewhere.get(guild ?? '') })
  }

  changeServer({ guild, change }: Parameters<Preferences['changeServer']>[0]): Promise<ServerPreferences> {
    const changed = { ...this.ofServer(guild), ...change }
    this.#servers.set(guild, changed)
    return Promise.resolve(changed)
  }

  changeEmojiTips({ guild, member, text }: Parameters<Preferences['changeEmojiTips']>[0]): Promise<ServerPreferences> {
    const limits = { smallest: sats(1), largest: sats(10_000), rates: { toMsats: () => sats(0) } }
    return this.changeServer({ guild, member, change: { emojiTips: readEmojiTips(text, limits) } })
  }

  #of(member: string): MemberPreferences {
    const nobody = {
      receipts: false,
      hidden: false,
      reactionTip: undefined,
      emojiCeiling: undefined,
      language: undefined,
    }
    return this.#members.get(member) ?? nobody
  }
}

const nothing: ServerPreferences = {
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
