import { pause } from '../../lib/clock.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { depositToPay } from '../deposits/invoice-of-deposit.ts'
import { openOperatorsDeposit } from '../deposits/open-operators-deposit.ts'
import { DEPOSITS, OPERATORS_DEPOSITS } from '../deposits/poll-deposit.ts'
import { atPresentProvider } from '../engine/alerts/present-provider.ts'
import { readCharge } from '../engine/incoming/read-charge.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/** The number of checks and the pause between them, because a payment reaches the service's book a moment later. */
const LOOKS = 20
const LOOK_EVERY_MS = 100

/** The fill that is now running for each bot's faucet. */
const filling = new WeakMap<TippingContext['ledger'], Promise<boolean>>()

/**
 * Has the sandbox pay a deposit into the operator's account, which is the faucet's source. Only one fill runs at a
 * time, and simultaneous callers share its result. Resolves to whether sats arrived; false if the node is not our
 * sandbox. Logs errors instead of throwing them.
 */
export function fillFaucet(context: TippingContext, amount: Msats): Promise<boolean> {
  const pay = context.settings.payTestSats
  if (pay === undefined) return Promise.resolve(false)
  const running = filling.get(context.ledger)
  if (running !== undefined) return running
  const { maxAmount } = context.settings
  const asked = fill(context, msats(amount < maxAmount ? amount : maxAmount), pay)
    .catch((error: unknown) => {
      if (!(error instanceof PaymentsError || error instanceof TippingRefusal)) {
        context.logger.error({ err: error }, 'the faucet could not be filled')
      } else context.logger.warn({ reason: error.message }, 'the faucet could not be filled')
      return false
    })
    .finally(() => filling.delete(context.ledger))
  filling.set(context.ledger, asked)
  return asked
}

async function fill(
  context: TippingContext,
  amount: Msats,
  pay: (request: string) => Promise<unknown>,
): Promise<boolean> {
  const { read } = context.database
  // An earlier one is paid first. It may even have been paid and not been read.
  const left = await read.deposit.findFirst({
    where: { member: OPERATORS_DEPOSITS, state: 'open', provider: atPresentProvider(context) },
  })
  const id = left?.id ?? (await openOperatorsDeposit(context, amount))
  if (left !== null && (await isCredited(context, id))) return true
  const { invoice, request } = await depositToPay(context, id)
  await pay(invoice ?? request)
  for (let looks = 1; looks < LOOKS; looks += 1) {
    if (await isCredited(context, id)) return true
    await pause(context.clock, LOOK_EVERY_MS)
  }
  return await isCredited(context, id)
}

/** Reads the deposit's charge now, and returns whether the deposit is credited. A callback may have been faster. */
async function isCredited(context: TippingContext, id: string): Promise<boolean> {
  const { read } = context.database
  const deposit = await DEPOSITS.find(read, id)
  if (deposit !== null) await readCharge(context, DEPOSITS, deposit)
  return ((await DEPOSITS.find(read, id))?.credited ?? 0) > 0
}
