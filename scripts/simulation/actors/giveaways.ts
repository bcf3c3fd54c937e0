import type { GiveawayView, PendingTip, Tipping } from '../../../src/tipping/tipping.ts'
import type { Actor, Stage } from '../people.ts'
import { Bug } from '../world.ts'

type StartGiveaway = Parameters<Tipping['giveaways']['start']>[0]

const LONG_AGO = new Date(Date.UTC(2020, 0, 1))

/** Members start giveaways, enter, end them early, call them off, draw again. */
export const giveaways: Actor = {
  name: 'giveaways',
  weight: 6,
  async act(stage) {
    const { chance } = stage
    const { model } = stage.world
    const member = stage.member()
    const latest = stage.giveaways.at(-chance.between(1, 3))
    if (latest === undefined || chance.happens(0.25)) {
      const winners = chance.between(1, 3)
      const command = {
        member,
        prize: stage.amount(),
        winners,
        duration: `${chance.between(1, 5)}m`,
        origin: stage.origin(),
      }
      const started = await starting(stage, command)
      if (started === undefined) return
      const { id, prize } = started
      if (/^\d+$/.test(command.prize) && prize !== BigInt(command.prize) * 1_000n)
        throw new Bug(`a giveaway of ${command.prize} is one of ${prize} msats`)
      model.giveaways.set(id, { starter: member, prize, winners: BigInt(winners) })
      stage.giveaways.push({ id, owner: member })
      return
    }
    const { id: giveaway, owner } = latest
    const entrant = { accountSince: LONG_AGO, roles: [] }
    const decision = { giveaway, member: owner, moderator: false, guild: 'guild' }
    const { origin } = { origin: stage.origin() }
    switch (chance.weighted({ enter: 8, end: 1, cancel: 0.5, reroll: 1 })) {
      case 'enter': {
        const command = { giveaway, member, entrant, interaction: origin.interaction }
        const entered = await stage.insist(`${member} enters`, ({ giveaways }) =>
          giveaways.enter(command).then(() => ({})),
        )
        if ('done' in entered) model.entered.add(`${giveaway} ${member}`)
        return
      }
      case 'end':
        await stage.insist(`${owner} ends a giveaway`, ({ giveaways }) => giveaways.end(decision))
        return
      case 'cancel':
        await stage.insist(`${owner} cancels a giveaway`, ({ giveaways }) => giveaways.cancel(decision))
        return
      case 'reroll': {
        const drawn = await stage.insist(`${owner} draws again`, ({ giveaways }) =>
          giveaways.reroll({ ...decision, origin }),
        )
        if ('done' in drawn) model.redrawn.set(drawn.done.id, `${giveaway} ${drawn.done.member}`)
      }
    }
  },
}

/** Starts a giveaway, with a confirmation where it takes one; undefined where it is refused. */
async function starting(stage: Stage, command: StartGiveaway): Promise<GiveawayView | undefined> {
  const { member, prize, winners } = command
  const { judge } = stage.world
  const what = `${member} starts a giveaway of ${prize}`
  const first = await stage.insist<{ id?: string; asked?: PendingTip; view?: GiveawayView }>(what, async (tipping) => {
    const answer = await tipping.giveaways.ask(command)
    return 'asked' in answer ? { asked: answer } : { id: answer.id, view: answer }
  })
  if (!('done' in first)) return undefined
  const { asked, view } = first.done
  if (view !== undefined) judge.gave(what, prize, view.prize * BigInt(winners), false)
  if (asked === undefined) return view
  const word = { asked: asked.asked, member, origin: stage.origin() }
  const second = await stage.insist(`${member} confirms a giveaway`, ({ giveaways }) => giveaways.confirm(word))
  if (!('done' in second)) return undefined
  const total = second.done.prize * BigInt(winners)
  if (total !== asked.total) throw new Bug(`a giveaway of ${asked.total} msats was confirmed, and is one of ${total}`)
  judge.gave(what, prize, total, true)
  return second.done
}
