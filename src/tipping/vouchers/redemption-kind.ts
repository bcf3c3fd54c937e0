import { type Msats, msats, ZERO } from '../../lib/money/amount.ts'
import type { PaymentsError } from '../../payments-api/payments-api.ts'
import { member, WALLET } from '../core/chart-of-accounts.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { person } from '../engine/alerts/alerts.ts'
import { failureOf, isAway } from '../engine/outgoing/failures.ts'
import type { Failed, OutgoingKind } from '../engine/outgoing/outgoing.ts'
import type { Redemption } from '../generated/client.ts'

interface RedemptionBody {
  readonly code: string
}

/**
 * Redemptions, which credit members with the value of codes. Only the provider's answer shows this value, unless the
 * code was made here.
 */
export const REDEMPTIONS: OutgoingKind<Redemption, { readonly amount: Msats }, never, RedemptionBody> = {
  name: 'redemption',
  comesIn: true,
  table: (client) => client.redemption,
  amountOf: ({ worth }) => (worth === null ? undefined : msats(worth)),
  reservedOf: () => ZERO,
  held: async () => ZERO,
  /** Returns the most that redemptions under way may have brought in: only the provider's answer shows each amount. */
  async uncertain({ database: { read }, settings }) {
    const open = await read.redemption.count({ where: { state: { in: ['sending', 'unknown'] } } })
    return { mayHaveArrived: settings.maxAmount * BigInt(open), open }
  },

  prepare: (_, { code }) => ({ code: code ?? '' }),
  storedBody: ({ code }) => (code === null ? undefined : { code }),
  async request({ payments }, { key }, { code }) {
    const { data } = await payments.redeemVoucher({ code }, { idempotencyKey: key })
    return { amount: data.amount, remoteId: null, outcome: { kind: 'paid', amount: data.amount } }
  },
  // A redemption has no record of its own at the provider.
  remoteIdOf: () => null,

  // The first attempt may itself be the reason for "Somebody has redeemed it".
  dueToTheFirst: ['voucher_redeemed'],
  failureOf: failureOfRedemption,
  failed(context, redemption, { because, reason }) {
    const isSaid = because === 'wrong' || because === 'over'
    const end = isSaid ? { state: because, reason: null } : { state: 'failed', reason }
    return {
      data: { ...end, code: null, amount: null, endedAt: now(context) },
      // A refused first attempt is the command's own answer. The card shows the end of a redemption that was unknown.
      untold: redemption.state !== 'unknown',
      write: async (tx) => {
        if (because === 'over') await pollOwnVoucher(context, tx, redemption)
      },
    }
  },
  paid: (context, redemption, { amount }) => ({
    moves: [{ from: WALLET, to: member(redemption.member), amount }],
    data: { state: 'redeemed', code: null, reason: null, amount, endedAt: now(context) },
    write: (tx) => pollOwnVoucher(context, tx, redemption),
  }),

  inDoubt: ({ member, reason }, since) =>
    `a voucher's redemption by ${person(member)} has been unknown since ${since}: ${reason}`,
}

function failureOfRedemption(error: PaymentsError): Failed {
  const { code } = error
  if (code === 'voucher_not_found') return { kind: 'failed', because: 'wrong', reason: null }
  if (code === 'voucher_redeemed' || code === 'voucher_revoked' || code === 'voucher_expired')
    return { kind: 'failed', because: 'over', reason: null }
  return isAway(error) ? { kind: 'failed', because: 'unreachable', reason: null } : failureOf(error)
}

/** Schedules an immediate poll of the voucher if it was made here, so that its maker learns of the redemption. */
async function pollOwnVoucher(context: ReadonlyBook, tx: Tx, { code }: Redemption): Promise<void> {
  const own = await tx.voucher.findFirst({ where: { code, state: 'live' } })
  if (own) await tx.pollJob.updateMany({ where: { id: own.id }, data: { nextAt: now(context) } })
}
