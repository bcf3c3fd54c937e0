import { AlreadyWritten, type LedgerChange, LedgerUnavailable } from '../../ledger/ledger.ts'
import { isUnavailable } from '../../lib/database/database-errors.ts'
import type { ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { DEPOSITS } from '../deposits/poll-deposit.ts'
import type { IncomingKind } from '../engine/incoming/read-charge.ts'
import { OnceOnly } from '../engine/once-only/once-only.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Deposit, InvoicedTip } from '../generated/client.ts'
import { messageTipsCard } from '../tips/message-tips-card.ts'
import { performTip } from '../tips/send-tip.ts'
import type { TipNotSentReason } from './invoiced-tips.ts'
import { readStoredTip } from './stored-tip.ts'

/**
 * Deposits, including the tips that wait for them. The transaction that credits a deposit also sends its tip, so
 * nothing else can spend the sats in between. If the tip can no longer be sent, the sats stay in its giver's balance.
 */
export const DEPOSITS_WITH_TIPS: IncomingKind<Deposit> = {
  ...DEPOSITS,
  async commit(context, deposit, credit) {
    const tip = await context.database.read.invoicedTip.findUnique({ where: { id: deposit.id } })
    if (tip?.state !== 'waiting') return await context.commit(credit)
    const reason = isInTime(context, deposit) ? await send(context, tip, credit) : 'late'
    if (reason !== undefined) await context.commit(also(credit, ending(tip, { state: 'kept', because: reason })))
  },
}

/**
 * The time within which a deposit is read even if its callback was lost. A later reading means that the bot was down.
 */
const READ_WITHIN_MS = 10 * 60_000

/**
 * Returns whether a payment is in time. A payment that is read long after the deposit closed may have been made late,
 * and the giver may have tipped in another way by then.
 */
function isInTime({ clock, clockWatch }: ReadonlyBook, { state, closesAt }: Deposit): boolean {
  if (state !== 'open') return false
  return closesAt === null || !clockWatch.isSteady() || clock.now() < closesAt.getTime() + READ_WITHIN_MS
}

/**
 * Credits a deposit and sends its tip in one change. If the tip cannot be sent, writes nothing, and resolves to the
 * reason.
 */
async function send(
  context: TippingContext,
  tip: InvoicedTip,
  credit: LedgerChange<Tx>,
): Promise<TipNotSentReason | undefined> {
  let isWritten = false
  const crediting: TippingContext = {
    ...context,
    commit: async <T>(change: LedgerChange<Tx, T>) => {
      const sending = also(credit, ending(tip, { state: 'sent' }))
      const written = await context.commit(also(sending, change))
      isWritten = true
      return written
    },
  }
  try {
    const { once, gift } = readStoredTip(tip.gift)
    const tippedMessage =
      gift.kind === 'tally' ? { tippedMessage: { message: gift.message, card: messageTipsCard(gift.message) } } : {}
    // Needs its own OnceOnly: the same command may run now, and be refused for lack of the sats that arrive here.
    await new OnceOnly(context.database).perform(once, (digest) =>
      performTip(crediting, { ...gift, digest, ...tippedMessage }),
    )
  } catch (error) {
    // Another reader has credited it, or the database is unreachable. Neither concerns the tip, which is sent at the
    // next reading.
    const isAway = error instanceof LedgerUnavailable || isUnavailable(error)
    if (isWritten || isAway || error instanceof AlreadyWritten) throw error
    if (error instanceof TippingRefusal) return error.code
    context.logger.error({ err: error, deposit: tip.id }, 'a tip that was paid by invoice could not be sent')
    return 'unexpected'
  }
  return isWritten ? undefined : 'sent-before'
}

/** Combines two changes so that the second sees what the first has written. */
function also<T>(
  first: LedgerChange<Tx, unknown>,
  { entries = [], rows = [], write }: LedgerChange<Tx, T>,
): LedgerChange<Tx, T> {
  return {
    entries: [...(first.entries ?? []), ...entries],
    rows: [...(first.rows ?? []), ...rows],
    write: async (tx) => {
      await first.write?.(tx)
      return (await write?.(tx)) as T
    },
  }
}

/** Returns the change that ends a waiting tip. The change fails if the tip has already ended. */
function ending(
  { id }: InvoicedTip,
  data: { readonly state: 'sent' | 'kept'; readonly because?: TipNotSentReason },
): LedgerChange<Tx> {
  return {
    write: async (tx) => {
      await tx.invoicedTip.update({ where: { id, state: 'waiting' }, data })
    },
  }
}
