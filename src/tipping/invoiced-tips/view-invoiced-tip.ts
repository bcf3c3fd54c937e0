import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { endOf } from '../deposits/poll-deposit.ts'
import { receiversOf, walletThatPays } from '../engine/own-wallets/connections.ts'
import type { InvoicedTipView, TipNotSentReason } from './invoiced-tips.ts'
import { readStoredTip } from './stored-tip.ts'

/** Returns the tip that is sent when a deposit is paid; undefined for other deposits. */
export async function viewInvoicedTip(context: ReadonlyBook, deposit: string): Promise<InvoicedTipView | undefined> {
  const { read } = context.database
  const tip = await read.invoicedTip.findUnique({ where: { id: deposit } })
  const stored = tip && (await read.deposit.findUnique({ where: { id: deposit } }))
  if (!tip || !stored) return undefined
  // Empty after the giver's data was deleted.
  const to = tip.gift === '' ? [] : readStoredTip(tip.gift).gift.command.to.map(({ id }) => id)
  const state = tip.state === 'waiting' ? (stored.state === 'open' ? 'waiting' : 'over') : tip.state
  return {
    deposit,
    card: stored.card,
    from: tip.member,
    to,
    total: msats(tip.total),
    missing: msats(stored.amount),
    state: state as InvoicedTipView['state'],
    because: (tip.because ?? undefined) as TipNotSentReason | undefined,
    until: new Date(endOf(context, stored)),
    withoutWallet: await withoutWallet(context, tip.member, to),
  }
}

/** Returns the recipients whom the giver's connected wallet could not pay. */
async function withoutWallet({ database: { read } }: ReadonlyBook, giver: string, to: readonly string[]) {
  if ((await walletThatPays(read, giver)) === undefined) return []
  const receivers = await receiversOf(read, to)
  return to.filter((recipient) => !receivers.has(recipient))
}
