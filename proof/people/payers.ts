import { OutgoingError } from '../../src/lib/http/outgoing-error.ts'
import { decodeInvoice } from '../../src/lib/lightning/bolt11.ts'
import { decodeLnurl } from '../../src/lib/lightning/lnurl.ts'
import { askToWithdraw, claimWithdrawal, LnurlProblem } from '../../src/lib/lightning/lnurl-client.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { OutsideWalletRefusal } from '../../src/payments-service/backends/sandbox/outside-wallet.ts'
import { Bug } from '../world/world.ts'
import type { Actor, PayableRequest, Stage } from './people.ts'

/** External wallets that pay what they are shown once, late, twice, or never. */
export const payers: Actor = {
  name: 'payers',
  weight: 14,
  async act(stage) {
    if (stage.payables.length === 0) return
    const payable = stage.chance.one(stage.payables.slice(-20))
    await pay(stage, payable)
  },
}

/** Pays a code from outside, and notes the payment by its hash. */
export async function pay(stage: Stage, { code, amount, credit, counted }: PayableRequest): Promise<void> {
  const { sandbox, offers, model, judge } = stage.world
  try {
    const more = overpayment(stage, code) ?? amount
    const paid = code.startsWith('lno1')
      ? await offers.pay(code, msats(amount ?? 1_000n), 'for tea')
      : await sandbox.outside.pay(code, more === undefined ? undefined : msats(more))
    stage.note(`outside: pays ${paid.amount}`)
    const spare = counted && amount !== undefined ? paid.amount - amount : 0n
    judge.unexplained += spare
    model.arrived.set(paid.paymentHash, {
      amount: paid.amount,
      credit: (arrived, holdings) => credit(arrived - spare, holdings),
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    stage.note(`outside: does not pay, ${error.message}`)
  }
}

/**
 * Returns the excessive amount that a wallet pays, up to twice the invoice's amount; undefined if the wallet pays the
 * exact amount.
 */
function overpayment({ world, chance }: Stage, code: string): bigint | undefined {
  const { outsiders } = world
  if (outsiders.overpayments === 0 || !/^lnbc/i.test(code)) return undefined
  const { amount } = decodeInvoice(code)
  if (amount === undefined) return undefined
  outsiders.overpayments -= 1
  outsiders.overpaid()
  return (amount * BigInt(chance.between(101, 200))) / 100n
}

/** Whether an error is a refusal that an honest wallet can get, after which nothing was paid. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof OutsideWalletRefusal || error instanceof LnurlProblem || error instanceof OutgoingError
}

/** Wallets that scan withdrawal codes; several may scan the same code. */
export const scanners: Actor = {
  name: 'scanners',
  weight: 5,
  async act(stage) {
    if (stage.claimables.length === 0) return
    const code = stage.chance.one(stage.claimables.slice(-6))
    const { sandbox, judge } = stage.world
    try {
      const offer = await askToWithdraw(stage.fetch, decodeLnurl(code.request))
      const amount = msats(offer.maxWithdrawable)
      if (amount !== code.worth) throw new Bug(`a code of ${code.worth} msats offers a wallet ${amount}`)
      const { invoice } = sandbox.outside.createInvoice({ amount })
      judge.outgoing.scans(code, invoice)
      await claimWithdrawal(stage.fetch, offer, invoice)
      stage.note(`outside: claims ${amount}`)
    } catch (error) {
      if (!isRefusal(error)) throw error
      stage.note(`outside: cannot claim, ${error.message}`)
    }
  },
}
