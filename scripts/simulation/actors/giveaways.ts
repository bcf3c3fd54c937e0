import type { Actor } from '../people.ts'
import { Bug } from '../world.ts'

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
      const started = await stage.insist(`${member} starts a giveaway`, ({ giveaways }) => giveaways.start(command))
      if (!('done' in started)) return
      const { id, prize } = started.done
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
