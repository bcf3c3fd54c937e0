import { closeDrop, openDrop, pressDrop } from '../drops.ts'
import { callOff, drawAgain, enter, start } from '../giveaways.ts'
import { type Chapter, fund, handOver, linkSomewhere, members, newcomer, wait } from './chapter.ts'

const MINUTE_MS = 60_000

/** A moderator closes a drop that still has shares. */
export const dropsClosedByModerators: Chapter = async (stage) => {
  const [owner, member] = members(stage, 2) as [string, string]
  if (!(await fund(stage, owner, 600))) return
  const drop = await openDrop(stage, { member: owner, amount: '300', shares: stage.chance.between(2, 5), minutes: 6 })
  if (drop === undefined) return
  await pressDrop(stage, drop, member)
  await closeDrop(stage, drop, true)
}

/**
 * Drops are opened for a role, and with a puzzle: people without the role or the answer press, and so does the owner.
 */
export const pickyDrops: Chapter = async (stage) => {
  const [owner, member, other] = members(stage, 3) as [string, string, string]
  if (!(await fund(stage, owner, 600))) return
  const about = { member: owner, amount: '90', shares: 3, minutes: 5 }
  const forRole = await openDrop(stage, { ...about, role: 'regulars' })
  if (forRole !== undefined) await pressDrop(stage, forRole, member)
  const puzzle = await openDrop(stage, { ...about, puzzle: stage.chance.one(['sum', 'phrase']) })
  if (puzzle === undefined) return
  await pressDrop(stage, puzzle, member, { roles: [], answer: 'no idea' })
  await pressDrop(stage, puzzle, owner)
  await pressDrop(stage, puzzle, other)
}

/** Two drops run to their end: one with too few presses, and one that is drawn among more people than shares. */
export const dropsToTheirEnd: Chapter = async (stage) => {
  const [owner, late, ...others] = members(stage, 6) as [string, string, ...string[]]
  if (!(await fund(stage, owner, 600))) return
  const about = { member: owner, amount: '90', minutes: 2 }
  const slow = await openDrop(stage, { ...about, shares: 4 })
  const drawn = await openDrop(stage, { ...about, shares: 2, draw: true })
  if (slow !== undefined && others[0] !== undefined) await pressDrop(stage, slow, others[0])
  if (drawn !== undefined) for (const member of others) await pressDrop(stage, drawn, member)
  await wait(stage, 2 * MINUTE_MS + stage.chance.between(2, 40) * 1_000)
  if (slow !== undefined) await pressDrop(stage, slow, late)
}

/** A member takes a share, and then the next owner of the member's wallet also presses. */
export const oneWallet: Chapter = async (stage) => {
  const [owner] = members(stage, 1) as [string]
  const [one, other] = [newcomer(stage), newcomer(stage)]
  if (!(await fund(stage, owner, 600))) return
  const user = await linkSomewhere(stage, one)
  if (user === undefined) return
  const draw = stage.chance.happens(0.3)
  const drop = await openDrop(stage, { member: owner, amount: '90', shares: 3, minutes: 5, draw })
  if (drop === undefined) return
  await pressDrop(stage, drop, one)
  if (await handOver(stage, one, other, user)) await pressDrop(stage, drop, other)
}

/** A giveaway with several prizes is cancelled. */
export const calledOff: Chapter = async (stage) => {
  const [owner, member] = members(stage, 2) as [string, string]
  if (!(await fund(stage, owner, 600))) return
  const giveaway = await start(stage, owner, '60', stage.chance.between(2, 3), 5)
  if (giveaway === undefined) return
  await enter(stage, giveaway.id, member)
  await callOff(stage, giveaway)
}

/**
 * The number of tries, a minute apart, to draw again: cards are not shown here, so that a draw waits ten minutes for
 * the hash of its entrants to be published.
 */
const DRAWN_AFTER_TRIES = 30

/** More people enter a giveaway than there are prizes, and one person enters too late; the starter draws once more. */
export const draws: Chapter = async (stage) => {
  const [owner, late, ...others] = members(stage, 6) as [string, string, ...string[]]
  if (!(await fund(stage, owner, 600))) return
  const giveaway = await start(stage, owner, '50', stage.chance.between(1, 2), 1)
  if (giveaway === undefined) return
  for (const member of others) await enter(stage, giveaway.id, member)
  await wait(stage, MINUTE_MS + stage.chance.between(2, 30) * 1_000)
  await enter(stage, giveaway.id, late)
  if (!(await fund(stage, owner, 100))) return
  for (let tries = 0; tries < DRAWN_AFTER_TRIES; tries += 1) {
    if ((await drawAgain(stage, giveaway)) !== 'giveaway-not-drawn') return
    await wait(stage, MINUTE_MS)
  }
}
