import { sats } from '../../../src/lib/money/amount.ts'
import { takeAddress } from '../addresses.ts'
import { compareNode, comparePayments } from '../auditors.ts'
import { payOffer, takeOffer, withdrawToOffer } from '../offers.ts'
import { pay } from '../payers.ts'
import { keysend } from '../stranger.ts'
import { handOn, verify } from '../verifiers.ts'
import { zap } from '../zappers.ts'
import { type Chapter, fund, members, wait } from './chapter.ts'

const MINUTE_MS = 60_000

/** A shop passes on two invoices of a member's address, one of which is paid, and verifies both until they expire. */
export const verified: Chapter = async (stage) => {
  const [member] = members(stage, 1) as [string]
  const address = await takeAddress(stage, member, undefined)
  if (address === undefined) return
  const known = [await handOn(stage, address, true), await handOn(stage, address, false)]
  for (const minutes of [0, 1, 4]) {
    await wait(stage, minutes * MINUTE_MS)
    for (const paymentHash of known) if (paymentHash !== undefined) await verify(stage, paymentHash)
  }
}

/**
 * Somebody zaps a member's address, and another person claims in their zap to give a hundred times as much as they pay.
 */
export const zapped: Chapter = async (stage) => {
  const [member] = members(stage, 1) as [string]
  const address = await takeAddress(stage, member, undefined)
  if (address === undefined) return
  const amount = sats(stage.chance.between(1, 300))
  await zap(stage, address, { amount, said: amount, pays: true })
  await zap(stage, address, { amount, said: amount * 100n, pays: true })
  await zap(stage, address, { amount, said: amount, pays: false })
  await wait(stage, MINUTE_MS)
}

/** Offers are paid in both directions. */
export const offersPaid: Chapter = async (stage) => {
  const [member] = members(stage, 1) as [string]
  if (!(await fund(stage, member, 1_500))) return
  await takeOffer(stage, member)
  const own = stage.payables.findLast(({ code }) => code.startsWith('lno1'))
  if (own !== undefined) await pay(stage, own)
  await withdrawToOffer(stage, member, stage.chance.between(50, 600), stage.chance.happens(0.5))
  await payOffer(stage, `offer-${stage.count()}`, stage.chance.between(1, 500), stage.chance.happens(0.5))
}

/**
 * An operator compares book and node while a payment hangs: once with all sats in the node, and once after somebody
 * took some out.
 */
export const comparedNodes: Chapter = async (stage) => {
  stage.world.sandbox.setFault('hang')
  const paying = keysend(stage, `hangs-${stage.count()}`, stage.chance.between(100, 900))
  await wait(stage, 2_000)
  for (const missing of [0n, sats(stage.chance.between(1, 2_000)), sats(1)]) {
    await compareNode(stage, missing)
    await wait(stage, 1_000)
  }
  stage.world.sandbox.release(stage.chance.one(['settle', 'fail']))
  await paying
  await comparePayments(stage, stage.chance.happens(0.5))
}
