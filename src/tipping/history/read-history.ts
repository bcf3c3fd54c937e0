import type { HistoryLine } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import type { CoreContext } from '../core/context.ts'
import type { ExportReading } from '../engine/export-reading.ts'
import { valuesOf } from '../engine/prices/noted-prices.ts'
import { type BalancedLine, describeBookings } from './describe-bookings.ts'
import type { ExportedLine, HistoryPage, MemberLine } from './history.ts'
import { reasonsOf } from './reasons.ts'
import { mergeNewest, walletTips } from './wallet-tips.ts'

export const PAGE_SIZE = 8
const MAX_EXPORTED = 50_000
const MAX_OPERATIONS = 25
const BATCH_SIZE = 1_000

/** Returns a page of a member's bookings and gifts from wallet to wallet, newest first. */
export async function historyPage(context: CoreContext, member: string, page: number): Promise<HistoryPage> {
  const first = Math.max(0, page) * PAGE_SIZE
  // One more than is shown reveals whether there are older ones.
  const most = first + PAGE_SIZE + 1
  const [{ balance, lines }, tips] = await Promise.all([
    newest(context, member, most),
    walletTips(context, member, most),
  ])
  const shown = mergeNewest<BalancedLine | MemberLine>(lines, tips).slice(first, most)
  return {
    lines: await describeAll(context, member, shown.slice(0, PAGE_SIZE)),
    balance: context.settings.custody === 'none' ? undefined : balance,
    hasOlder: shown.length > PAGE_SIZE,
  }
}

/** Describes the bookings among these lines, and returns all lines in the same order. */
async function describeAll(
  context: ExportReading,
  member: string,
  lines: readonly (BalancedLine | MemberLine)[],
): Promise<MemberLine[]> {
  const bookings = lines.filter((line): line is BalancedLine => !('what' in line))
  const told = (await describeBookings(context, member, bookings)).values()
  return lines.flatMap((line) => ('what' in line ? line : (told.next().value ?? [])))
}

/** Returns the newest 50,000 lines of a member's history, oldest first, each with its purpose and value. */
export async function exportHistory(context: ExportReading, member: string): Promise<ExportedLine[]> {
  const [{ lines: bookings }, tips] = await Promise.all([
    newest(context, member, MAX_EXPORTED),
    walletTips(context, member, MAX_EXPORTED, 'proven'),
  ])
  const lines = mergeNewest<BalancedLine | MemberLine>(bookings, tips).slice(0, MAX_EXPORTED)
  const told: ExportedLine[] = []
  const worth = await valuesOf(context, lines)
  for (let at = 0; at < lines.length; at += BATCH_SIZE) {
    const batch = await describeAll(context, member, lines.slice(at, at + BATCH_SIZE))
    const reasons = await reasonsOf(context, member, [...new Set(batch.map(({ operation }) => operation))])
    for (const line of batch) {
      const { reason = '', rule, apiKey } = reasons.get(line.operation) ?? {}
      told.push({ ...line, reason, rule, apiKey, worth: worth(line) })
    }
  }
  return told.reverse()
}

/**
 * Returns a member's latest operations, each described by the newest of its lines that is not a refund of an unspent
 * fee.
 */
export async function recentOperations(context: CoreContext, member: string): Promise<MemberLine[]> {
  const [{ lines: bookings }, tips] = await Promise.all([
    newest(context, member, 4 * MAX_OPERATIONS),
    walletTips(context, member, MAX_OPERATIONS),
  ])
  const lines = mergeNewest<BalancedLine | MemberLine>(bookings, tips)
  const last = new Map<string, BalancedLine | MemberLine>()
  for (const line of lines) {
    const newer = last.get(line.operation)
    if (newer === undefined || isFeeRest(newer)) last.set(line.operation, line)
  }
  return await describeAll(context, member, [...last.values()].slice(0, MAX_OPERATIONS))
}

/** Returns whether a line may be the refund of an unspent fee, which says less than the payment before it. */
function isFeeRest(line: BalancedLine | MemberLine): boolean {
  return 'step' in line && line.amount > 0n && (line.step === 'post' || line.step === 'fee')
}

/** Returns a member's newest bookings, at most `most`, and the present balance. */
async function newest(
  { ledger }: ExportReading,
  member: string,
  most: number,
): Promise<{ balance: Msats; lines: BalancedLine[] }> {
  const account = memberAccount(member)
  // A balance and bookings from different moments would not add up. Then both are read again.
  for (let attempt = 0; ; attempt += 1) {
    const balance = msats(await ledger.balance(account))
    const found: HistoryLine[] = []
    while (found.length < most) {
      const limit = Math.min(BATCH_SIZE, most - found.length)
      const before = found.at(-1)?.id
      const page = await ledger.history(account, { limit, ...(before === undefined ? {} : { before }) })
      found.push(...page)
      if (page.length < limit) break
    }
    if (attempt < 5 && (await ledger.balance(account)) !== balance) continue
    let after = balance
    const lines = found.map((line) => {
      const balanced = { ...line, balance: after }
      after = msats(after - line.amount)
      return balanced
    })
    return { balance, lines }
  }
}
