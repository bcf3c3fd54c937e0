import { formatSats } from '../../lib/money/amount.ts'
import type { PaymentsDatabase } from '../../payments-service/core/database.ts'
import type { TippingDatabase } from '../../tipping/core/database.ts'
import type { WaitingView } from '../world.ts'

const MAX_PER_KIND = 50

/** Lists open work on both sides, oldest first. */
export async function viewWaiting(
  tipping: TippingDatabase,
  payments: PaymentsDatabase,
  nameOf: (discordId: string) => string,
): Promise<WaitingView[]> {
  const take = MAX_PER_KIND
  const [payouts, withdrawals, deposits, invoices, unclaimed, sending, callbacks] = await Promise.all([
    tipping.read.payout.findMany({ where: { state: { in: ['reserved', 'sending', 'unknown'] } }, take }),
    tipping.read.withdrawal.findMany({
      where: { state: { in: ['reserved', 'sending', 'unknown', 'offered', 'claimed'] } },
      take,
    }),
    tipping.read.deposit.findMany({ where: { state: 'open' }, take }),
    tipping.read.invoice.findMany({ where: { state: 'open' }, take }),
    tipping.read.tipShare.findMany({ where: { state: 'parked' }, include: { tip: true }, take }),
    payments.read.payment.findMany({ where: { status: { in: ['held', 'sending', 'unknown'] } }, take }),
    payments.read.callback.findMany({ where: { deliveredAt: null, deadLetteredAt: null }, take }),
  ])
  const lines: WaitingView[] = [
    ...payouts.map((payout) =>
      line(
        payout.state === 'unknown' ? 'payout, end not known' : 'payout',
        payout.createdAt,
        `${sats(payout.amount)} for ${nameOf(payout.member)}`,
      ),
    ),
    ...withdrawals.map((withdrawal) =>
      line(
        withdrawal.state === 'unknown' ? 'withdrawal, end not known' : 'withdrawal',
        withdrawal.createdAt,
        `${sats(withdrawal.amount)} by ${nameOf(withdrawal.member)}, ${withdrawal.state}`,
      ),
    ),
    ...deposits.map((deposit) =>
      line('deposit', deposit.createdAt, `${sats(deposit.amount)} by ${nameOf(deposit.member)}`),
    ),
    ...invoices.map((invoice) => line('request', invoice.createdAt, `${sats(invoice.amount)} for ${invoice.gamertag}`)),
    ...unclaimed.map((share) =>
      line('unclaimed tip', share.tip.createdAt, `${sats(share.amount)} for ${nameOf(share.recipient)}`),
    ),
    ...sending.map((payment) =>
      line('Lightning payment', payment.createdAt, `${sats(payment.amount)}, ${payment.status}`),
    ),
    ...callbacks.map((callback) => line('callback', callback.createdAt, `${callback.attempts} attempts so far`)),
  ]
  return lines.sort((a, b) => a.since.localeCompare(b.since))
}

function line(what: string, since: Date, detail: string): WaitingView {
  return { what, since: since.toISOString(), detail }
}

function sats(amount: bigint): string {
  return `${formatSats(amount)} sats`
}
