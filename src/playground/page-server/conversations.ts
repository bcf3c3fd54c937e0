import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { local } from './cdn.ts'
import type { PageWorld } from './page-world.ts'
import { askingPerson, attempt, bodyOf, segment } from './request.ts'

const optionValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

const MAX_FORM_BYTES = 14 * 1024 * 1024

/** Serves everything that a person reads and does in a channel. */
export function serveConversations(app: FastifyInstance, world: PageWorld): void {
  serveMessages(app, world)
  serveCommands(app, world)
  serveComponents(app, world)
}

function serveMessages(app: FastifyInstance, { emulator }: PageWorld): void {
  app.get('/api/channels/:channel/messages', async (request) => {
    const person = askingPerson(request, emulator)
    const { before } = request.query as { before?: string }
    const page = { limit: 60, ...(before === undefined ? {} : { before }) }
    return local(emulator, await attempt(() => person.conversation(segment(request, 'channel'), page)))
  })

  app.post('/api/channels/:channel/messages', async (request) => {
    const person = askingPerson(request, emulator)
    const { text, replyTo } = bodyOf(request, z.object({ text: z.string(), replyTo: z.string().optional() }))
    const reply = replyTo === undefined ? {} : { replyTo }
    return local(emulator, await attempt(() => person.say(segment(request, 'channel'), text, reply)))
  })

  app.delete('/api/channels/:channel/messages/:message', async (request, reply) => {
    const person = askingPerson(request, emulator)
    await attempt(() => person.delete(segment(request, 'channel'), segment(request, 'message')))
    return reply.code(204).send()
  })

  app.post('/api/channels/:channel/messages/:message/dismiss', async (request, reply) => {
    const person = askingPerson(request, emulator)
    await attempt(() => person.dismiss(segment(request, 'channel'), segment(request, 'message')))
    return reply.code(204).send()
  })

  app.post('/api/channels/:channel/messages/:message/reactions', async (request, reply) => {
    const person = askingPerson(request, emulator)
    const { emoji, on } = bodyOf(request, z.object({ emoji: z.string(), on: z.boolean() }))
    const place = [segment(request, 'channel'), segment(request, 'message'), emoji] as const
    await attempt(() => (on ? person.react(...place) : person.unreact(...place)))
    return reply.code(204).send()
  })
}

function serveCommands(app: FastifyInstance, { emulator }: PageWorld): void {
  app.get('/api/channels/:channel/commands', async (request) => {
    const person = askingPerson(request, emulator)
    return await attempt(() => person.commands(segment(request, 'channel')))
  })

  app.post('/api/channels/:channel/run', async (request) => {
    const person = askingPerson(request, emulator)
    const { path, values } = bodyOf(request, z.object({ path: z.string(), values: optionValues }))
    return await attempt(() => person.run(segment(request, 'channel'), path, values).view())
  })

  app.post('/api/channels/:channel/suggestions', async (request) => {
    const person = askingPerson(request, emulator)
    const asked = bodyOf(request, z.object({ path: z.string(), values: optionValues, focused: z.string() }))
    const channel = segment(request, 'channel')
    return await attempt(() => person.autocomplete(channel, asked.path, asked.values, asked.focused))
  })

  app.post('/api/channels/:channel/messages/:message/menu', async (request) => {
    const person = askingPerson(request, emulator)
    const { name } = bodyOf(request, z.object({ name: z.string() }))
    const place = [segment(request, 'channel'), segment(request, 'message')] as const
    return await attempt(() => person.useOnMessage(...place, name).view())
  })

  app.post('/api/channels/:channel/people/:person/menu', async (request) => {
    const person = askingPerson(request, emulator)
    const { name } = bodyOf(request, z.object({ name: z.string() }))
    const place = [segment(request, 'channel'), segment(request, 'person')] as const
    return await attempt(() => person.useOnPerson(...place, name).view())
  })
}

function serveComponents(app: FastifyInstance, { emulator }: PageWorld): void {
  app.post('/api/channels/:channel/messages/:message/press', async (request) => {
    const person = askingPerson(request, emulator)
    const { customId } = bodyOf(request, z.object({ customId: z.string() }))
    const place = [segment(request, 'channel'), segment(request, 'message')] as const
    return await attempt(() => person.press(...place, customId).view())
  })

  app.post('/api/channels/:channel/messages/:message/choose', async (request) => {
    const person = askingPerson(request, emulator)
    const { customId, values } = bodyOf(request, z.object({ customId: z.string(), values: z.array(z.string()) }))
    const place = [segment(request, 'channel'), segment(request, 'message')] as const
    return await attempt(() => person.choose(...place, customId, values).view())
  })

  // A form may carry a picture.
  app.post('/api/interactions/:interaction/submit', { bodyLimit: MAX_FORM_BYTES }, async (request) => {
    const person = askingPerson(request, emulator)
    const field = z.union([z.string(), z.array(z.string())])
    const { values } = bodyOf(request, z.object({ values: z.record(z.string(), field) }))
    return await attempt(() => person.submit(segment(request, 'interaction'), values).view())
  })

  app.get('/api/interactions/:interaction', async (request) => {
    const person = askingPerson(request, emulator)
    const view = emulator.interaction(segment(request, 'interaction'))
    return { interaction: view?.personId === person.id ? view : null }
  })
}
