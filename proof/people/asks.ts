import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'
import { confirm, note, type TipAnswer } from './tips.ts'

/** Members who request sats from the others, receive gifts, and close the request. */
export const asks: Actor = {
  name: 'asks',
  weight: 4,
  async act(stage) {
    const { chance } = stage
    const member = stage.member()
    const latest = stage.asks.at(-chance.between(1, 3))
    if (latest === undefined || chance.happens(0.3)) {
      await open(stage, member)
      return
    }
    if (chance.happens(0.1)) {
      const decision = { ask: latest.id, member: latest.owner, moderator: false, guild: 'guild' }
      await stage.insist(`${latest.owner} closes an ask`, ({ asks }) => asks.close(decision))
      return
    }
    await give(stage, latest, member)
  },
}

type OpenAsk = Stage['asks'][number]

async function open(stage: Stage, member: string): Promise<void> {
  const amount = stage.amount()
  const command = { member, roles: [], amount, reason: 'because', days: 1, origin: stage.origin() }
  const opened = await stage.insist(`${member} asks for ${amount}`, ({ asks }) => asks.open(command))
  if ('done' in opened) stage.asks.push({ id: opened.done.id, owner: member, given: 0n })
}

/** Gives to a member's request; each gift is a tip, which the request's owner receives immediately. */
async function give(stage: Stage, ask: OpenAsk, from: string): Promise<void> {
  const { judge, botBook } = stage.world
  const amount = stage.amount()
  const gift = { ask: ask.id, from, amount, origin: stage.origin(), accountSince: stage.accountSince(from) }
  const what = `${from} gives ${amount} to what ${ask.owner} asks for`
  const asks = judge.balances.asks(botBook, from)
  const answer = await stage.insist<TipAnswer>(what, async (tipping) => {
    const tip = await tipping.tips.ask(await tipping.asks.tipFor(gift))
    return 'asked' in tip ? tip : { id: tip.id, tip }
  })
  if (!('done' in answer)) return
  const { asked, tip: given, total } = answer.done
  const typed = { typed: amount, split: false, to: [ask.owner] }
  const had = asks(given?.total ?? 0n)
  judge.balances.shares(what, amount, given?.total ?? total ?? 0n, 1, had)
  if (given === undefined) {
    if (asked !== undefined && stage.chance.happens(0.8)) await confirm(stage, asked, from, { ...typed, total })
    return
  }
  judge.gave(what, amount, given.total, false, had)
  note(stage, given, { ...typed, from, span: answer.span })
  ask.given += given.total
  const seen = await stage.insist(`${from} looks at an ask`, ({ asks }) => asks.view(ask.id))
  if ('done' in seen && seen.done.given < ask.given)
    throw new Bug(`the ask ${ask.id} shows ${seen.done.given} msats, and ${ask.given} were given`)
}
