import { feeLimit, msats, sats } from '../../../src/lib/money/amount.ts'
import type { WithdrawalView } from '../../../src/tipping/tipping.ts'
import type { Actor, Ending, Stage } from '../people.ts'
import { Bug, OUTSIDE_HOST, SERVICE_URL } from '../world.ts'

/** Members take sats out: by a code, an invoice, an address; and say yes, no, or both. */
export const withdrawals: Actor = {
  name: 'withdrawals',
  weight: 9,
  async act(stage) {
    const member = stage.member()
    const amount = stage.chance.happens(0.2) ? stage.amount() : String(stage.chance.between(1, 800))
    const to = destination(stage, amount)
    const command = { member, amount, origin: stage.origin(), ...(to === undefined ? {} : { to }) }
    const asked = await stage.insist(`${member} withdraws ${amount} ${to ?? ''}`, ({ withdrawals }) =>
      withdrawals.ask(command),
    )
    await decide(stage, member, asked)
  },
}

/** Members pay other members' requests from their balance. */
export const requestPayers: Actor = {
  name: 'request payers',
  weight: 3,
  async act(stage) {
    if (stage.invoices.length === 0) return
    const member = stage.member()
    const command = { invoice: stage.chance.one(stage.invoices.slice(-5)), member, origin: stage.origin() }
    const asked = await stage.insist(`${member} pays a request`, ({ withdrawals }) => withdrawals.pay(command))
    await decide(stage, member, asked)
  },
}

function destination(stage: Stage, amount: string): string | undefined {
  const { chance, world } = stage
  const code = stage.payables.at(-chance.between(1, 4))?.code
  switch (chance.weighted({ request: 4, invoice: 4, open: 1, outside: 2, gamertag: 2, code: 1 })) {
    case 'request':
      return undefined
    case 'invoice':
      return world.sandbox.outside.createInvoice({ amount: /^\d+$/.test(amount) ? sats(Number(amount)) : undefined })
        .invoice
    case 'open':
      return world.sandbox.outside.createInvoice().invoice
    case 'outside':
      return `someone@${OUTSIDE_HOST}`
    case 'gamertag':
      return `player${chance.between(0, 7)}@${new URL(SERVICE_URL).hostname}`
    case 'code':
      return code
  }
}

async function decide(stage: Stage, member: string, asked: Ending<WithdrawalView>): Promise<void> {
  if (!('done' in asked)) return
  const { id, feeLimit: limit, amount } = asked.done
  if (asked.done.kind !== 'pay' && limit !== feeLimit(msats(amount)))
    throw new Bug(`the fee limit of ${amount} is ${limit}`)
  const decision = () => ({ withdrawal: id, member, origin: stage.origin() })
  if (stage.chance.happens(0.1)) {
    await stage.insist(`${member} calls it off`, ({ withdrawals }) => withdrawals.cancel(decision()))
    if (stage.chance.happens(0.5)) return
  }
  const confirm = decision()
  const confirmed = await stage.insist(`${member} confirms`, ({ withdrawals }) => withdrawals.confirm(confirm))
  if (stage.chance.happens(0.2)) {
    const again = decision()
    await stage.insist(`${member} confirms again`, ({ withdrawals }) => withdrawals.confirm(again))
  }
  if ('done' in confirmed && confirmed.done.request !== undefined) stage.claimables.push(confirmed.done.request)
}
