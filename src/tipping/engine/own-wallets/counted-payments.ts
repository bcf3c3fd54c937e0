import { restoreBudgets, takeBudgetsAgain } from '../../core/budgets.ts'
import type { Tx } from '../../core/database.ts'
import { countAllowanceAgain, returnAllowance } from '../../core/gift-allowances.ts'
import type { WalletPayment } from '../../generated/client.ts'

type Counted = Pick<WalletPayment, 'id' | 'tipId' | 'sender' | 'amount' | 'card' | 'createdAt'>

/** Gives the sum of a failed payment back to the allowance or budgets against which it was counted. */
export async function uncount(tx: Tx, payment: Counted): Promise<void> {
  const { reward, gift } = await countedAs(tx, payment)
  if (reward === null) await returnAllowance(tx, gift)
  else await restoreBudgets(tx, reward, payment.amount)
}

/** Counts again a payment that was reported as failed but is proven to be paid. */
export async function countAgain(tx: Tx, payment: Counted): Promise<void> {
  const { reward, gift } = await countedAs(tx, payment)
  if (reward === null) await countAllowanceAgain(tx, gift)
  else await takeBudgetsAgain(tx, reward, payment.amount)
}

async function countedAs(tx: Tx, { id, tipId, sender: member, amount, card, createdAt }: Counted) {
  const { guild, createdAt: openedAt } = await tx.tip.findUniqueOrThrow({ where: { id: tipId } })
  // A drop's share was counted when the drop was opened, and a promise when it was made.
  const at = card === null ? createdAt : openedAt
  // A reward for one person refers to its payment. A reward for several refers to the tip.
  const reward = await tx.reward.findFirst({ where: { source: 'wallet', OR: [{ id }, { record: tipId }] } })
  return { reward, gift: { member, guild, amount, at } }
}
