import { AlreadyWritten } from '../../ledger/ledger.ts'
import { msats } from '../../lib/amount.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { member, WALLET } from '../books.ts'
import { now, type TippingContext } from '../context.ts'
import type { Voucher, Watch } from '../generated/client.ts'
import { raiseAlarm } from '../oversight/alarms.ts'
import { END, inMs, type Next, paceMs } from '../watches/watcher.ts'
import { endVoucher } from './end-voucher.ts'
import { askForVoucher, type VoucherBody } from './run-voucher.ts'

/** A key may be sent again this long; after that the provider may have forgotten it. */
const REPLAY_WITHIN_MS = 24 * 3_600_000
/** Longer than this without an answer, and operators are told. */
const PATIENCE_MS = 3_600_000
/** A replayed refusal may be the answer to a second attempt, for want of what the first one took. */
const DUE_TO_THE_FIRST = 'insufficient_funds'

/** Looks into a voucher whose creation is unknown, and reads what became of one that is live. */
export async function lookAtVoucher(context: TippingContext, watch: Watch): Promise<Next> {
  const voucher = await context.database.read.voucher.findUnique({ where: { id: watch.id } })
  if (voucher === null || voucher.provider !== context.payments.provider) return END
  if (voucher.state === 'unknown') return resolve(context, voucher)
  if (voucher.state === 'live') return read(context, voucher)
  return END
}

/** Proof is the first attempt's own answer, replayed for its key. No amount of time turns unknown into failed. */
async function resolve(context: TippingContext, voucher: Voucher): Promise<Next> {
  const ageMs = Math.max(context.clock.now() - (voucher.sentAt?.getTime() ?? 0), 0)
  if (voucher.body !== null && context.replaysKeys() && ageMs < REPLAY_WITHIN_MS) {
    try {
      const made = await askForVoucher(context, voucher.key, JSON.parse(voucher.body) as VoucherBody)
      await endVoucher(context, voucher, { kind: 'created', voucher: made })
      return inMs(paceMs(now(context), context.clock.now()))
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error
      if (error.replayed && error.kind === 'refused' && error.code !== undefined && error.code !== DUE_TO_THE_FIRST) {
        await endVoucher(context, voucher, { kind: 'failed', reason: error.message })
        return END
      }
    }
  }
  if (ageMs >= PATIENCE_MS) await tellOperators(context, voucher)
  if (ageMs >= REPLAY_WITHIN_MS) return END
  return inMs(Math.min(Math.max(ageMs / 2, 2_000), 3_600_000))
}

async function tellOperators(context: TippingContext, { id, amount, sentAt, reason }: Voucher): Promise<void> {
  const text = `the creation of a voucher of ${amount} msats has been unknown since ${sentAt?.toISOString()}: ${reason}`
  await context.commit({ write: (tx) => raiseAlarm(context, tx, { kind: 'voucher-unknown', about: id, text }) })
}

/** Reads a live voucher, and first has it taken back if that is wanted: what counts is what is read afterwards. */
async function read(context: TippingContext, voucher: Voucher): Promise<Next> {
  const again = inMs(voucher.revoking ? 10_000 : paceMs(voucher.createdAt, context.clock.now()))
  if (voucher.voucherId === null || voucher.code === null) return END
  try {
    if (voucher.revoking) await tryToRevoke(context, voucher, voucher.code)
    const { data } = await context.payments.retrieveVoucher({ voucherId: voucher.voucherId })
    if (data.revokedAt !== null) await takeBack(context, voucher)
    else if (data.redeemedAt !== null) await noteRedeemed(context, voucher)
    else return again
    return END
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    context.logger.warn({ voucher: voucher.id, reason: error.message }, 'a voucher could not be read')
    return again
  }
}

async function tryToRevoke(context: TippingContext, { id }: Voucher, code: string): Promise<void> {
  try {
    await context.payments.revokeVoucher({ code }, { idempotencyKey: `revoke-${id}-${context.entropy.uuid()}` })
  } catch (error) {
    // Whether it was revoked, redeemed or neither is read next; the answer proves nothing that reading does not.
    if (!(error instanceof PaymentsError)) throw error
  }
}

async function takeBack(context: TippingContext, voucher: Voucher): Promise<void> {
  const { id, amount, card } = voucher
  const moves = [{ from: WALLET, to: member(voucher.member), amount: msats(amount) }]
  try {
    await context.commit({
      entries: [{ operation: id, step: 'revoked', moves }],
      write: async (tx) => {
        const data = { state: 'revoked', code: null, revoking: false, endedAt: now(context) }
        await tx.voucher.update({ where: { id, state: 'live' }, data })
        await context.cards.raise(tx, await cardsOf(tx, id, card))
      },
    })
  } catch (error) {
    if (!(error instanceof AlreadyWritten)) throw error // Two read it at once.
  }
}

async function noteRedeemed(context: TippingContext, { id, card }: Voucher): Promise<void> {
  await context.commit({
    write: async (tx) => {
      const data = { state: 'redeemed', code: null, revoking: false, endedAt: now(context) }
      const { count } = await tx.voucher.updateMany({ where: { id, state: 'live' }, data })
      if (count === 1) await context.cards.raise(tx, await cardsOf(tx, id, card))
    },
  })
}

/** Its own card or its drop's, and those of whoever was told its code. */
async function cardsOf(tx: Pick<TippingContext['database']['read'], 'card' | 'dropClaim'>, id: string, card: string) {
  const [gift, claim] = await Promise.all([
    tx.card.findUnique({ where: { kind_record: { kind: 'voucher-gift', record: id } } }),
    tx.dropClaim.findUnique({ where: { voucherId: id } }),
  ])
  return [card, gift?.id, claim?.card].filter((each) => each !== undefined)
}
