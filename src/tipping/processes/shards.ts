/** A session at Discord's gateway that may be gone on with, by this process or by another. */
export interface ShardSession {
  readonly id: string
  /** Where Discord wants to be asked to resume it. */
  readonly resumeUrl: string
  /** The number of the last event that was heard. Later events are told again. */
  readonly sequence: number
  /** The session's intents, as a bit field. It stays so for as long as the session lasts. */
  readonly intents: number
}

/** Sessions by shard; undefined: none to resume. */
export type ShardSessions = ReadonlyMap<number, ShardSession | undefined>

/** Shards that a process runs. */
export interface ShardsTaken {
  /** How many shards there are, of all processes. */
  readonly count: number
  /** This process's shards, with what the book last knew of their sessions. */
  readonly own: ShardSessions
  /** Those of them that are more than this process's share: to be ended and given back. */
  readonly surplus: readonly number[]
}

/**
 * The shards of Discord's gateway, shared out among the bots of one book. Each shard is one process's: of the one that
 * its row names, for as long as that process lives. A process that gives it back, or dies, leaves the session to
 * the next.
 */
export interface Shards {
  /**
   * Takes this process's share of the shards that nobody has. `recommended` is Discord's number; it counts if no living
   * process has any shard, since all that run at one time share one number. Throws OwnershipLost when another process
   * may have what this one had.
   */
  take(recommended: number): Promise<ShardsTaken>
  /** Stores sessions of this process's shards. Other processes' sessions stay as they are. */
  save(sessions: ShardSessions): Promise<void>
  /** Gives shards back, with their sessions. */
  giveBack(sessions: ShardSessions): Promise<void>
  /** Returns all of this process's shards with these sessions; it wants none any more. */
  leave(sessions: ShardSessions): Promise<void>
  /**
   * Takes the turn to begin a session of a shard. Shards whose numbers leave the same rest by `concurrency` share one turn every five
   * seconds, whichever process runs them. Gives the milliseconds to wait before asking again; 0: the turn is this process's.
   * Throws OwnershipLost when another process may have what this one had.
   * https://docs.discord.com/developers/events/gateway#sharding-max-concurrency
   */
  turn(shard: number, concurrency: number): Promise<number>
  /** Runs something whenever shards of others may have become free. Never where no other process works on the book. */
  whenFree(run: () => Promise<void>): void
}
