import { sats } from '../../../src/lib/money/amount.ts'
import type { Stage } from '../people.ts'
import { closeFundraiser, decide, fundraise, give, giveTo, reward, setBudget } from '../pools.ts'
import { choose, NO_CHOICE } from '../settings.ts'
import { type Chapter, fund, members } from './chapter.ts'

/** Fills the pool from a member's balance. Resolves to whether the pool has sats to give. */
async function fill(stage: Stage, giver: string): Promise<boolean> {
  if (!(await fund(stage, giver, 1_500))) return false
  let given = false
  for (let gifts = 0; gifts < 3; gifts += 1)
    given = (await give(stage, giver, String(stage.chance.between(40, 80) * 5))) || given
  return given
}

/** A moderator gives until their budget is used up, and then tries to give a little more. */
export const budgets: Chapter = async (stage) => {
  const [giver, moderator, ...others] = members(stage, 5) as [string, string, ...string[]]
  if (!(await fill(stage, giver))) return
  await choose(stage, giver, NO_CHOICE)
  await setBudget(stage, giver, '200')
  for (const member of others) await reward(stage, moderator, member, stage.chance.between(101, 190))
  await setBudget(stage, giver, '100000')
}

/** Rewards wait for a second moderator: their author and their recipient must not be able to approve them. */
export const approvals: Chapter = async (stage) => {
  const [giver, moderator, recipient, second] = members(stage, 4) as [string, string, string, string]
  if (!(await fill(stage, giver))) return
  await setBudget(stage, giver, '100000')
  await choose(stage, giver, { ...NO_CHOICE, approvalAbove: sats(100) })
  for (const verb of ['approve', 'deny'] as const) {
    const asked = await reward(stage, moderator, recipient, stage.chance.between(101, 200))
    if (asked?.state !== 'asked') continue
    await decide(stage, asked.id, moderator, 'approve')
    await decide(stage, asked.id, recipient, 'approve')
    await decide(stage, asked.id, second, verb)
  }
  await choose(stage, giver, NO_CHOICE)
}

/** Somebody gives to a closed fundraiser. */
export const closedFundraisers: Chapter = async (stage) => {
  const [owner, ...givers] = members(stage, 3) as [string, string, string]
  for (const giver of givers) if (!(await fund(stage, giver, 500))) return
  const fundraiser = await fundraise(stage, owner)
  if (fundraiser === undefined) return
  await giveTo(stage, fundraiser, givers[0])
  await closeFundraiser(stage, fundraiser)
  await giveTo(stage, fundraiser, givers[1])
}
