import type { ShardSession, ShardSessions, Shards, ShardsTaken } from '../../src/tipping/tipping.ts'

/** Shards that all belong to this process and, after it, to the next one. */
export class FakeShards implements Shards {
  readonly sessions = new Map<number, ShardSession>()
  /** The number of times that a session was stored. */
  saves = 0
  /** Whether another process has all the shards. */
  taken = false
  #whenFree: (() => Promise<void>) | undefined

  async take(count: number): Promise<ShardsTaken> {
    const all = this.taken ? [] : Array.from({ length: count }, (_, shard) => shard)
    return { count, own: new Map(all.map((shard) => [shard, this.sessions.get(shard)])), surplus: [] }
  }

  async save(sessions: ShardSessions): Promise<void> {
    this.saves += 1
    for (const [shard, session] of sessions) {
      if (session === undefined) this.sessions.delete(shard)
      else this.sessions.set(shard, session)
    }
  }

  giveBack(sessions: ShardSessions): Promise<void> {
    return this.save(sessions)
  }

  leave(sessions: ShardSessions): Promise<void> {
    return this.save(sessions)
  }

  async turn(): Promise<number> {
    return 0
  }

  whenFree(run: () => Promise<void>): void {
    this.#whenFree = run
  }

  /** Acts as a lease's renewal, at which shards of another process may turn out to be free. */
  async round(): Promise<void> {
    await this.#whenFree?.()
  }
}
