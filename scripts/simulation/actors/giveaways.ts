import type { Actor } from '../people.ts'

const LONG_AGO = new Date(Date.UTC(2020, 0, 1))

/** Members start giveaways, enter, end them early, call them off, draw again. */
export const giveaways: Actor = {
  name: 'giveaways',
  weight: 6,
  async act(stage) {
    const { chance } = stage
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
      if ('done' in started) stage.giveaways.push({ id: started.done.id, owner: member })
      return
    }
    const { id: giveaway, owner } = latest
    const standing = { accountSince: LONG_AGO, roles: [] }
    const decision = { giveaway, member: owner, moderator: false, guild: 'guild' }
    const { origin } = { origin: stage.origin() }
    switch (chance.weighted({ enter: 8, end: 1, cancel: 0.5, reroll: 1 })) {
      case 'enter': {
        const command = { giveaway, member, standing, interaction: origin.interaction }
        await stage.insist(`${member} enters`, ({ giveaways }) => giveaways.enter(command).then(() => ({})))
        return
      }
      case 'end':
        await stage.insist(`${owner} ends a giveaway`, ({ giveaways }) => giveaways.end(decision))
        return
      case 'cancel':
        await stage.insist(`${owner} cancels a giveaway`, ({ giveaways }) => giveaways.cancel(decision))
        return
      case 'reroll':
        await stage.insist(`${owner} draws again`, ({ giveaways }) => giveaways.reroll({ ...decision, origin }))
    }
  },
}
