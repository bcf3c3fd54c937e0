import { accountKey } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { held, member as memberAccount, pot } from '../core/chart-of-accounts.ts'
import type { ReadonlyBook } from '../core/context.ts'
import type { OpenSats } from './privacy.ts'

/** Returns where a member's sats now are. */
export async function openSats({ ledger, database: { read } }: ReadonlyBook, member: string): Promise<OpenSats> {
  const [drops, giveaways, vouchers, addresses] = await Promise.all([
    read.drop.findMany({ where: { member, pool: null, state: 'open' }, select: { id: true } }),
    read.giveaway.findMany({
      where: {
        ...{ starter: member, pool: null },
        OR: [{ state: { in: ['open', 'sealed'] } }, { state: 'drawn', claimMinutes: { not: null }, settledAt: null }],
      },
      select: { id: true },
    }),
    read.voucher.aggregate({ where: { member, pool: null, state: 'live' }, _sum: { amount: true } }),
    read.address.findMany({ where: { member, state: 'live' }, select: { address: true } }),
  ])
  const pots = [...drops, ...giveaways].map(({ id }) => pot(id))
  const balances = await ledger.balances([memberAccount(member), held(member), ...pots])
  const balance = (account: ReturnType<typeof pot>) => balances.get(accountKey(account)) ?? 0n
  return {
    available: msats(balance(memberAccount(member))),
    held: msats(balance(held(member))),
    inPots: msats(pots.reduce((sum, each) => sum + balance(each), 0n)),
    inVouchers: msats(vouchers._sum.amount ?? 0n),
    addresses: addresses.flatMap(({ address }) => (address === null ? [] : [address])),
  }
}
