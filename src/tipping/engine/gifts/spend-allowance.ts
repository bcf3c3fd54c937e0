import { MAX_MSATS, type Msats, msats } from '../../../lib/money/amount.ts'
import type { ReadonlyBook } from '../../core/context.ts'
import { now } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import { allowanceKeys } from '../../core/gift-allowances.ts'
import type { Limits } from '../../core/gift-limits.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'

/** A gift that somebody is about to make. */
export interface Spending {
  readonly member: string
  readonly guild: string | null
  readonly amount: Msats
  readonly limits: Limits
  /** When the giver's Discord account was created; undefined if unknown. */
  readonly accountSince: Date | undefined
  /**
   * Whether the gift was made with a server's emoji, so that it also counts against the giver's daily limit for such
   * emoji.
   */
  readonly byEmoji?: boolean | undefined
}

const DAY_MS = 24 * 3_600_000

/** Whether a gift must be counted. Most servers set no limits. */
export function isLimited({ limits, byEmoji }: Pick<Spending, 'limits' | 'byEmoji'>): boolean {
  // Stryker disable next-line ConditionalExpression: without limits, spending an allowance writes nothing.
  return (
    byEmoji === true ||
    limits.perDay !== undefined ||
    limits.newAccountPerDay !== undefined ||
    limits.coolDownSeconds > 0
  )
}

/**
 * Deducts a gift from its giver's allowance, in the transaction that moves the money. An allowance belongs to a person:
 * to the Discord account, and to every Lightning account ever linked to it, so a second account of the same person has
 * no allowance of its own. Throws TippingRefusal `limit-reached`, `limit-new-account`, `cooling-down` or
 * `emoji-ceiling`, and then writes nothing.
 */
export async function spendAllowance(context: ReadonlyBook, tx: Tx, spending: Spending): Promise<void> {
  const allowance = await checkAllowance(context, tx, spending)
  if (allowance === undefined) return
  const { keys, until, day, cap, used, emoji } = allowance
  if (until !== undefined) {
    for (const key of keys) await tx.coolDown.upsert({ where: { key }, create: { key, until }, update: { until } })
  }
  if (cap !== undefined) {
    for (const key of keys) await note(tx, key, day, { used: (used.get(key) ?? 0n) + spending.amount, cap })
  }
  if (emoji !== undefined) await note(tx, emojiKeyOf(spending), day, emoji)
}

async function note(tx: Tx, key: string, day: string, values: { readonly used: bigint; readonly cap: bigint }) {
  await tx.usage.upsert({ where: { key_day: { key, day } }, create: { key, day, ...values }, update: values })
}

/** How much of an allowance a gift uses. */
interface Allowance {
  readonly keys: readonly string[]
  /** When the same giver can give again; undefined without a cool-down. */
  readonly until: Date | undefined
  readonly day: string
  /** The daily limit in msats; undefined without one. */
  readonly cap: Msats | undefined
  readonly used: ReadonlyMap<string, bigint>
  /** The day's total of gifts by servers' emoji, including this gift, and the limit of that total. */
  readonly emoji: { readonly used: bigint; readonly cap: bigint } | undefined
}

/**
 * Checks, without writing anything, whether a giver may give this much now. Returns undefined if no limits apply.
 * Throws as `spendAllowance` does.
 */
export async function checkAllowance(
  context: ReadonlyBook,
  client: Pick<Tx, 'usage' | 'coolDown' | 'link' | 'member'>,
  spending: Spending,
): Promise<Allowance | undefined> {
  // Stryker disable next-line ConditionalExpression: without limits, spending an allowance writes nothing.
  if (!isLimited(spending)) return undefined
  const keys = await allowanceKeys(client, spending)
  const until = await coolDownEnds(context, client, spending, keys)
  const cap = capOf(context, spending)
  const at = now(context)
  const day = at.toISOString().slice(0, 10)
  const emoji = spending.byEmoji ? await emojiAllowance(client, spending, day, at) : undefined
  if (cap === undefined) return { keys, until, day, cap: undefined, used: new Map(), emoji }
  const rows = await client.usage.findMany({ where: { key: { in: keys }, day } })
  const used = new Map(rows.map((row) => [row.key, row.used]))
  const most = keys.reduce((highest, key) => ((used.get(key) ?? 0n) > highest ? (used.get(key) ?? 0n) : highest), 0n)
  if (most + spending.amount > cap.amount) {
    const left = msats(most >= cap.amount ? 0n : cap.amount - most)
    const until = nextDay(at)
    throw new TippingRefusal(cap.young ? 'limit-new-account' : 'limit-reached', { cap: cap.amount, left, until })
  }
  return { keys, until, day, cap: cap.amount, used, emoji }
}

/** Returns the end of a moment's UTC day. */
function nextDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS + DAY_MS)
}

function emojiKeyOf({ member }: Pick<Spending, 'member'>): string {
  return `emoji ${member}`
}

/**
 * Returns the day's total of the giver's gifts by servers' emoji, including this one, and the giver's limit. Throws
 * TippingRefusal `emoji-ceiling`.
 */
async function emojiAllowance(client: Pick<Tx, 'usage' | 'member'>, spending: Spending, day: string, at: Date) {
  const giver = await client.member.findFirst({ where: { id: spending.member } })
  const cap = giver?.emojiCeiling ?? 0n
  const before = (await client.usage.findFirst({ where: { key: emojiKeyOf(spending), day } }))?.used ?? 0n
  const used = before + spending.amount
  if (used <= cap) return { used, cap }
  const left = msats(before >= cap ? 0n : cap - before)
  throw new TippingRefusal('emoji-ceiling', { cap: msats(cap), left, until: nextDay(at) })
}

function capOf(context: ReadonlyBook, { limits, accountSince }: Spending) {
  const { perDay, newAccountPerDay, newAccountDays } = limits
  const ageMs = accountSince === undefined ? Number.POSITIVE_INFINITY : context.clock.now() - accountSince.getTime()
  const young = newAccountPerDay !== undefined && ageMs < newAccountDays * DAY_MS
  if (young && newAccountPerDay < (perDay ?? MAX_MSATS)) return { amount: newAccountPerDay, young }
  return perDay === undefined ? undefined : { amount: perDay, young: false }
}

async function coolDownEnds(
  context: ReadonlyBook,
  client: Pick<Tx, 'coolDown'>,
  { limits }: Spending,
  keys: readonly string[],
): Promise<Date | undefined> {
  if (limits.coolDownSeconds <= 0) return undefined
  const at = now(context)
  const until = new Date(at.getTime() + limits.coolDownSeconds * 1_000)
  // A pause that ends later began before the clock was set back. Nobody waits longer than one pause.
  const waiting = await client.coolDown.findFirst({
    where: { key: { in: [...keys] }, until: { gt: at, lte: until } },
    orderBy: { until: 'desc' },
  })
  if (waiting !== null) throw new TippingRefusal('cooling-down', { until: waiting.until })
  return until
}
