import { type Msats, msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { ModerationAction } from '../engine/moderation-log/log-moderation.ts'
import { emojiTipsOf } from '../engine/preferences/emoji-tips.ts'
import { SERVER_AMOUNTS, type ServerPreferences } from '../engine/preferences/preferences.ts'
import type { SpendingKind } from '../engine/spending/spending.ts'
import type { ModerationLogEntry } from '../generated/client.ts'
import type { ServerChange } from './insights.ts'

/** Returns the newest entries of a server's moderation log, at most `most`, in the form that people may read. */
export async function changesIn(context: ReadonlyBook, guild: string, most: number): Promise<ServerChange[]> {
  const entries = await context.database.read.moderationLogEntry.findMany({
    where: { guild },
    orderBy: { id: 'desc' },
    take: most,
  })
  return await describe(context, entries)
}

/**
 * Returns the log entry that a card shows. The card's record is the entry's id and the channel. Throws TippingRefusal
 * `not-there`.
 */
export async function changeOfCard(context: ReadonlyBook, record: string): Promise<ServerChange> {
  const id = Number(record.split(' ')[0])
  const entry = await context.database.read.moderationLogEntry.findUnique({ where: { id } })
  const [change] = entry === null ? [] : await describe(context, [entry])
  if (change === undefined) throw new TippingRefusal('not-there', {})
  return change
}

async function describe({ database }: ReadonlyBook, entries: readonly ModerationLogEntry[]): Promise<ServerChange[]> {
  const told = entries.map((entry) => ({ entry, facts: JSON.parse(entry.about) as Facts }))
  const named = (what: 'rule' | 'schedule') => ({
    where: { id: { in: [...new Set(told.map(({ facts }) => textOf(facts[what])).filter((id) => id !== undefined))] } },
    select: { id: true, amount: true, reason: true },
  })
  // Two tell whether there is one.
  const rewardTerms = {
    id: true,
    amount: true,
    reason: true,
    shares: { select: { recipient: true }, take: 2 },
  } as const
  const rewardsNamed = { where: { id: { in: told.flatMap(({ facts }) => textOf(facts.reward) ?? []) } } }
  const keysNamed = { where: { id: { in: told.flatMap(({ facts }) => textOf(facts.apiKey) ?? []) } } }
  // A moderator who stops one names only the record, and one who approves or denies a gift gives it no other reason.
  const [rules, schedules, rewards, keys] = await Promise.all([
    database.read.rule.findMany(named('rule')),
    database.read.schedule.findMany(named('schedule')),
    database.read.reward.findMany({ ...rewardsNamed, select: rewardTerms }),
    database.read.apiKey.findMany({ ...keysNamed, select: { id: true, name: true } }),
  ])
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  const recipients = new Map(rewards.map(({ id, shares }) => [id, onlyPerson(shares)]))
  const terms = new Map([...rules, ...schedules, ...rewards].map((each) => [each.id, each]))
  return told.map(({ entry: { member, action: stored, at }, facts }) => {
    const action = stored as ModerationAction
    const about = terms.get(textOf(facts.reward) ?? textOf(facts.rule) ?? textOf(facts.schedule) ?? '')
    return {
      ...{ member: textOf(member), action, at },
      amount: amountOf(facts.amount) ?? (about === undefined ? undefined : msats(about.amount)),
      to:
        action === 'giveaway-ended-early'
          ? undefined
          : (textOf(facts.to) ?? recipients.get(textOf(facts.reward) ?? '')),
      of: textOf(facts.of),
      gift: ABOUT_GIFTS.has(action) ? (textOf(facts.kind) as SpendingKind | undefined) : undefined,
      role: textOf(facts.role),
      apiKey: names.get(textOf(facts.apiKey) ?? ''),
      reason: textOf(facts.reason) ?? about?.reason ?? textOf(facts.split),
      settings: action === 'setting' ? settingsOf(facts) : {},
    }
  })
}

/**
 * The actions that concern a gift from the pool. An entry contains the gift's kind unless the gift is a reward for one
 * person.
 */
const ABOUT_GIFTS: ReadonlySet<ModerationAction> = new Set(['reward', 'reward-asked', 'approve', 'deny', 'pool-return'])

/**
 * Returns the recipient of a gift for one person; undefined if the gift is for several people, or for a Lightning
 * Address.
 */
function onlyPerson(shares: readonly { readonly recipient: string }[]): string | undefined {
  const [only, ...more] = shares
  return more.length === 0 && only?.recipient.startsWith('address:') === false ? only.recipient : undefined
}

type Facts = Readonly<Record<string, unknown>>

/** Returns the chosen settings by name. An undefined value stands for the operator's own setting. */
function settingsOf(facts: Facts): Partial<ServerPreferences> {
  const chosen = Object.entries(facts).map(([name, value]) => [name, settingOf(name, value)])
  return Object.fromEntries(chosen) as Partial<ServerPreferences>
}

function settingOf(name: string, value: unknown): unknown {
  const amounts: readonly string[] = SERVER_AMOUNTS
  if (amounts.includes(name)) return amountOf(value)
  return name === 'emojiTips' ? emojiTipsOf(value as Parameters<typeof emojiTipsOf>[0]) : (value ?? undefined)
}

/** Reads the amount in a fact; undefined if the fact contains none, as for a removed budget. */
function amountOf(fact: unknown): Msats | undefined {
  return typeof fact === 'string' && /^\d+$/.test(fact) ? msats(BigInt(fact)) : undefined
}

function textOf(fact: unknown): string | undefined {
  return typeof fact === 'string' && fact !== '' ? fact : undefined
}
