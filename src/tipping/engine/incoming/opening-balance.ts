import { formatSats, type Msats } from '../../../lib/money/amount.ts'
import { OPERATOR, WALLET } from '../../core/chart-of-accounts.ts'
import type { CoreContext } from '../../core/context.ts'
import { now } from '../../core/context.ts'
import { raiseAlert } from '../alerts/alerts.ts'
import type { TippingContext } from '../tipping-context.ts'

type OpeningContext = CoreContext & Pick<TippingContext, 'outgoingSwitch' | 'isSaidToBeNew'>

/**
 * Opens the book, and credits the operator with the sats that the provider's wallet holds before anybody has used the
 * bot. Takes effect once, when the provider first answers and before any payment arrives. Unless an operator has said
 * that the book is new, the sats may belong to members whose book is lost. Operators are then alerted, and nothing
 * leaves before one of them confirms that the book is new. Throws PaymentsError.
 */
export async function ensureOpened(context: OpeningContext): Promise<void> {
  const { read } = context.database
  if ((await read.opening.findUnique({ where: { id: 1 } })) !== null) return
  const begun = (await read.entry.findFirst()) !== null
  const amount = begun ? 0n : (await context.payments.getWallet()).data.balance
  const moves = [{ from: WALLET, to: OPERATOR, amount: amount as Msats }]
  await context
    .commit({
      entries: amount > 0n ? [{ operation: 'opening', step: 'post', moves }] : [],
      write: async (tx) => {
        await tx.opening.create({ data: { id: 1, amount, at: now(context) } })
        if (amount === 0n || context.isSaidToBeNew()) return
        const text = `this book is new, and the wallet holds ${formatSats(amount as Msats)} sats already. If there was a book, they are its members': stop the bot and put that book back. If they are the operator's own, /admin resume opens outgoing payments.`
        await raiseAlert(context, tx, { kind: 'new-book', about: now(context).toISOString(), text })
        await tx.outgoingPause.create({ data: { source: 'operator', reason: text, since: now(context) } })
      },
    })
    .then(() => context.outgoingSwitch.load(context))
    .catch(async (error: unknown) => {
      // Two callers asked at the same time, and the first has opened it.
      if ((await read.opening.findUnique({ where: { id: 1 } })) === null) throw error
    })
}
