import type { CoreContext } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'

/** `restore`: the book comes from a backup and is not proven yet. */
export type PauseSource = (typeof SOURCES)[number]
const SOURCES = ['cover', 'restore', 'operator'] as const

/**
 * Whether money may leave. While the wallet does not cover the books, or operators say so, payouts, withdrawals and
 * vouchers pause; tips inside the books continue. A pause outlasts a restart. The book holds the pauses; this caches
 * the last reading, for quick refusals. The sender asks the book itself: `pausedIn`.
 */
export class OutgoingPaymentsSwitch {
  #known = new Map<PauseSource, string>()
  /** Pauses that this process is writing, or could not write. It holds at once, so nothing leaves meanwhile. */
  readonly #unwritten = new Set<Pause>()
  #reads = 0
  #latestRead = 0

  get open(): boolean {
    return this.paused === undefined
  }

  /** The reason for the pause and its author. A gap in the wallet comes before any person's pause. */
  get paused(): Pause | undefined {
    for (const source of SOURCES) {
      const reason = this.#known.get(source)
      if (reason !== undefined) return { source, reason }
    }
    return this.#pending
  }

  get #pending(): Pause | undefined {
    const [pause] = this.#unwritten
    return pause
  }

  /** Why they are paused, for operators. */
  get reason(): string | undefined {
    return this.paused?.reason
  }

  /** Throws TippingRefusal `outgoing-paused…` where nothing may leave. */
  assertOutgoingEnabled(): void {
    const { source, reason = '' } = this.paused ?? {}
    if (source === 'cover') throw new TippingRefusal('outgoing-paused', {})
    if (source === 'restore') throw new TippingRefusal('outgoing-paused-after-restore', {})
    if (source === 'operator') throw new TippingRefusal('outgoing-paused-by-operator', { reason })
  }

  /**
   * The pause that stops an outgoing operation, read in the transaction that marks it as sent: another process may have
   * paused since, and this one may be writing its pause right now. Undefined where nothing does.
   */
  async pausedIn(tx: Pick<Tx, 'outgoingPause'>): Promise<{ readonly reason: string } | undefined> {
    return this.#pending ?? (await tx.outgoingPause.findFirst({ where: { until: null } })) ?? undefined
  }

  /** Reads what pauses. Another process on the same book may have paused, or gone on. */
  async load(context: Pick<CoreContext, 'database'>): Promise<void> {
    this.#reads += 1
    const read = this.#reads
    const pauses = await readPauses(context)
    // Reads may overtake each other: the one that began last knows best.
    if (read < this.#latestRead) return
    this.#latestRead = read
    this.#known = new Map(pauses.map(({ source, reason }) => [source as PauseSource, reason]))
  }

  /**
   * Pauses, or continues with a new reason. A pause that could not be written holds in this process until it is ended.
   */
  async pause(context: SwitchContext, source: PauseSource, reason: string): Promise<void> {
    const pause = { source, reason }
    this.#unwritten.add(pause)
    await context.commit({ write: (tx) => write(tx, new Date(context.clock.now()), pause) })
    await this.load(context)
    this.#unwritten.delete(pause)
  }

  /** The pauses in force. To be read before anything that speaks for an end of it. */
  async inForce(context: Pick<CoreContext, 'database'>): Promise<PausesInForce> {
    const unwritten = [...this.#unwritten]
    const pauses = await readPauses(context)
    return { ids: new Map(pauses.map(({ source, id }) => [source as PauseSource, id])), unwritten }
  }

  /**
   * Whether the books were restored from a backup at or after a moment: later payments are not in them. A continued
   * pause gets another id, so nobody ends it who knows only the earlier one. Resolves to whether a pause has ended.
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

/** The pauses that were in force at a moment: each by its id in the book, and what this process could not write. */
export interface PausesInForce {
  readonly ids: ReadonlyMap<PauseSource, number>
  readonly unwritten: readonly Pause[]
}

interface Pause {
  readonly source: PauseSource
  readonly reason: string
}

type SwitchContext = Pick<CoreContext, 'commit' | 'clock' | 'database'>

/** Whether the books were restored from a backup at or after a moment: what was paid since the backup is not in them. */
export async function restoredSince(client: Pick<Tx, 'outgoingPause'>, at: Date): Promise<boolean> {
  return (await client.outgoingPause.count({ where: { source: 'restore', since: { gte: at } } })) > 0
}

async function readPauses({ database }: Pick<CoreContext, 'database'>) {
  return await database.read.outgoingPause.findMany({ where: { until: null } })
}

/** A pause that goes on gets another id, so that nobody ends it who knows only of the one before. */
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
