import type { Clock } from '../../lib/clock.ts'
import type { Activity } from '../core/activity.ts'
import type { TippingContext } from '../machines/tipping-context.ts'

const MINUTE_MS = 60_000
/** Longer ago than anybody can ask for. */
const RETENTION_MS = 31 * 24 * 60 * MINUTE_MS
const BATCH_SIZE = 500

/**
 * Who was last heard of when, in which server. A busy server says something every second, so it is gathered in memory
 * and written once a minute; a crash forgets the last minute, which costs nobody anything but a chance in a rain.
 */
export class Presence {
  readonly #parts: { readonly clock: Clock; readonly database: TippingContext['database']; readonly activity: Activity }
  readonly #commit: TippingContext['commit']
  #heard = new Map<string, { guild: string; member: string; seenAt: Date }>()
  #forgottenAt = 0

  constructor(parts: Pick<TippingContext, 'clock' | 'database' | 'activity' | 'commit'>) {
    this.#parts = parts
    this.#commit = parts.commit
  }

  /** To the minute, so that it says little about anybody. */
  heard(guild: string, member: string): void {
    const seenAt = new Date(Math.floor(this.#parts.clock.now() / MINUTE_MS) * MINUTE_MS)
    this.#heard.set(`${guild} ${member}`, { guild, member, seenAt })
  }

  /** What was heard of a member is written nowhere. */
  drop(member: string): void {
    for (const [key, heard] of this.#heard) if (heard.member === member) this.#heard.delete(key)
  }

  /** Begins to write what is heard. */
  start(): void {
    this.#parts.activity.every('note who is active', MINUTE_MS, () => this.#write())
  }

  /** Who was heard of in a server since then, in the order of their ids. */
  async since(guild: string, since: Date): Promise<string[]> {
    await this.#write()
    const seen = await this.#parts.database.read.presence.findMany({
      where: { guild, seenAt: { gte: since } },
      orderBy: { member: 'asc' },
    })
    return seen.map(({ member }) => member)
  }

  async #write(): Promise<void> {
    const heard = [...this.#heard.values()]
    this.#heard = new Map()
    for (let at = 0; at < heard.length; at += BATCH_SIZE) {
      const some = heard.slice(at, at + BATCH_SIZE)
      await this.#commit({
        write: async (tx) => {
          for (const { guild, member, seenAt } of some) {
            const where = { guild_member: { guild, member } }
            await tx.presence.upsert({ where, create: { guild, member, seenAt }, update: { seenAt } })
          }
        },
      })
    }
    await this.#forget()
  }

  /** Once a day: nobody needs to know when somebody was here last month. */
  async #forget(): Promise<void> {
    const now = this.#parts.clock.now()
    if (now - this.#forgottenAt < 24 * 60 * MINUTE_MS) return
    this.#forgottenAt = now
    const before = new Date(now - RETENTION_MS)
    await this.#commit({ write: (tx) => tx.presence.deleteMany({ where: { seenAt: { lt: before } } }) })
  }
}
