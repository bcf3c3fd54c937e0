import { sats } from '../../../src/lib/money/amount.ts'
import type { Credit } from '../judge/holdings.ts'
import type { Actor } from '../people.ts'

/** Members take Lightning Addresses of their own; what anybody pays to one is theirs. */
export const addresses: Actor = {
  name: 'addresses',
  weight: 3,
  async act(stage) {
    const { chance } = stage
    const member = stage.member()
    const name = chance.happens(0.3) ? `name${chance.between(0, 9)}` : undefined
    const command = { member, ideas: [member, `${member}.here`], origin: stage.origin(), ...(name ? { name } : {}) }
    const taken = await stage.insist(`${member} takes an address`, ({ addresses }) => addresses.take(command))
    if (!('done' in taken)) return
    const { address, request } = taken.done
    // Scanned as a code, or typed.
    const code = chance.happens(0.5) ? request : address
    const credit: Credit = (amount, holdings) => holdings.give(member, amount)
    stage.payables.push({ code, amount: sats(chance.between(1, 700)), credit })
  },
}
