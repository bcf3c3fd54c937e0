import { type Msats, msats, sats } from '../../../lib/money/amount.ts'
import { progressOf } from '../../../payments-api/payments-api.ts'
import type { CoreContext } from '../../core/context.ts'
import { refusalOf } from '../../core/provider-refusal.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'
import { CarriedOut } from '../once-only/once-only.ts'
import { notCreated } from './not-created.ts'
import type { StaticCharge } from './read-charge.ts'

/** A charge of one fixed amount that can be paid a given number of times. */
export interface NewCharge {
  readonly id: string
  readonly key: string
  readonly amount: Msats
  readonly slots: number
  readonly description: string
  readonly successMessage: string
  /** The token in the address that receives the charge's callbacks. */
  readonly callbackToken: string
}

/** Returns the smallest amount of a charge: no provider accepts less than a sat. */
export function smallestCharge({ settings }: Pick<CoreContext, 'settings'>): Msats {
  return msats(settings.minAmount > sats(1) ? settings.minAmount : sats(1))
}

/**
 * Asks the provider to create a charge whose payments can be proven. Throws PaymentsError, or TippingRefusal
 * `provider-refused` if the charge is unsuitable.
 */
export async function createFixedCharge(context: CoreContext, charge: NewCharge): Promise<StaticCharge> {
  const { id, key, amount, slots, description, successMessage, callbackToken } = charge
  const { data } = await context.payments.createStaticCharge(
    {
      ...{ minAmount: amount, maxAmount: amount, allowedSlots: slots, description, successMessage, internalId: id },
      callbackUrl: context.settings.callbackUrl(callbackToken),
    },
    { idempotencyKey: key },
  )
  const wrong = whatIsWrong(data, charge)
  if (wrong !== undefined) throw new TippingRefusal('provider-refused', { message: wrong })
  return data
}

function whatIsWrong(charge: StaticCharge, { amount, slots }: NewCharge): string | undefined {
  if (charge.slots !== 0) return `The new charge says that it was paid ${charge.slots} times.`
  if (charge.minAmount !== amount || charge.maxAmount !== amount) return 'The new charge is for another amount.'
  if (charge.allowedSlots !== null && charge.allowedSlots > slots) {
    return `The new charge can be paid more than ${slots === 1 ? 'once' : `${slots} times`}.`
  }
  if (progressOf(charge.status) !== 'open') return `The new charge is ${charge.status}.`
  return undefined
}

/**
 * Ends a record whose charge could not be created. Nobody can pay a charge that was never shown, whatever its state at
 * the provider. Resolves to the error for the member. `fail` writes the reason, in the provider's words; null if the
 * provider gave none.
 */
export async function failToCreate(
  { logger }: Pick<CoreContext, 'logger'>,
  { noun, id }: { readonly noun: 'deposit' | 'fundraiser'; readonly id: string },
  error: unknown,
  fail: (reason: string | null) => Promise<unknown>,
): Promise<CarriedOut> {
  const refusal = refusalOf(error)
  if (!(refusal instanceof TippingRefusal)) {
    logger.error({ err: error, [noun]: id }, `a ${noun} could not be opened`)
  }
  const refused = refusal instanceof TippingRefusal && refusal.code === 'provider-refused'
  const reason = refused ? (refusal as TippingRefusal<'provider-refused'>).facts.message : null
  await fail(reason)
  return new CarriedOut(notCreated(reason))
}
