import { type Msats, msats } from '../../../lib/money/amount.ts'
import type { CoreContext } from '../../core/context.ts'
import { now } from '../../core/context.ts'
import type { TippingOwnership } from '../../core/ownership.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'
import type { Member, Server } from '../../generated/client.ts'
import type { CardBook } from '../cards/card-book.ts'
import { logModeration } from '../moderation-log/log-moderation.ts'
import { emojiTipsOf, readEmojiTips, storedEmojiTips } from './emoji-tips.ts'
import {
  type MemberPreferences,
  NOTHING_CHOSEN,
  type Preferences,
  SERVER_AMOUNTS,
  type ServerDefaults,
  type ServerPreferences,
  serverDefaults,
} from './preferences.ts'

interface Parts extends Pick<CoreContext, 'database' | 'commit' | 'clock' | 'entropy' | 'settings' | 'rates'> {
  readonly cards: Pick<CardBook, 'values'>
  readonly ownership: () => Pick<TippingOwnership, 'alone'>
}

/**
 * Stores preferences. Caches in memory those that every command needs (servers' settings, chosen languages), which are
 * few, because few people choose anything. Another bot's writes reach the cache at the next `load`; `inForce` does not
 * wait for that.
 */
export class PreferenceBook implements Preferences {
  readonly #parts: Parts
  readonly #servers = new Map<string, ServerPreferences>()
  readonly #languages = new Map<string, string>()
  #changes = 0

  readonly defaults: ServerDefaults

  constructor(parts: Parts) {
    this.#parts = parts
    this.defaults = serverDefaults(parts.settings)
  }

  /** Reads the preferences from the book: once at the start, and repeatedly if other bots use the same book. */
  async load(): Promise<void> {
    const { read } = this.#parts.database
    const changes = this.#changes
    const servers = await read.server.findMany()
    const speakers = await read.member.findMany({ where: { language: { not: null } } })
    // This process's later writes are newer. The next load comes soon.
    if (this.#changes !== changes) return
    for (const known of [this.#servers, this.#languages]) known.clear()
    for (const server of servers) this.#servers.set(server.guild, serverOf(server))
    for (const { id, language } of speakers) if (language !== null) this.#languages.set(id, language)
  }

  async of(member: string): Promise<MemberPreferences> {
    const known = await this.#parts.database.read.member.findFirst({ where: { id: member } })
    return memberOf(known)
  }

  languageOf(member: string): string | undefined {
    return this.#languages.get(member)
  }

  ofServer(guild: string | null): ServerPreferences {
    return this.#servers.get(guild ?? '') ?? NOTHING_CHOSEN
  }

  async inForce(guild: string | null): Promise<ServerPreferences> {
    if (this.#parts.ownership().alone || guild === null) return this.ofServer(guild)
    const server = await this.#parts.database.read.server.findFirst({ where: { guild } })
    return server === null ? NOTHING_CHOSEN : serverOf(server)
  }

  async change({ member, change }: Parameters<Preferences['change']>[0]): Promise<MemberPreferences> {
    const data = {
      forgottenAt: null,
      receipts: change.receipts,
      hidden: change.hidden,
      ...('reactionTip' in change ? { reactionTip: change.reactionTip ?? null } : {}),
      ...('emojiCeiling' in change ? { emojiCeiling: change.emojiCeiling ?? null } : {}),
      ...('language' in change ? { language: change.language ?? null } : {}),
    }
    const seenAt = now(this.#parts)
    const changed = await this.#parts.commit({
      write: (tx) => tx.member.upsert({ where: { id: member }, create: { id: member, seenAt, ...data }, update: data }),
    })
    this.#changes += 1
    if (changed.language === null) this.#languages.delete(member)
    else this.#languages.set(member, changed.language)
    return memberOf(changed)
  }

  /** Removes from memory a member whose choices were deleted. */
  forget(member: string): void {
    this.#changes += 1
    this.#languages.delete(member)
  }

  async changeServer(command: Parameters<Preferences['changeServer']>[0]): Promise<ServerPreferences> {
    const { guild, member, change } = command
    const changed = await this.#parts.commit({
      write: async (tx) => {
        const before = await tx.server.findFirst({ where: { guild } })
        const next = { ...(before === null ? NOTHING_CHOSEN : serverOf(before)), ...change }
        const { smallestTip, largestTip } = next
        if (smallestTip !== undefined && largestTip !== undefined && smallestTip > largestTip) {
          throw new TippingRefusal('tip-bounds-crossed', { smallest: smallestTip, largest: largestTip })
        }
        const data = storedServer(next)
        await tx.server.upsert({ where: { guild }, create: { guild, ...data }, update: data })
        // The entry also names choices that were taken back.
        const about = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, value ?? null]))
        // A channel that loses the log gets the entry, so that nobody can end the log unnoticed.
        const alsoTo = before?.logChannel ?? undefined
        await logModeration(this.#parts, tx, { guild, member, action: 'setting', about, alsoTo })
        return next
      },
    })
    this.#changes += 1
    this.#servers.set(guild, changed)
    return changed
  }

  async changeEmojiTips({ guild, member, text }: Parameters<Preferences['changeEmojiTips']>[0]) {
    const { rates, settings } = this.#parts
    const { smallestTip = settings.minAmount, largestTip = settings.maxAmount } = await this.inForce(guild)
    const emojiTips = readEmojiTips(text, { smallest: smallestTip, largest: largestTip, rates })
    return await this.changeServer({ guild, member, change: { emojiTips } })
  }
}

