import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { LedgerUnavailable } from '../../src/ledger/ledger.ts'
import { pause } from '../../src/lib/clock.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createServerFeed } from '../../src/web/public-api/event-feed.ts'
import { Died } from '../world/crashing-database.ts'
import { isDatabaseAway } from '../world/database-away.ts'
import { Bug, type SimWorld } from '../world/world.ts'
import type { Stage } from './people.ts'

/** The server whose events programs read. */
export const READ_GUILD = 'guild'
const READERS = 3
/** The longest time that a program reads the stream, in ms, longer than the feed takes to read the book. */
const MAX_LISTENING_MS = 5_000

/**
 * Lets a program begin to read, from now on or from the book's first entry, and lets a program that began earlier
 * resume after the last event that it has stored.
 */
export async function readEvents(stage: Stage): Promise<void> {
  const { chance, world } = stage
  const { programs } = world.judge
  if (programs.readers.length < READERS) {
    const isFromTheFirst = chance.happens(0.5)
    const begun = await stage.insist<{ readonly id?: string; readonly from: number }>(
      'a program begins to read',
      async ({ serverEvents }) => ({ from: isFromTheFirst ? 0 : await serverEvents.latest() }),
      'once',
    )
    if ('done' in begun) stage.readers.push(programs.begins(begun.done.from))
  }
  // A reader at work is not among them.
  const reader = stage.readers.shift()
  if (reader === undefined) return
  const heard = await listen(world, programs.cursorOf(reader), chance.between(0, MAX_LISTENING_MS))
  // The program may die before it has stored everything.
  const noted = heard.slice(0, chance.happens(0.3) ? chance.between(0, heard.length) : undefined)
  programs.told(reader, noted)
  stage.readers.push(reader)
  stage.note(`a program hears of ${heard.length} events, and notes ${noted.length}`)
}

/** Lets all readers read the remaining events, in calm weather. */
export async function readToTheEnd(world: SimWorld): Promise<void> {
  const { programs } = world.judge
  for (const reader of programs.readers) {
    for (;;) {
      const heard = await listen(world, programs.cursorOf(reader), MAX_LISTENING_MS)
      programs.told(reader, heard)
      if (heard.length === 0) break
    }
  }
}

/**
 * Reads one bot's stream after the last stored event, for a limited time, or until that bot dies. Resolves to the
 * numbers of the received events. Throws Bug if the stream cannot begin.
 */
async function listen({ bot, faults, timeline: clock }: SimWorld, since: number, ms: number): Promise<number[]> {
  const { process, tipping } = await bot.anyUp()
  const { life } = process
  const feed = createServerFeed({
    events: tipping.serverEvents,
    everybodySees: () => true,
    testMoney: () => true,
    ...{ clock, logger: silentLogger },
  })
  const stream = new HeardStream()
  const response = stream as unknown as ServerResponse
  const reader = { key: 'arena', to: READ_GUILD, response, since, isWelcome: async () => true }
  try {
    await Promise.race([feed.add(reader).then(() => pause(clock, ms)), life.death])
  } catch (error) {
    const stops = process.stopping && error instanceof LedgerUnavailable
    if (!(error instanceof Died) && !stops && !isDatabaseAway(error, faults))
      throw new Bug(`a stream of events after ${since} does not begin`, { cause: error })
  } finally {
    // A dead bot answers nothing that the feed may still wait for.
    void feed.close()
    stream.destroy()
  }
  return stream.ids
}

/** A program's end of a stream. */
class HeardStream extends Writable {
  #text = ''

  writeHead(): this {
    return this
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#text += chunk.toString()
    done()
  }

  get ids(): number[] {
    return [...this.#text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
  }
}
