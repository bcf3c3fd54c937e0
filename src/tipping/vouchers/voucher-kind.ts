import { type Msats, msats } from '../../lib/money/amount.ts'
import type { DataOf, Operations } from '../../payments-api/payments-api.ts'
import { OPERATOR, WALLET } from '../core/chart-of-accounts.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { person } from '../engine/alerts/alerts.ts'
import type { OutcomeRecord, OutgoingContext, OutgoingKind } from '../engine/outgoing/outgoing.ts'
import { accountsOf, FIRST_POLL_MS, feeMoves } from '../engine/outgoing/record-outcome.ts'
import { END, inMs } from '../engine/polling/poller.ts'
import type { Prisma, Voucher } from '../generated/client.ts'
import { logReturnedCodes } from './log-returned-codes.ts'

/** The stored request, to be sent again unchanged if necessary. */
interface VoucherBody {
  /** The amount in msats, as a decimal number. */
  readonly amount: string
  readonly description: string
}

type CreatedVoucher = DataOf<Operations['createVoucher']>

/**
 * A voucher whose code exists. `made` is null if operators decided so and the code is unknown here; `reason` is then
 * the operators' text.
 */
type PaidVoucher = { readonly made: CreatedVoucher } | { readonly made: null; readonly reason: string }

/** The states in which a voucher's sats may have left and the outcome is unknown. */
const SENT_STATES = ['sending', 'unknown']
/** The states in which a voucher is being made. */
const OPEN_STATES = ['reserved', ...SENT_STATES]

/** Returns the sum of these vouchers' amounts and fee limits. */
async function worthOf(client: Pick<Tx, 'voucher'>, where: Prisma.VoucherWhereInput): Promise<bigint> {
  const { _sum } = await client.voucher.aggregate({ where, _sum: { amount: true, feeLimit: true } })
  return (_sum.amount ?? 0n) + (_sum.feeLimit ?? 0n)
}

/** Vouchers, which move sats into a code that anybody can redeem. `poll-voucher.ts` polls the code afterwards. */
export const VOUCHERS: OutgoingKind<Voucher, PaidVoucher, never, VoucherBody> = {
  name: 'voucher',
  table: (client) => client.voucher,
  amountOf: ({ amount }) => msats(amount),
  reservedOf: ({ amount, feeLimit }) => msats(amount + feeLimit),
  held: (client, member) =>
    worthOf(client, { state: { in: OPEN_STATES }, ...(member !== undefined && { member, pool: null }) }),
  /**
   * Returns what may have moved without our knowledge: the sats of codes that are being made may have left, and those
   * of live codes may have come back.
   */
  async uncertain({ database: { read } }) {
    const live = await read.voucher.aggregate({ where: { state: 'live' }, _sum: { amount: true } })
    return {
      mayHaveLeft: await worthOf(read, { state: { in: SENT_STATES } }),
      mayHaveArrived: live._sum.amount ?? 0n,
      open: await read.voucher.count({ where: { state: { in: OPEN_STATES } } }),
    }
  },

  prepare: (_, { amount, description }) => ({ amount: amount.toString(), description }),
  async obstacle(tx, { id }) {
    const voucher = await tx.voucher.findFirst({ where: { id }, select: { revoking: true } })
    return voucher?.revoking ? { kind: 'failed', because: 'called-off', reason: null } : undefined
  },
  storedBody: ({ body }) => (body === null ? undefined : (JSON.parse(body) as VoucherBody)),
  async request({ payments }, { key }, { amount, description }) {
    const request = { amount: BigInt(amount) as Msats, ...(description === '' ? {} : { description }) }
    const { data } = await payments.createVoucher(request, { idempotencyKey: key })
    return { amount: data.amount, remoteId: data.id, outcome: { kind: 'paid', made: data } }
  },
  // The provider cannot find a voucher whose creation got no answer.
  remoteIdOf: () => null,

  dueToTheFirst: ['insufficient_funds'],
  isResumed: ({ batchId }) => batchId !== null,
  failed: (context, voucher, { because, reason }) =>
    // People see the reason as the provider's words. The operators' reason for a pause is not for them.
    withoutCode(context, voucher, { reason: because === 'paused' ? null : reason, fee: null }),
  paid: (context, voucher, outcome) =>
    outcome.made === null ? lost(context, voucher, outcome.reason) : created(context, voucher, outcome.made),
  nextAfter: (outcome) => (outcome.kind === 'paid' && outcome.made !== null ? inMs(FIRST_POLL_MS) : END),

  inDoubt: ({ id, member, amount, reason }, since) =>
    `the voucher ${id} of ${amount} msats by ${person(member)} may or may not exist, which is unknown since ${since}: ${reason}`,
}

/**
 * Returns the record that ends a voucher whose code is unknown. The operator bears the cost: everything goes back to
 * the voucher's maker, or to the pool that paid.
 */
function lost(context: OutgoingContext, voucher: Voucher, reason: string): OutcomeRecord<Voucher> {
  const whole = VOUCHERS.reservedOf(voucher)
  const { account, held } = accountsOf(voucher)
  return {
    moves: [
      { from: held, to: WALLET, amount: whole },
      { from: OPERATOR, to: account, amount: whole },
    ],
    ...withoutCode(context, voucher, { reason, fee: voucher.feeLimit }),
  }
}

function withoutCode(
  context: OutgoingContext,
  voucher: Voucher,
  { reason, fee }: Pick<Voucher, 'reason' | 'fee'>,
): OutcomeRecord<Voucher> {
  return {
    // A voucher that never existed need not be taken back, even if somebody asked for that.
    data: { state: 'failed', revoking: false, reason, fee, endedAt: now(context) },
    // A drop loses a share for every code that was not made.
    write: async (tx) => {
      if (voucher.dropId) await loseShare(context, tx, voucher.dropId)
      await logReturnedCodes(context, tx, voucher)
    },
  }
}

async function loseShare(context: ReadonlyBook, tx: Tx, id: string): Promise<void> {
  const drop = await tx.drop.update({ where: { id }, data: { shares: { decrement: 1 } } })
  if (drop.draw || drop.claimed < drop.shares) return
  await tx.drop.updateMany({ where: { id, state: 'open' }, data: { state: 'closed', closedAt: now(context) } })
}

/** Returns how any wallet can claim the voucher, if the provider supports that addition to the interface. */
function forWallets({ amount }: Voucher, withdraw: CreatedVoucher['withdraw']) {
  if (withdraw === null || withdraw.amount < 1n || withdraw.amount > amount) return {}
  return { walletRequest: withdraw.request, walletAmount: withdraw.amount }
}

function created(context: OutgoingContext, voucher: Voucher, made: CreatedVoucher): OutcomeRecord<Voucher> {
  const { id, recipient } = voucher
  const { id: voucherId, code, fee, withdraw } = made
  const amount = { from: accountsOf(voucher).held, to: WALLET, amount: msats(voucher.amount) }
  return {
    moves: [amount, ...feeMoves(voucher, fee)],
    data: { state: 'live', voucherId, code, fee, reason: null, ...forWallets(voucher, withdraw) },
    write: async (tx) => {
      // Others of its batch or drop may have failed before it.
      await logReturnedCodes(context, tx, voucher)
      if (recipient === null) return
      const [cardId, audience] = [context.entropy.uuid(), { member: recipient }]
      await tx.card.create({ data: context.cards.values({ id: cardId, kind: 'voucher-gift', record: id, audience }) })
    },
  }
}