function memberOf(member: Member | null): MemberPreferences {
  return {
    receipts: member?.receipts ?? false,
    hidden: member?.hidden ?? false,
    reactionTip: amountOf(member?.reactionTip ?? null),
    emojiCeiling: amountOf(member?.emojiCeiling ?? null),
    language: member?.language ?? undefined,
  }
}

/** Columns that are null in the book if nothing was chosen. */
const CHOICES = [
  ...SERVER_AMOUNTS,
  ...['newAccountDays', 'coolDownSeconds', 'rainAccountDays', 'rainMemberDays', 'claimDays', 'language'],
  ...['timeZone', 'logChannel', 'recapChannel'],
] as const satisfies readonly (keyof Server & keyof ServerPreferences)[]
type Choice = (typeof CHOICES)[number]

/** Settings that are lists of ids, stored as JSON. */
const LISTS = ['channels', 'moderatorRoles', 'blockedMembers', 'blockedRoles'] as const
type List = (typeof LISTS)[number]

function serverOf(server: Server): ServerPreferences {
  const chosen = Object.fromEntries(CHOICES.map((name) => [name, server[name] ?? undefined]))
  return {
    ...(chosen as Pick<ServerPreferences, Choice>),
    ...(Object.fromEntries(LISTS.map((name) => [name, JSON.parse(server[name])])) as Pick<ServerPreferences, List>),
    emojiTips: emojiTipsOf(JSON.parse(server.emojiTips)),
    noLinks: server.noLinks,
    noAnonymousTips: server.noAnonymousTips,
    recapMonthly: server.recapMonthly,
  }
}

function storedServer(server: ServerPreferences) {
  const chosen = Object.fromEntries(CHOICES.map((name) => [name, server[name] ?? null]))
  return {
    ...(chosen as Pick<Server, Choice>),
    ...(Object.fromEntries(LISTS.map((name) => [name, JSON.stringify(server[name])])) as Pick<Server, List>),
    emojiTips: storedEmojiTips(server.emojiTips),
    noLinks: server.noLinks,
    noAnonymousTips: server.noAnonymousTips,
    recapMonthly: server.recapMonthly,
  }
}

function amountOf(amount: bigint | null): Msats | undefined {
  return amount === null ? undefined : msats(amount)
}
