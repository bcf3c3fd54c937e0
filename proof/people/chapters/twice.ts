import { Bug } from '../../world/world.ts'
import { openDrop, pressDrop } from '../drops.ts'
import { askFaucet } from '../faucet.ts'
import { enter, start } from '../giveaways.ts'
import { claim, unlink } from '../members.ts'
import { note, type TipAnswer, tip } from '../tips.ts'
import { create, redeem } from '../vouchers.ts'
import { type Chapter, fund, handOver, linkSomewhere, members, newcomer } from './chapter.ts'

/** Two successive owners of one wallet press a drop's button simultaneously, each twice. */
export const oneWalletAtOnce: Chapter = async (stage) => {
  const [owner] = members(stage, 1) as [string]
  const [one, other] = [newcomer(stage), newcomer(stage)]
  if (!(await fund(stage, owner, 600))) return
  const user = await linkSomewhere(stage, one)
  if (user === undefined || !(await handOver(stage, one, other, user))) return
  const draw = stage.chance.happens(0.3)
  const drop = await openDrop(stage, { member: owner, amount: '90', shares: 4, minutes: 5, draw })
  if (drop === undefined) return
  await Promise.all([one, other, one, other].map((member) => pressDrop(stage, drop, member)))
  await unlink(stage, other)
}

/** The last share of a drop, a code, a chance in a draw and waiting sats are each claimed twice simultaneously. */
export const claimedTwice: Chapter = async (stage) => {
  const [owner, one, other] = members(stage, 3) as [string, string, string]
  const friend = newcomer(stage)
  if (!(await fund(stage, owner, 2_000))) return
  const last = await openDrop(stage, { member: owner, amount: '90', shares: 1, minutes: 5 })
  if (last !== undefined) await Promise.all([one, other, one].map((member) => pressDrop(stage, last, member)))
  const giveaway = await start(stage, owner, '60', 1, 2)
  if (giveaway !== undefined) await Promise.all([one, one].map((member) => enter(stage, giveaway.id, member)))
  const code = await create(stage, owner, '50')
  if (code !== undefined) await Promise.all([one, other].map((member) => redeem(stage, member, code)))
  await tip(stage, owner, { typed: '30', split: false, to: [friend] })
  await Promise.all([claim(stage, friend), claim(stage, friend)])
  await Promise.all([askFaucet(stage, friend), askFaucet(stage, friend)])
}

/** A member presses the confirmation of a large tip twice simultaneously: the tip is given once. */
export const confirmedTwice: Chapter = async (stage) => {
  const [from, to] = members(stage, 2) as [string, string]
  const typed = String(stage.chance.between(701, 900))
  if (!(await fund(stage, from, 3_000))) return
  const command = { from, to: [{ id: to, bot: false }], amount: typed, split: false, origin: stage.origin() }
  const asked = await stage.insist<TipAnswer>(`${from} tips ${to} ${typed}`, (tipping) =>
    tipping.tips.ask(command).then((answer) => ('asked' in answer ? answer : { id: answer.id, tip: answer })),
  )
  const question = 'done' in asked ? asked.done.asked : undefined
  if (question === undefined) return
  const press = () => {
    const word = { asked: question, member: from, origin: stage.origin() }
    return stage.insist(`${from} confirms a tip of ${typed}`, ({ tips }) => tips.confirm(word))
  }
  const given = (await Promise.all([press(), press()])).filter((answer) => 'done' in answer)
  const [first] = given
  if (first === undefined) return
  if (new Set(given.map(({ done }) => done.id)).size > 1)
    throw new Bug(`${from} confirmed a tip twice at once, and gave it twice`)
  stage.world.judge.gave(`the tip ${first.done.id}`, typed, first.done.total, true)
  note(stage, first.done, { from, typed, split: false, to: [to], span: first.span })
}
