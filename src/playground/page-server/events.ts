import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Person } from '../../discord-emulator/people/person.ts'
import type { EmulatorEvent } from '../../discord-emulator/views.ts'
import type { Clock } from '../../lib/clock.ts'
import { written } from './books.ts'
import { local } from './cdn.ts'
import type { PageWorld } from './page-world.ts'
import { personById } from './request.ts'

/**
 * The time between pulses, which keep proxies and browsers from dropping silent connections. A pulse also reports
 * changes that cause no event.
 */
const pulseMs = 10_000
/**
 * The limit for a tab that does not read its events. Above it, the server disconnects the tab, which loads everything
 * again when it reconnects.
 */
const maxUnreadBytes = 4 * 1024 * 1024

export interface Events {
  /** Tells every tab which parts are running. */
  tellParts(): void
  close(): void
}

/**
 * Serves one person's events as server-sent events: their own private messages and interactions, and everything in the
 * channels that they see. No event is replayed; a page that reconnects loads the state first.
 */
export function serveEvents(app: FastifyInstance, world: PageWorld, clock: Clock): Events {
  const { emulator } = world
  const streams = new Set<Stream>()
  const parts = () => ({ bot: world.bot.running, service: world.service.running, botOnline: emulator.botOnline })
  const tellAll = (name: string, data: unknown) => {
    for (const stream of [...streams]) stream.send(name, data)
  }
  const stopEvents = emulator.subscribe((event) => {
    if (streams.size === 0) return
    const shown = local(emulator, event)
    for (const stream of [...streams]) {
      if (!stream.maySee(event)) continue
      stream.tellLanguage(world)
      stream.send(event.type, shown)
    }
  })
  const stopWire = world.wire.subscribe((line) => {
    if (streams.size > 0) tellAll('wire', written(line))
  })
  let cancelPulse = () => {}
  const pulse = () => {
    tellAll('parts', parts())
    cancelPulse = clock.after(pulseMs, pulse)
  }
  pulse()

  app.get('/api/events', async (request, reply) => {
    const { person } = request.query as { person?: string }
    const stream = new Stream(personById(person ?? '', emulator), reply.raw)
    reply.hijack()
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    streams.add(stream)
    stream.tellLanguage(world)
    reply.raw.on('close', () => streams.delete(stream))
    stream.send('parts', parts())
  })

  return {
    tellParts: () => tellAll('parts', parts()),
    close() {
      cancelPulse()
      stopEvents()
      stopWire()
      for (const stream of streams) stream.end()
    },
  }
}

/** The stream of events to one tab. */
class Stream {
  readonly #person: Person
  readonly #response: ServerResponse
  #channels: ReadonlySet<string>
  #language = ''

  constructor(person: Person, response: ServerResponse) {
    this.#person = person
    this.#response = response
    this.#channels = this.#visibleChannels()
  }

  maySee(event: EmulatorEvent): boolean {
    if (event.type === 'world') this.#channels = this.#visibleChannels()
    if (event.visibleTo !== null) return event.visibleTo === this.#person.id
    return 'channelId' in event ? this.#channels.has(event.channelId) : true
  }

  /** Sends the person's language if it has changed: the language chosen in the bot's settings, or else Discord's. */
  tellLanguage({ bot }: Pick<PageWorld, 'bot'>): void {
    if (!bot.running) return
    const language = bot.tipping.preferences.languageOf(this.#person.id) ?? this.#person.view().locale
    if (language === this.#language) return
    this.#language = language
    this.send('language', language)
  }

  send(name: string, data: unknown): void {
    if (this.#response.writableLength > maxUnreadBytes) this.#response.destroy()
    else this.#response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  end(): void {
    this.#response.end()
  }

  #visibleChannels(): Set<string> {
    const channels = [...this.#person.servers().flatMap(({ channels }) => channels), ...this.#person.directMessages()]
    return new Set(channels.map(({ id }) => id))
  }
}
