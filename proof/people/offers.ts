import { sats } from '../../src/lib/money/amount.ts'
import type { Credit } from '../judge/holdings.ts'
import { persistently } from './asking.ts'
import type { Actor, Stage } from './people.ts'
import { pay } from './stranger.ts'
import { withdraw } from './withdrawals.ts'

/**
 * People who pay BOLT12 offers: members and a stranger's project pay external ones, and anybody pays those of members.
 */
export const offers: Actor = {
  name: 'offers',
  weight: 6,
  async act(stage) {
    const { chance } = stage
    const amount = chance.between(1, 500)
    const isFixed = chance.happens(0.5)
    switch (chance.weighted({ take: 2, withdraw: 3, between: 1, stranger: 2 })) {
      case 'take':
        return await takeOffer(stage, stage.member())
      case 'withdraw':
        return await withdrawToOffer(stage, stage.member(), amount, isFixed)
      case 'between': {
        const own = stage.payables.findLast(({ code }) => code.startsWith('lno1'))
        if (own === undefined) return
        const where = { to: own.code, credit: own.credit, gamertag: undefined }
        return await withdraw(stage, stage.member(), String(amount), where)
      }
      case 'stranger':
        return await payOffer(stage, `offer-${stage.count()}`, amount, isFixed)
    }
  },
}

/** Lets a member take the offer of their address, and receive all payments to it. */
export async function takeOffer(stage: Stage, member: string): Promise<void> {
  const command = { member, ideas: [member, `${member}.here`], origin: stage.origin() }
  const taken = await stage.insist<{ readonly id?: string; readonly offer: string | undefined }>(
    `${member} takes an offer`,
    ({ addresses }) => addresses.offer(command).then((offer) => ({ offer })),
  )
  if (!('done' in taken) || taken.done.offer === undefined) return
  const credit: Credit = (amount, holdings) => holdings.give(member, amount)
  stage.payables.push({ code: taken.done.offer, amount: sats(stage.chance.between(1, 700)), credit })
}

/** Withdraws a member's sats to an external offer. */
export async function withdrawToOffer(stage: Stage, member: string, amount: number, isFixed: boolean): Promise<void> {
  const to = stage.world.offers.ofOutside(isFixed ? sats(amount) : undefined)
  await withdraw(stage, member, String(amount), { to, credit: undefined, gamertag: undefined })
}

/**
 * Lets a stranger's project request an invoice from an offer's maker and pay it, now and then with two keys
 * simultaneously.
 */
export async function payOffer(stage: Stage, key: string, amountInSats: number, isFixed: boolean): Promise<void> {
  const amount = sats(amountInSats)
  const offer = stage.world.offers.ofOutside(isFixed ? amount : undefined)
  const body = isFixed ? { offer } : { offer, amount }
  const fetched = await persistently(stage, () => stage.client.fetchOfferInvoice(body), 'harmless')
  if (fetched === undefined) return
  const { invoice } = fetched.data
  const keys = stage.chance.happens(0.3) ? [key, `${key}-again`] : [key]
  await Promise.all(keys.map((each) => pay(stage, each, invoice, amount)))
}
