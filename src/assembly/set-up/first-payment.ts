import { type Clock, pause } from '../../lib/clock.ts'
import { formatSats, type Msats, msats, sats } from '../../lib/money/amount.ts'
import { Problem } from '../../lib/problem.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import type { OwnService } from './prepare-own-service.ts'
import { createProjectInvoice, type ProjectInvoice } from './project-invoice.ts'
import type { Prompter } from './prompter.ts'

const LOOK_EVERY_MS = 1_000
const LARGEST_SATS = 1_000_000

/** An example of the amount of a first payment, and a warning to read before it. */
interface Advice {
  readonly example: number
  readonly warning?: string
}
const USUAL: Advice = { example: 10_000 }
/**
 * The advice for phoenixd, which keeps 1% of the two million sats of liquidity that it buys, and the mining fee
 * (phoenix.acinq.co/server/auto-liquidity).
 */
const PHOENIXD: Advice = {
  example: 50_000,
  warning:
    'phoenixd opens its channel with the first payment, and keeps some 20,000 sats and the mining fee of it. Less than that buys no channel and is not paid back. With a channel already, it keeps nothing.',
}

/**
 * Offers a first payment: an invoice with its QR code, whose sats become the operator's float. Waits until the invoice
 * is paid or the person continues without a payment. Does nothing in a sandbox, whose sats come from nowhere. Throws
 * Problem if no invoice could be made.
 */
export async function offerFirstPayment(prompter: Prompter, own: OwnService, clock: Clock): Promise<void> {
  if (own.isSandbox) return
  prompter.say(
    "\n6. Try it with a payment of your own. Its sats are the operator's float: what the bot pays with when a fee exceeds its limit.",
  )
  const { example, warning } = own.node === 'phoenixd' ? PHOENIXD : USUAL
  if (warning !== undefined) prompter.say(`   ! ${warning}`)
  const amount = await askAmount(prompter, example)
  if (amount === undefined) return
  try {
    const description = 'The float of Satchel'
    const asked = await createProjectInvoice(own.url, { apiKey: own.apiKey, amount, description, clock })
    try {
      if (await isPaidInTime(prompter, asked, clock)) {
        prompter.say(`\n   ✓ ${formatSats(amount)} ${own.unit} have arrived.`)
        const kept = await own.bearShort(asked.paymentHash)
        if (kept > 0n) prompter.say(`   ! ${describeShort(amount, kept)}`)
      } else prompter.say('   Nothing has arrived. A payment that comes later is credited when Satchel runs.')
    } finally {
      await asked.close()
    }
  } catch (error) {
    if (!(error instanceof PaymentsError || error instanceof Problem)) throw error
    throw new Problem(`The first payment could not be completed: ${error.message}`, { cause: error })
  }
}

async function askAmount(prompter: Prompter, example: number): Promise<Msats | undefined> {
  for (;;) {
    const typed = await prompter.ask(`   How many sats (for example ${example}; leave empty to do without): `)
    if (typed === '') return undefined
    const amount = /^[1-9]\d{0,6}$/.test(typed) ? Number(typed) : 0
    if (amount >= 1 && amount <= LARGEST_SATS) return sats(amount)
    prompter.say(`   ✗ Type a whole number of sats from 1 to ${formatSats(sats(LARGEST_SATS))}.`)
  }
}

/** Explains to an operator that the node kept a part of their payment. */
export function describeShort(amount: Msats, kept: Msats): string {
  const rest = formatSats(msats(amount - kept))
  return `The node kept ${formatSats(kept)} sats of them, for its channel and the room to receive. Your float is what is left: ${rest} sats.`
}

async function isPaidInTime(prompter: Prompter, asked: ProjectInvoice, clock: Clock): Promise<boolean> {
  prompter.show(asked.invoice)
  const waiting = new AbortController()
  const paid = untilPaid(asked, clock, waiting.signal)
  const given = prompter
    .ask('   Pay it with any wallet. Enter goes on without it. ', {
      choices: [{ value: '', label: 'Go on without it' }],
    })
    .then(() => 'given up' as const)
  const end = await Promise.race([paid, given]).finally(() => waiting.abort())
  // The operator who pressed Enter may have paid a moment before.
  return end === 'paid' || (await asked.isPaid())
}

async function untilPaid(asked: ProjectInvoice, clock: Clock, signal: AbortSignal): Promise<'paid'> {
  for (;;) {
    if (await asked.isPaid()) return 'paid'
    await pause(clock, LOOK_EVERY_MS)
    // Nobody waits for the result any more.
    if (signal.aborted) return await new Promise(() => undefined)
  }
}
