import { countAllowanceAgain, returnAllowance } from '../../core/allowances.ts'
import { restoreBudgets, takeBudgetsAgain } from '../../core/budgets.ts'
import type { Tx } from '../../core/database.ts'
import type { WalletPayment } from '../../generated/client.ts'

type Counted = Pick<WalletPayment, 'id' | 'tipId' | 'sender' | 'amount' | 'card' | 'createdAt'>

/** Gives back what a payment was counted against that came to nothing: its giver's allowance, or the budgets of a reward. */
export async function uncount(tx: Tx, payment: Counted): Promise<void> {
  const { reward, gift } = await countedAs(tx, payment)
  if (reward === null) await returnAllowance(tx, gift)
  else await restoreBudgets(tx, reward, payment.amount)
}

/** Counts a payment again that was called failed, and is proven to be paid. */
export async function countAgain(tx: Tx, payment: Counted): Promise<void> {
  const { reward, gift } = await countedAs(tx, payment)
  if (reward === null) await countAllowanceAgain(tx, gift)
  else await takeBudgetsAgain(tx, reward, payment.amount)
}

async function countedAs(tx: Tx, { id, tipId, sender: member, amount, card, createdAt }: Counted) {
  const { guild, createdAt: openedAt } = await tx.tip.findUniqueOrThrow({ where: { id: tipId } })
  // A share of a drop was counted when the drop was opened, and what was promised when it was asked for.
  const at = card === null ? createdAt : openedAt
  // A reward for one person is its payment; of several, what was given is the tip.
  const reward = await tx.reward.findFirst({ where: { source: 'wallet', OR: [{ id }, { record: tipId }] } })
  return { reward, gift: { member, guild, amount, at } }
}
