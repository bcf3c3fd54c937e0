import { FAUCET_SHARE } from '../judge/promises.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'

/** Members who take test sats from the faucet; no member and no wallet may get two shares on one day. */
export const faucet: Actor = {
  name: 'faucet',
  weight: 2,
  act: (stage) => askFaucet(stage, stage.member()),
}

/** Requests a member's share of the day from the faucet. */
export async function askFaucet(stage: Stage, member: string): Promise<void> {
  const { model, judge } = stage.world
  const about = { accountSince: stage.accountSince(member), origin: stage.origin() }
  const taken = await stage.insist(`${member} asks the faucet`, async (tipping) => {
    const { amount, until } = await tipping.faucet.take({ member, ...about })
    return { id: until.toISOString(), amount }
  })
  if (!('done' in taken)) return
  const { amount } = taken.done
  judge.faults.expect(amount === FAUCET_SHARE, () => `the faucet gave ${member} ${amount} msats, not ${FAUCET_SHARE}`)
  model.give(member, FAUCET_SHARE)
  model.fromFaucet += FAUCET_SHARE
  // A repetition may be answered on another day than the gift.
  if (taken.span.again) return
  for (const taker of [member, ...judge.links.everHad(member, taken.span.from)]) {
    const share = `${taker} ${taken.done.id}`
    if (model.shares.has(share)) throw new Bug(`${member}, or their wallet, got two shares of the faucet on one day`)
    model.shares.add(share)
  }
}
