import type { Actor } from '../people.ts'
import { Bug } from '../world.ts'

/** Members take test sats from the faucet; nobody gets two shares on one day. */
export const faucet: Actor = {
  name: 'faucet',
  weight: 2,
  async act(stage) {
    const { model } = stage.world
    const member = stage.member()
    const origin = stage.origin()
    const taken = await stage.insist(`${member} asks the faucet`, async (tipping) => {
      const { amount, until } = await tipping.faucet.take({ member, origin })
      return { id: until.toISOString(), amount }
    })
    if (!('done' in taken)) return
    model.give(member, taken.done.amount)
    model.fromFaucet += taken.done.amount
    // A repetition may be answered on another day than it was given.
    if (taken.span.again) return
    const share = `${member} ${taken.done.id}`
    if (model.shares.has(share)) throw new Bug(`${member} got two shares of the faucet on one day`)
    model.shares.add(share)
  },
}
