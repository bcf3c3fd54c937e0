import type { CoreContext } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'

/** The source of a pause. `restore`: the book comes from a backup that is not proven yet. */
export type PauseSource = (typeof SOURCES)[number]
const SOURCES = ['cover', 'restore', 'operator'] as const

const BY_AUDIT = 'It ends by itself when an audit finds everything right.'
/** How each pause ends, in words for operators. */
export const PAUSE_ENDS: Readonly<Record<PauseSource, string>> = {
  cover: BY_AUDIT,
  restore: BY_AUDIT,
  operator: '/admin resume ends it, or on this machine: npx satchel admin resume.',
}

/**
 * Decides whether money may leave. Payouts, withdrawals and vouchers pause while the wallet does not cover the books,
 * while a restored book is not proven, or while operators want a pause. Tips inside the books continue. A pause
 * outlasts a restart. The book holds the pauses, and this class caches the last reading for quick refusals. The sender
 * checks the book itself: `pausedIn`.
 */
export class OutgoingPaymentsSwitch {
  #known = new Map<PauseSource, string>()
  /** Pauses that this process is writing, or could not write. They apply at once, so nothing leaves meanwhile. */
  readonly #unwritten = new Set<Pause>()
  #reads = 0
  #latestRead = 0

  get open(): boolean {
    return this.paused === undefined
  }

  /** The first of all pauses: who or what pauses payments, and why. */
  get paused(): Pause | undefined {
    return this.all[0]
  }

  /** Why payments are paused, in words for operators. */
  get reason(): string | undefined {
    return this.paused?.reason
  }

  /** All pauses, each with its source and reason. A pause for a gap in the wallet comes before an operator's. */
  get all(): readonly Pause[] {
    const written = SOURCES.flatMap((source) => {
      const reason = this.#known.get(source)
      return reason === undefined ? [] : [{ source, reason }]
    })
    return written.length === 0 && this.#pending ? [this.#pending] : written
  }

  get #pending(): Pause | undefined {
    const [pause] = this.#unwritten
    return pause
  }

  /** Throws TippingRefusal `outgoing-paused…` if nothing may leave. */
  assertOutgoingEnabled(): void {
    const { source, reason = '' } = this.paused ?? {}
    if (source === 'cover') throw new TippingRefusal('outgoing-paused', {})
    if (source === 'restore') throw new TippingRefusal('outgoing-paused-after-restore', {})
    if (source === 'operator') throw new TippingRefusal('outgoing-paused-by-operator', { reason })
  }

  /**
   * Returns the pause that stops an outgoing operation; undefined if none does. Call this in the transaction that marks
   * the operation as sent, because another process may have paused since, and this one may be writing its own pause.
   */
  async pausedIn(tx: Pick<Tx, 'outgoingPause'>): Promise<{ readonly reason: string } | undefined> {
    return this.#pending ?? (await tx.outgoingPause.findFirst({ where: { until: null } })) ?? undefined
  }

  /** Reads the pauses at the bot's start, and logs a warning of each. */
  async begin(context: Pick<CoreContext, 'database' | 'logger'>): Promise<void> {
    await this.load(context)
    for (const { source, reason } of this.all)
      context.logger.warn({ paused: source }, `outgoing payments are paused: ${reason}. ${PAUSE_ENDS[source]}`)
  }

  /** Reads the pauses. Another process on the same book may have started or ended one. */
  async load(context: Pick<CoreContext, 'database'>): Promise<void> {
    this.#reads += 1
    const read = this.#reads
    const pauses = await readPauses(context)
    // Reads may finish out of order. The latest one to begin wins.
    if (read < this.#latestRead) return
    this.#latestRead = read
    this.#known = new Map(pauses.map(({ source, reason }) => [source as PauseSource, reason]))
  }

  /**
   * Pauses payments, or gives an existing pause a new reason. A pause that could not be written applies in this process
   * until it is ended.
   */
  async pause(context: SwitchContext, source: PauseSource, reason: string): Promise<void> {
    const pause = { source, reason }
    this.#unwritten.add(pause)
    await context.commit({ write: (tx) => write(tx, new Date(context.clock.now()), pause) })
    await this.load(context)
    this.#unwritten.delete(pause)
  }

  /** Returns the pauses in force. Call this before any check that could justify ending a pause. */
  async inForce(context: Pick<CoreContext, 'database'>): Promise<PausesInForce> {
    const unwritten = [...this.#unwritten]
    const pauses = await readPauses(context)
    return { ids: new Map(pauses.map(({ source, id }) => [source as PauseSource, id])), unwritten }
  }

  /**
   * Ends the pause of a source, if it is the one in `then`. A continued pause gets another id, so a caller who read
   * only the earlier pause cannot end it. Resolves to whether a pause has ended.
   */
  async resume(context: SwitchContext, source: PauseSource, then: PausesInForce): Promise<boolean> {
    const id = then.ids.get(source)
    const unwritten = then.unwritten.filter((pause) => pause.source === source)
    const ended = id !== undefined && (await end(context, id))
    await this.load(context)
    for (const pause of unwritten) this.#unwritten.delete(pause)
    return ended || unwritten.length > 0
  }
}

/** The pauses in force at one moment: the ids of those in the book, and those that this process has not written. */
export interface PausesInForce {
  readonly ids: ReadonlyMap<PauseSource, number>
  readonly unwritten: readonly Pause[]
}

/** The source of a pause, and the reason why nothing leaves. */
export interface Pause {
  readonly source: PauseSource
  readonly reason: string
}

type SwitchContext = Pick<CoreContext, 'commit' | 'clock' | 'database'>

/**
 * Whether the books were restored from a backup at or after a moment. They then lack the payments made since the
 * backup.
 */
export async function restoredSince(client: Pick<Tx, 'outgoingPause'>, at: Date): Promise<boolean> {
  return (await client.outgoingPause.count({ where: { source: 'restore', since: { gte: at } } })) > 0
}

async function readPauses({ database }: Pick<CoreContext, 'database'>) {
  return await database.read.outgoingPause.findMany({ where: { until: null } })
}

/**
 * Writes a pause. A continued pause gets another id, so that a caller who read only the earlier pause cannot end it.
 */
async function write(tx: Tx, at: Date, { source, reason }: Pause): Promise<void> {
  const before = await tx.outgoingPause.findFirst({ where: { source, until: null } })
  if (before !== null) await tx.outgoingPause.delete({ where: { id: before.id } })
  await tx.outgoingPause.create({ data: { source, reason, since: before?.since ?? at } })
}

async function end({ commit, clock }: SwitchContext, id: number): Promise<boolean> {
  const until = new Date(clock.now())
  const { count } = await commit({
    write: (tx) => tx.outgoingPause.updateMany({ where: { id, until: null }, data: { until } }),
  })
  return count > 0
}
