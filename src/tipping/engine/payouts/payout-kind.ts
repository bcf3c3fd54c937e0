import { type Msats, msats, ZERO } from '../../../lib/money/amount.ts'
import { progressOf } from '../../../payments-api/payments-api.ts'
import { held, member, OPERATOR, WALLET } from '../../core/chart-of-accounts.ts'
import { type Book, now } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import type { Payout, Prisma } from '../../generated/client.ts'
import { raiseAlert } from '../alerts/alerts.ts'
import type { Outcome, OutcomeRecord, OutgoingKind, ProviderAnswer } from '../outgoing/outgoing.ts'
import { pauseWithin } from '../outgoing/poll-outgoing.ts'
import { liveLink } from './live-link.ts'

/** The stored request, to be sent again unchanged if necessary. */
interface PayoutBody {
  /** The amount as a decimal number of msats. */
  readonly amount: string
  readonly gamertag: string
  readonly description: string
  /**
   * The id of the intended receiver, sent only if the provider supports it. Then nothing moves if the gamertag belongs
   * to somebody else.
   */
  readonly receiverId?: string
}

interface PaidPayout {
  readonly transactionId: string | null
  readonly receiverId: string | null
  readonly fee: Msats
}

/** The states in which a payout may have left, but its outcome is unknown. */
const SENT_STATES = ['sending', 'unknown']
/** The states in which a payout has no outcome yet. */
const OPEN_STATES = ['reserved', ...SENT_STATES]

async function sumOf(client: Pick<Tx, 'payout'>, where: Prisma.PayoutWhereInput): Promise<bigint> {
  return (await client.payout.aggregate({ where, _sum: { amount: true } }))._sum.amount ?? 0n
}

/** The kind of operation that forwards sats to a linked member's Lightning account. */
export const PAYOUTS: OutgoingKind<Payout, PaidPayout, never, PayoutBody> = {
  name: 'payout',
  table: (client) => client.payout,
  amountOf: ({ amount }) => msats(amount),
  reservedOf: ({ amount }) => msats(amount),
  held: (client, member) => sumOf(client, { state: { in: OPEN_STATES }, ...(member !== undefined && { member }) }),
  async uncertain({ database: { read } }) {
    const mayHaveLeft = await sumOf(read, { state: { in: SENT_STATES } })
    return { mayHaveLeft, open: await read.payout.count({ where: { state: { in: OPEN_STATES } } }) }
  },

  async prepare(context, { amount, description, lightningId }) {
    const { data } = await context.payments.getGamertagByUserId({ id: lightningId })
    const receiver = context.replaysKeys() ? { receiverId: lightningId } : {}
    return { amount: amount.toString(), gamertag: data.gamertag, description, ...receiver }
  },
  async obstacle(tx, payout) {
    const link = await liveLink(tx, payout.member)
    const isLive = link?.lightningId === payout.lightningId && !link.frozen
    return isLive ? undefined : { kind: 'failed', because: 'unlinked', reason: null }
  },
  storedBody: ({ body }) => (body === null ? undefined : (JSON.parse(body) as PayoutBody)),
  async request({ payments }, { key }, body) {
    const request = { ...body, amount: BigInt(body.amount) as Msats }
    const { data } = await payments.payToGamertag(request, { idempotencyKey: key })
    return answerOf(data, data.transactionId, ZERO)
  },
  remoteIdOf: (_, { transactionId }) => transactionId,
  async read({ payments }, _, id) {
    const { data } = await payments.getGamertagPayment({ id })
    if (progressOf(data.status) !== 'failed') return answerOf(data, id, data.fee)
    return { amount: data.amount, remoteId: id, outcome: { kind: 'failed', because: 'refused', reason: null } }
  },

  dueToTheFirst: ['insufficient_funds'],
  unknown: ({ remoteId = null }) => (remoteId === null ? {} : { transactionId: remoteId }),
  failed: (context, _, { because, reason }) => ({ data: { state: 'kept', because, reason, endedAt: now(context) } }),
  paid: recordPaid,

  endures: ({ transactionId }) => transactionId !== null,
  pauseMs: (_, { transactionId }, ageMs) => pauseWithin(ageMs / 2, transactionId === null ? undefined : 24 * 3_600_000),
  inDoubt: ({ amount, lightningId, reason }, since) =>
    `a payout of ${amount} msats to ${lightningId} has been unknown since ${since}: ${reason}`,
}

/**
 * Interprets the answer to a successful request. The outcome is unknown unless the state means that the payment is
 * completed.
 */
function answerOf(
  data: { readonly status: string; readonly amount: Msats; readonly receiverId: string | null },
  transactionId: string | null,
  fee: Msats,
): ProviderAnswer<PaidPayout, never> {
  const { status, amount, receiverId } = data
  const outcome: Outcome<PaidPayout, never> =
    progressOf(status) === 'completed'
      ? { kind: 'paid', transactionId, receiverId, fee }
      : { kind: 'unknown', evidence: `the provider says "${status}"`, remoteId: transactionId }
  return { amount, remoteId: transactionId, outcome }
}

function recordPaid(
  context: Book,
  payout: Payout,
  { receiverId, transactionId, fee }: PaidPayout,
): OutcomeRecord<Payout> {
  const { amount, lightningId } = payout
  const astray = receiverId !== null && receiverId !== lightningId
  const endedAt = now(context)
  return {
    moves: [
      { from: held(payout.member), to: WALLET, amount: msats(amount) },
      { from: OPERATOR, to: WALLET, amount: fee },
      // Somebody else was paid, so the operator compensates the member.
      { from: OPERATOR, to: member(payout.member), amount: msats(astray ? amount : 0n) },
    ],
    data: { state: astray ? 'misdirected' : 'paid', transactionId, receiverId, reason: null, endedAt },
    ...(astray && { write: (tx) => freezeLink(context, tx, payout, { receiverId, at: endedAt }) }),
  }
}

async function freezeLink(
  context: Book,
  tx: Tx,
  { id, member, amount, lightningId }: Payout,
  { receiverId, at }: { readonly receiverId: string; readonly at: Date },
): Promise<void> {
  await tx.link.updateMany({ where: { member, lightningId, endedAt: null }, data: { frozenAt: at } })
  const text = `a payout of ${amount} msats to ${lightningId} settled to ${receiverId}; the link of its member is frozen`
  await raiseAlert(context, tx, { kind: 'payout-misdirected', about: id, text })
}
