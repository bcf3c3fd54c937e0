import { sats } from '../../../src/lib/money/amount.ts'
import { NOT_YOUNG_DAYS, openDrop, pressDrop } from '../drops.ts'
import { enter, start } from '../giveaways.ts'
import { choose, NO_CHOICE } from '../settings.ts'
import { tip } from '../tips.ts'
import { create } from '../vouchers.ts'
import { type Chapter, fund, members } from './chapter.ts'

/**
 * A server lets new accounts give only little. The owner of a new account tries every way to give more, which only an
 * old account can.
 */
export const youngGivers: Chapter = async (stage) => {
  const [moderator, old, to] = members(stage, 3) as [string, string, string]
  const young = stage.youngMember()
  for (const giver of [young, old]) if (!(await fund(stage, giver, 600))) return
  await choose(stage, moderator, { ...NO_CHOICE, newAccountPerDay: sats(100), newAccountDays: NOT_YOUNG_DAYS })
  await tip(stage, young, { typed: String(stage.chance.between(30, 60)), split: false, to: [to] })
  const ways = [
    () => tip(stage, young, { typed: String(stage.chance.between(71, 120)), split: false, to: [to] }),
    () => openDrop(stage, { member: young, amount: '80', shares: 2, minutes: 2 }),
    () => start(stage, young, '80', 1, 2),
    () => create(stage, young, '80'),
  ]
  for (let way = stage.chance.between(0, 3), tries = 0; tries < 3; tries += 1, way += 1) await ways[way % 4]?.()
  await tip(stage, old, { typed: String(stage.chance.between(71, 120)), split: false, to: [to] })
  await choose(stage, moderator, NO_CHOICE)
}

/** A drop and a giveaway exclude new accounts; the owner of one presses anyway. */
export const youngClaimers: Chapter = async (stage) => {
  const [owner, old] = members(stage, 2) as [string, string]
  const young = stage.youngMember()
  if (!(await fund(stage, owner, 600))) return
  const drop = await openDrop(stage, {
    member: owner,
    amount: '90',
    shares: 3,
    minutes: 3,
    accountDays: NOT_YOUNG_DAYS,
  })
  const giveaway = await start(stage, owner, '60', 1, 3, NOT_YOUNG_DAYS)
  for (const member of [young, old]) {
    if (drop !== undefined) await pressDrop(stage, drop, member)
    if (giveaway !== undefined) await enter(stage, giveaway.id, member)
  }
}
