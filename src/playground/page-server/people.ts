import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import { local } from './cdn.ts'
import type { PageWorld } from './page-world.ts'
import { askingPerson, attempt, bodyOf, inWords, personById, segment } from './request.ts'

/**
 * Lists the people whom a tab can be, and serves the chosen person's view: servers, channels, members, direct
 * conversations.
 */
export function servePeople(app: FastifyInstance, world: PageWorld, clock: Clock): void {
  const { emulator } = world
  const startedAt = clock.now()

  app.get('/api/people', async () => {
    const names = new Map(Object.entries(world.cast.people).map(([name, id]) => [id, name]))
    const people = emulator.world.people().filter(({ id, bot }) => !bot && names.has(id))
    const order = [...names.keys()]
    const sorted = people.sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id))
    return local(emulator, {
      startedAt,
      people: sorted.map((person) => {
        const [server] = emulator.as(person.id).servers()
        const member = server?.members.find(({ id }) => id === person.id)
        const { owner, operator } = world.cast.people
        const role =
          person.id === owner ? 'owner' : person.id === operator ? 'operator' : member?.moderator ? 'moderator' : null
        return { ...person, role, joinedAt: member?.joinedAt ?? null }
      }),
    })
  })

  app.get('/api/view', async (request) => {
    const person = askingPerson(request, emulator)
    return local(emulator, {
      startedAt,
      me: person.view(),
      servers: person.servers(),
      conversations: person.directMessages(),
      bot: { id: emulator.applicationId, online: emulator.botOnline },
      custody: world.custody,
      parts: { bot: world.bot.running, service: world.service.running },
      home: { server: world.cast.server, channels: world.cast.channels },
    })
  })

  app.post('/api/people/:id/wallet', async (request) => {
    askingPerson(request, emulator)
    const { username } = personById(segment(request, 'id'), emulator).view()
    return { link: await inWords(() => world.service.walletLink(username)) }
  })

  app.post('/api/conversations', async (request) => {
    const person = askingPerson(request, emulator)
    const { with: other } = bodyOf(request, z.object({ with: z.string() }))
    return local(emulator, await attempt(() => person.openDm(other)))
  })
}
