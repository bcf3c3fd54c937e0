import { Died } from '../world/crashing-database.ts'
import { isDatabaseAway } from '../world/database-away.ts'
import type { Actor, Stage } from './people.ts'

/** Runs `meanwhile` while operators let nothing leave. */
export async function whilePaused(stage: Stage, meanwhile: () => Promise<void>): Promise<void> {
  const { judge } = stage.world
  const pause = { operator: 'operator-1', reason: 'the operators look into something' }
  const paused = judge.pauses.said('pause', judge.now())
  await stage.insist('operators pause', (tipping) => tipping.administration.pause(pause).then(() => ({})))
  paused(judge.now())
  await meanwhile()
  await goOn(stage)
}

/** Lets an operator resume payments. */
export async function goOn(stage: Stage): Promise<void> {
  const { judge } = stage.world
  const resume = { operator: 'operator-2' }
  const goesOn = judge.pauses.said('go on', judge.now())
  await stage.insist('operators go on', (tipping) => tipping.administration.resume(resume).then(() => ({})))
  goesOn(judge.now())
}

/**
 * Operators who compare the books with the wallet at any time, or let nothing leave for a while and then resume
 * payments.
 */
export const administration: Actor = {
  name: 'administration',
  weight: 2,
  async act(stage) {
    const { bot, judge } = stage.world
    if (stage.chance.happens(0.25)) {
      return await whilePaused(stage, () => stage.pause(60_000))
    }
    const { process, tipping } = await bot.anyUp()
    try {
      const { faults } = await Promise.race([tipping.audit(), process.life.death])
      // The audit may say that somebody paid sats in, if an operator did.
      const wrong = faults.filter((fault) => judge.unexplained === 0n || !/more than the books account for/.test(fault))
      if (wrong.length > 0) stage.world.complaints.push(`the audit says: ${wrong.join('; ')}`)
    } catch (error) {
      if (!(error instanceof Died) && !isDatabaseAway(error, stage.world.faults)) throw error
    }
  },
}

/** The node's weather, which makes the node misbehave, or releases hanging payments. */
export const weather: Actor = {
  name: 'weather',
  weight: 3,
  async act(stage) {
    const { sandbox } = stage.world
    const { chance } = stage
    if (chance.happens(0.3)) {
      const count = sandbox.release(chance.one(['settle', 'fail']))
      if (count > 0) stage.note(`node: lets ${count} go`)
      return
    }
    const kind = chance.weighted({ fail: 3, hang: 2, 'unknown-then-paid': 3, 'unknown-then-failed': 3, overcharge: 2 })
    sandbox.setFault(kind, {
      times: chance.between(1, 3),
      ...(chance.happens(0.5) ? { delayMs: 2 ** chance.between(0, 17) } : {}),
    })
    stage.note(`node: ${kind}`)
  },
}
