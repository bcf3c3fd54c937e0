import { OUTSIDE_HOST } from '../world/world.ts'
import type { Actor } from './people.ts'
import { noteReward } from './pool-gifts.ts'
import { give, setBudget } from './pools.ts'

const GUILD = 'guild'

/** Moderators who let the pool pay lists of external Lightning Addresses, each with its own addresses. */
export const addressLists: Actor = {
  name: 'address lists',
  weight: 4,
  async act(stage) {
    const { chance, world } = stage
    const { judge } = world
    const [member, roles, origin] = [stage.member(), ['moderators'], stage.origin()]
    const lines = Array.from({ length: chance.between(1, 4) }, () => ({
      address: `listed${stage.count()}@${OUTSIDE_HOST}`,
      sats: chance.between(1, 200),
    }))
    // The pool is empty for most of the time.
    if (chance.happens(0.7)) {
      await setBudget(stage, stage.member(), '100000')
      for (let gifts = 0; gifts < 3; gifts += 1) await give(stage, stage.member(), '500')
    }
    for (const { address, sats } of lines) judge.withdrawals.listed(address, sats)
    const file = Buffer.from(lines.map(({ address, sats }) => `${address},${sats}`).join('\n'))
    const given = await stage.insist<{ readonly id?: string; readonly reward: string }>(
      `${member} pays a list of ${lines.length} addresses`,
      async ({ rewards }) => {
        const list = { guild: GUILD, member, file, memberIn: () => undefined, reason: 'for all', origin }
        const { asked = '' } = await rewards.readList(list)
        const { reward } = await rewards.confirmList({ asked, member, roles, origin })
        return { reward }
      },
    )
    if (!('done' in given)) return
    const { reward: id } = given.done
    const shown = await stage.insist('a list is looked at', ({ rewards }) => rewards.view(id))
    if (!('done' in shown)) return
    noteReward(stage, shown.done, given.span)
    judge.limits.rewarded({ ...shown.done, recipient: `nobody of ${id}` }, member, given.span)
    stage.rewards.push(id)
  },
}
