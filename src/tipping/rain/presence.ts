import { NewestNames } from '../../lib/newest-names.ts'
import type { Tx } from '../core/database.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

const MINUTE_MS = 60_000
/** How long activity is stored: longer than the longest period that a command accepts. */
const RETENTION_MS = 31 * 24 * 60 * MINUTE_MS
const BATCH_SIZE = 500

/**
 * The most random orders that are remembered. An order is needed only for the seconds between a command's dry run and
 * the command.
 */
const MAX_ORDERS = 500

/**
 * The interval between writes if several bots share the book. It is short because the bot that gets a command is seldom
 * the one that heard the members.
 */
const BESIDE_OTHERS_MS = 10_000

type Parts = Pick<TippingContext, 'clock' | 'database' | 'activity' | 'commit' | 'ownership' | 'settings'>

interface Heard {
  readonly guild: string
  readonly member: string
  /** The time of the activity, rounded to the minute so that it reveals little about anybody. */
  readonly seenAt: Date
  /** Whether the activity was a message, not a press or a command. */
  readonly wrote: boolean
  /** The exact time, which is compared with the time of a deletion, but never stored. */
  readonly at: number
}

/**
 * Records when each person was last active in each server. A busy server has activity every second, so activity is
 * gathered in memory and written at intervals, at most once a minute for each member. A crash loses unwritten activity,
 * which costs somebody at most a share of a rain.
 */
export class Presence {
  readonly #parts: Parts
  #heard = new Map<string, Heard>()
  /** The keys of activity that has already been written for this minute. */
  readonly #written = { minute: 0, keys: new Set<string>() }
  #forgottenAt = 0
  /** The random order of people for each command, by the command's interaction. */
  readonly #orders = new NewestNames<readonly string[]>(MAX_ORDERS)

  constructor(parts: Parts) {
    this.#parts = parts
  }

  heard(guild: string, member: string, by: 'message' | 'command' = 'message'): void {
    const at = this.#parts.clock.now()
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS
    const key = `${by} ${guild} ${member}`
    if (minute === this.#written.minute && this.#written.keys.has(key)) return
    // Written in the order of their latest activity.
    this.#heard.delete(key)
    this.#heard.set(key, { guild, member, seenAt: new Date(minute), wrote: by === 'message', at })
  }

  /**
   * Returns the random order of people for a command. The order is the same for the dry run, which shows recipients,
   * and for the command itself. People who became active in between come last.
   */
  order(
    interaction: string,
    people: readonly string[],
    shuffle: (some: readonly string[]) => readonly string[],
  ): string[] {
    const before = this.#orders.get(interaction) ?? []
    const still = new Set(people)
    const known = new Set(before)
    const order = [...before.filter((id) => still.has(id)), ...shuffle(people.filter((id) => !known.has(id)))]
    this.#orders.set(interaction, order)
    return order
  }

  /** Starts writing activity at intervals. */
  start(): void {
    const { activity, ownership, settings } = this.#parts
    const everyMs = ownership.alone ? settings.noteActiveEveryMs : BESIDE_OTHERS_MS
    activity.every('note who is active', everyMs, () => this.write())
  }

  /** Returns the people who were active in a server since a time, sorted by id. */
  async since(guild: string, since: Date): Promise<string[]> {
    await this.write()
    const seen = await this.#parts.database.read.presence.findMany({
      where: { guild, seenAt: { gte: since } },
      orderBy: { member: 'asc' },
    })
    return seen.map(({ member }) => member)
  }

  /** Writes the activity gathered until now to the book, and deletes old activity. */
  async write(): Promise<void> {
    const heard = [...this.#heard]
    this.#heard = new Map()
    for (let at = 0; at < heard.length; at += BATCH_SIZE) {
      const some = heard.slice(at, at + BATCH_SIZE)
      await this.#parts.commit({
        write: (tx) =>
          write(
            tx,
            some.map(([, one]) => one),
          ),
      })
      for (const [key, { seenAt }] of some) this.#note(key, seenAt.getTime())
    }
    await this.#forget()
  }

  #note(key: string, minute: number): void {
    if (minute < this.#written.minute) return
    if (minute > this.#written.minute) this.#written.keys.clear()
    this.#written.minute = minute
    this.#written.keys.add(key)
  }

  /** Deletes old activity once a day, because nobody needs to know who was here last month. */
  async #forget(): Promise<void> {
    const now = this.#parts.clock.now()
    if (now - this.#forgottenAt < 24 * 60 * MINUTE_MS) return
    this.#forgottenAt = now
    const before = new Date(now - RETENTION_MS)
    await this.#parts.commit({ write: (tx) => tx.presence.deleteMany({ where: { seenAt: { lt: before } } }) })
  }
}

/** Writes activity, except activity that precedes a deletion of the member's data. */
async function write(tx: Tx, heard: readonly Heard[]): Promise<void> {
  const where = { id: { in: heard.map(({ member }) => member) }, forgottenAt: { not: null } }
  // Stryker disable next-line ObjectLiteral: avoids reading other members.
  const forgotten = await tx.member.findMany({ where, select: { id: true, forgottenAt: true } })
  const since = new Map(forgotten.map(({ id, forgottenAt }) => [id, forgottenAt?.getTime() ?? 0]))
  for (const { guild, member, seenAt, wrote, at } of heard) {
    if (at <= (since.get(member) ?? Number.NEGATIVE_INFINITY)) continue
    const key = { guild_member: { guild, member } }
    const data = { seenAt, ...(wrote && { wroteAt: seenAt }) }
    await tx.presence.upsert({ where: key, create: { guild, member, ...data }, update: data })
  }
}
