import { sats } from '../../../src/lib/money/amount.ts'
import { Bug } from '../../world/world.ts'
import { takeAddress } from '../addresses.ts'
import { askFor } from '../deposits.ts'
import { askFaucet } from '../faucet.ts'
import { claim, look } from '../members.ts'
import { choose, NO_CHOICE } from '../settings.ts'
import { confirm, tip } from '../tips.ts'
import { payRequest } from '../withdrawals.ts'
import { type Chapter, fund, handOver, linkSomewhere, members, newcomer, wait } from './chapter.ts'

/** Two members tip a newcomer, who takes both tips together. */
export const newcomers: Chapter = async (stage) => {
  const friend = newcomer(stage)
  for (const giver of members(stage, 2)) {
    await fund(stage, giver, 300)
    await tip(stage, giver, { typed: String(stage.chance.between(5, 200)), split: false, to: [friend] })
    await look(stage, giver)
  }
  await claim(stage, friend)
}

/** A giver presses the confirmation of a large tip twice. */
export const largeTips: Chapter = async (stage) => {
  const [from, to] = members(stage, 2) as [string, string]
  const amount = String(stage.chance.between(701, 1_200))
  if (!(await fund(stage, from, 3_000))) return
  const command = { from, to: [{ id: to, bot: false }], amount, split: false, origin: stage.origin() }
  const asked = await stage.insist<{ readonly id?: string; readonly asked?: string }>(`${from} tips ${to}`, (tipping) =>
    tipping.tips.ask(command).then((answer) => ('asked' in answer ? { asked: answer.asked } : { id: answer.id })),
  )
  if (!('done' in asked)) return
  const { asked: question } = asked.done
  if (question === undefined) throw new Bug(`a tip of ${amount} went without a confirmation`)
  const given = await confirm(stage, question, from, { typed: amount, split: false, to: [to] })
  if (!given) return
  const again = { asked: question, member: from, origin: stage.origin() }
  await stage.insist(`${from} confirms once more`, (tipping) => tipping.tips.confirm(again))
}

/** A member with a linked wallet links another wallet, and is tipped immediately. */
export const relinked: Chapter = async (stage) => {
  const [from, to] = members(stage, 2) as [string, string]
  if (!(await fund(stage, from, 500))) return
  const before = await linkSomewhere(stage, to)
  if (before === undefined || (await linkSomewhere(stage, to, before)) === undefined) return
  for (let tips = 0; tips < 2; tips += 1)
    await tip(stage, from, { typed: String(stage.chance.between(5, 100)), split: false, to: [to] })
}

/** A member requests more than can be paid without a confirmation, and another requests less; a third pays both. */
export const requests: Chapter = async (stage) => {
  const [maker, other, payer] = members(stage, 3) as [string, string, string]
  if (!(await fund(stage, payer, 4_000))) return
  const first = await linkSomewhere(stage, maker)
  const user = await linkSomewhere(stage, maker, first)
  await linkSomewhere(stage, other, user)
  const large = await askFor(stage, maker, stage.chance.between(240, 500) * 3, 5)
  const small = await askFor(stage, other, stage.chance.between(1, 200) * 3, 5)
  if (large !== undefined) await payRequest(stage, payer, large)
  if (small !== undefined) await payRequest(stage, payer, small)
}

/** Members request Lightning Addresses with the same name, and with any name. */
export const addresses: Chapter = async (stage) => {
  const [one, ...others] = members(stage, 3) as [string, ...string[]]
  const name = `name${stage.chance.between(0, 9)}`
  await takeAddress(stage, one, name)
  for (const other of others) {
    await takeAddress(stage, other, name)
    await takeAddress(stage, other, undefined)
  }
  await takeAddress(stage, one, undefined)
}

/** A server limits gifts, and the bot restarts: the limit must still apply. */
export const limits: Chapter = async (stage) => {
  const [moderator, from, to] = members(stage, 3) as [string, string, string]
  if (!(await fund(stage, from, 2_000))) return
  const largestTip = sats(stage.chance.between(10, 50))
  await choose(stage, moderator, { ...NO_CHOICE, largestTip })
  stage.world.bot.kill()
  await tip(stage, from, { typed: String(stage.chance.between(60, 600)), split: false, to: [to] })
  await choose(stage, moderator, NO_CHOICE)
}

/** A server demands a pause between gifts, and somebody tips again too soon. */
export const coolDowns: Chapter = async (stage) => {
  const [moderator, from, to] = members(stage, 3) as [string, string, string]
  if (!(await fund(stage, from, 1_000))) return
  await choose(stage, moderator, { ...NO_CHOICE, coolDownSeconds: 60 })
  for (let tips = 0; tips < 3; tips += 1) {
    await tip(stage, from, { typed: String(stage.chance.between(5, 100)), split: false, to: [to] })
    await wait(stage, 20_000)
  }
  await choose(stage, moderator, NO_CHOICE)
  await look(stage, from)
}

/**
 * A member gives so much that the server's limit allows no second such gift; then the next owner of the member's wallet
 * tries to give as much.
 */
export const sharedAllowances: Chapter = async (stage) => {
  const [moderator, to] = members(stage, 2) as [string, string]
  const [one, other] = [newcomer(stage), newcomer(stage)]
  if (!(await fund(stage, one, 300)) || !(await fund(stage, other, 300))) return
  const user = await linkSomewhere(stage, one)
  if (user === undefined) return
  const limit = stage.chance.one([{ perDay: sats(250) }, { coolDownSeconds: 600 }])
  await choose(stage, moderator, { ...NO_CHOICE, ...limit })
  await tip(stage, one, { typed: '150', split: false, to: [to] })
  if (await handOver(stage, one, other, user)) await tip(stage, other, { typed: '150', split: false, to: [to] })
  await choose(stage, moderator, NO_CHOICE)
}

/** A member receives their share of the faucet; then the next owner of the member's wallet requests one. */
export const sharedFaucet: Chapter = async (stage) => {
  const [one, other] = [newcomer(stage), newcomer(stage)]
  const user = await linkSomewhere(stage, one)
  if (user === undefined) return
  await askFaucet(stage, one)
  if (await handOver(stage, one, other, user)) await askFaucet(stage, other)
}
