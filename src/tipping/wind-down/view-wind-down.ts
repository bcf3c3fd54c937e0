import { msats } from '../../lib/money/amount.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import type { ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { WindDown } from '../generated/client.ts'
import { underWay } from './attempts.ts'
import type { WindDownNoticeView, WindDownView } from './wind-down.ts'

/** Returns the wind-down that is proposed, on or listed; undefined if there is none. */
export async function currentWindDown(client: Pick<Tx, 'windDown'>): Promise<WindDown | undefined> {
  return (await client.windDown.findFirst({ where: { place: 1 } })) ?? undefined
}

/** Returns the wind-down's progress; undefined if there is no wind-down. */
export async function viewWindDown(context: ReadonlyBook): Promise<WindDownView | undefined> {
  const { read } = context.database
  const current = await currentWindDown(read)
  if (current === undefined) return undefined
  const { id, by, state, dueAt, round } = current
  const sums = { _sum: { balance: true }, _count: true } as const
  const balances = await read.account.aggregate({ where: { kind: 'member', balance: { gt: 0n } }, ...sums })
  const claims = await read.windDownClaim.aggregate({
    where: { windDownId: id },
    _sum: { amount: true },
    _count: true,
  })
  return {
    ...{ id, by, round, state: state as WindDownView['state'] },
    dueAt: state === 'proposed' ? (dueAt ?? undefined) : undefined,
    balances: { count: balances._count, amount: msats(balances._sum.balance ?? 0n) },
    underWay: await underWay(read),
    claims: { count: claims._count, amount: msats(claims._sum.amount ?? 0n) },
  }
}

/** Returns a member's notice. Throws TippingRefusal `not-there`. */
export async function viewNotice({ database, ledger }: ReadonlyBook, id: string): Promise<WindDownNoticeView> {
  const notice = await database.read.windDownNotice.findUnique({ where: { id }, include: { windDown: true } })
  if (notice === null) throw new TippingRefusal('not-there', {})
  return {
    kind: notice.kind as WindDownNoticeView['kind'],
    state: notice.windDown.state as WindDownNoticeView['state'],
    by: notice.windDown.by,
    balance: msats(await ledger.balance(memberAccount(notice.member))),
  }
}
