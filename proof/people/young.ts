import { deposit } from './deposits.ts'
import { openDrop, pressDrop } from './drops.ts'
import { askFaucet } from './faucet.ts'
import { enter, start } from './giveaways.ts'
import { pay } from './payers.ts'
import type { Actor } from './people.ts'
import { tip } from './tips.ts'
import { create } from './vouchers.ts'

/** People whose Discord accounts are new: a server may limit their gifts, and drops and giveaways may exclude them. */
export const young: Actor = {
  name: 'young accounts',
  weight: 5,
  async act(stage) {
    const { chance } = stage
    const member = stage.youngMember()
    switch (chance.weighted({ fund: 3, tip: 5, drop: 1, giveaway: 1, voucher: 1, press: 3, faucet: 1 })) {
      case 'fund': {
        const payable = await deposit(stage, member, chance.between(100, 1_000))
        if (payable !== undefined) await pay(stage, payable)
        return
      }
      case 'tip':
        await tip(stage, member, { typed: String(chance.between(1, 90)), split: false, to: [stage.member()] })
        return
      case 'drop':
        await openDrop(stage, {
          member,
          amount: String(chance.between(20, 120)),
          shares: chance.between(1, 3),
          minutes: 3,
        })
        return
      case 'giveaway':
        await start(stage, member, String(chance.between(20, 120)), 1, chance.between(1, 5))
        return
      case 'voucher':
        await create(stage, member)
        return
      case 'press': {
        const [drop, giveaway] = [stage.drops.at(-1), stage.giveaways.at(-1)]
        if (drop !== undefined) await pressDrop(stage, drop, member)
        if (giveaway !== undefined) await enter(stage, giveaway.id, member)
        return
      }
      case 'faucet':
        await askFaucet(stage, member)
    }
  },
}
