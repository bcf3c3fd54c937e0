import type { CoreContext } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'

/** `restore`: the book comes from a backup and is not proven yet. */
export type PauseSource = (typeof SOURCES)[number]
const SOURCES = ['cover', 'restore', 'operator'] as const

/**
 * Whether money may leave. While the wallet does not cover the books, or operators say so, payouts, withdrawals and
 * vouchers pause; tips inside the books go on. A pause outlasts a restart.
 */
export class OutgoingPaymentsSwitch {
  readonly #pauses = new Map<PauseSource, string>()

  get open(): boolean {
    return this.#pauses.size === 0
  }

  /** Who paused them, and why. What the wallet lacks comes before what anybody says. */
  get paused(): { readonly source: PauseSource; readonly reason: string } | undefined {
    for (const source of SOURCES) {
      const reason = this.#pauses.get(source)
      if (reason !== undefined) return { source, reason }
    }
    return undefined
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
   * The pause that stands in the way of what is to leave, asked in the transaction that marks it as sent: another process
   * may have paused since, and this one may be writing its pause right now. Undefined where nothing does.
   */
  async pausedIn(tx: Pick<Tx, 'outgoingPause'>): Promise<{ readonly reason: string } | undefined> {
    return this.paused ?? (await tx.outgoingPause.findFirst({ where: { until: null } })) ?? undefined
  }

  async load(context: Pick<CoreContext, 'database'>): Promise<void> {
    for (const pause of await context.database.read.outgoingPause.findMany({ where: { until: null } })) {
      this.#pauses.set(pause.source as PauseSource, pause.reason)
    }
  }

  /** Pauses, or goes on with a new reason. In memory at once, so that nothing leaves while it is being written. */
  async pause(context: Pick<CoreContext, 'commit' | 'clock'>, source: PauseSource, reason: string): Promise<void> {
    this.#pauses.set(source, reason)
    await context.commit({ write: (tx) => this.#write(tx, new Date(context.clock.now()), source, reason) })
  }

  async resume(context: Pick<CoreContext, 'commit' | 'clock'>, source: PauseSource): Promise<void> {
    if (!this.#pauses.has(source)) return
    await context.commit({
      write: (tx) =>
        tx.outgoingPause.updateMany({ where: { source, until: null }, data: { until: new Date(context.clock.now()) } }),
    })
    this.#pauses.delete(source)
  }

  async #write(tx: Tx, at: Date, source: PauseSource, reason: string): Promise<void> {
    const { count } = await tx.outgoingPause.updateMany({ where: { source, until: null }, data: { reason } })
    if (count === 0) await tx.outgoingPause.create({ data: { source, reason, since: at } })
  }
}
