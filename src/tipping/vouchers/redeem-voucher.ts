import { type Msats, msats } from '../../lib/money/amount.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { tellOfOtherAmount } from '../alerts/alerts.ts'
import { ensureOpened } from '../audit/opening.ts'
import { member as memberAccount, WALLET } from '../chart-of-accounts.ts'
import { commitEnd, type EndChange, Overtaken } from '../commit-end.ts'
import { now, type TippingContext } from '../context.ts'
import type { Tx } from '../database.ts'
import type { Redemption } from '../generated/client.ts'
import { noteMember } from '../members/live-link.ts'
import { operationValues } from '../operations/once-only.ts'
import { schedulePoll } from '../polling/poller.ts'
import { sentTo } from '../replays.ts'
import { TippingRefusal } from '../tipping-refusal.ts'
import { readRedemptionView, refusalOfRedemption } from './view-voucher.ts'
import type { RedemptionView, Vouchers } from './vouchers.ts'

type Command = Parameters<Vouchers['redeem']>[0]

/** Wrong codes that a member may try within ten minutes. The provider counts for everybody here together. */
const WRONG_CODES = 3
const WITHIN_MS = 10 * 60_000
const FIRST_POLL_MS = 2_000

/** Redeems a code into the member's balance. What was sent and never answered is looked into until it is known. */
export async function redeemVoucher(context: TippingContext, command: Command): Promise<RedemptionView> {
  const { member, origin } = command
  const code = command.code.trim().toUpperCase()
  const content = [member, code]
  const id = await context.once.perform({ interaction: origin.interaction, verb: 'redeem', content }, (digest) =>
    perform(context, { ...command, code }, digest),
  )
  const ended = await context.database.read.redemption.findUniqueOrThrow({ where: { id } })
  const refused = refusalOfRedemption(ended)
  if (refused) throw refused
  return await readRedemptionView(context, id)
}

async function perform(context: TippingContext, command: Command, digest: string): Promise<string> {
  if (!context.replaysKeys()) throw new TippingRefusal('vouchers-not-offered', {})
  if (!/^[A-Z0-9]{8}$/.test(command.code)) throw new TippingRefusal('voucher-code-malformed', {})
  await ensureOpened(context).catch((error: unknown) => {
    throw error instanceof PaymentsError ? new TippingRefusal('provider-unreachable', {}) : error
  })
  const redemption = await record(context, command, digest)
  await endRedemption(context, redemption, await send(context, redemption))
  return redemption.id
}

/** Written before it is sent, and counted together with what this member tried before. */
async function record(context: TippingContext, { member, code, origin }: Command, digest: string) {
  const [id, card, createdAt] = [context.entropy.uuid(), context.entropy.uuid(), now(context)]
  return await context.commit({
    write: async (tx) => {
      const since = new Date(createdAt.getTime() - WITHIN_MS)
      const tried = await tx.redemption.findMany({
        where: { member, createdAt: { gt: since }, state: { in: ['sending', 'unknown', 'wrong'] } },
        orderBy: { createdAt: 'asc' },
      })
      const [first] = tried
      if (first && tried.length >= WRONG_CODES) {
        throw new TippingRefusal('voucher-code-locked', { until: new Date(first.createdAt.getTime() + WITHIN_MS) })
      }
      await noteMember(tx, member, createdAt)
      const operation = { id, verb: 'redeem', record: id, interaction: origin.interaction, digest, createdAt }
      await tx.operation.create({ data: operationValues(operation) })
      await tx.card.create({
        // Undelivered until there is something to say: a refusal is said by whoever asked.
        data: {
          ...context.cards.values({ id: card, kind: 'redemption', record: id, audience: { member }, origin }),
          pending: false,
        },
      })
      const own = await tx.voucher.findFirst({ where: { code, state: 'live' }, select: { amount: true } })
      const worth = own?.amount ?? null
      return await tx.redemption.create({
        data: { id, member, code, worth, state: 'sending', card, key: `redeem-${id}`, ...sentTo(context), createdAt },
      })
    },
  })
}

export type RedemptionOutcome =
  | { readonly kind: 'redeemed'; readonly amount: Msats }
  | { readonly kind: 'wrong' | 'over' }
  | { readonly kind: 'failed'; readonly reason: string | null }
  | { readonly kind: 'unknown'; readonly evidence: string }

/**
 * Sends a redemption's code and reads the answer: what the code is worth is only known here where it was made here, and
 * then no other amount is believed. Throws PaymentsError.
 */
export async function redeem(
  context: TippingContext,
  { id: about, key, worth }: Redemption,
  code: string,
): Promise<RedemptionOutcome & { readonly kind: 'redeemed' | 'unknown' }> {
  const { data } = await context.payments.redeemVoucher({ code }, { idempotencyKey: key })
  if (worth === null || worth === data.amount) return { kind: 'redeemed', amount: data.amount }
  const answer = { about, what: 'redemption', asked: worth, answered: data.amount }
  return { kind: 'unknown', evidence: await tellOfOtherAmount(context, answer) }
}

/** Sends a redemption's request and reads the answer, or its failure. */
async function send(context: TippingContext, redemption: Redemption): Promise<RedemptionOutcome> {
  try {
    return await redeem(context, redemption, redemption.code ?? '')
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    return outcomeOf(error)
  }
}

/** Reads the failure of a first attempt, or the replayed answer to it. */
export function outcomeOf(error: PaymentsError): RedemptionOutcome {
  if (error.happened === 'maybe') return { kind: 'unknown', evidence: error.message }
  if (error.code === 'voucher_not_found') return { kind: 'wrong' }
  if (error.code === 'voucher_redeemed' || error.code === 'voucher_revoked') return { kind: 'over' }
  const away = error.kind !== 'refused' || error.status === 503 || error.status === 429
  return { kind: 'failed', reason: away ? null : error.message }
}

/** Records what became of a redemption. */
export async function endRedemption(
  context: TippingContext,
  redemption: Redemption,
  outcome: RedemptionOutcome,
): Promise<void> {
  await commitEnd(context, changeForRedemption(context, redemption, outcome))
  void context.poller.wake()
}

/** What is written when this became of a redemption; its `write` throws when somebody else ended it. */
export function changeForRedemption(
  context: TippingContext,
  redemption: Redemption,
  outcome: RedemptionOutcome,
): EndChange {
  const { id, member } = redemption
  const entries =
    outcome.kind === 'redeemed'
      ? [
          {
            operation: id,
            step: 'post',
            moves: [{ from: WALLET, to: memberAccount(member), amount: msats(outcome.amount) }],
          },
        ]
      : []
  return { entries, write: (tx) => write(context, tx, redemption, outcome) }
}

async function write(context: TippingContext, tx: Tx, redemption: Redemption, outcome: RedemptionOutcome) {
  const { id, card, code, state, createdAt: bornAt } = redemption
  if (outcome.kind === 'unknown') {
    const { count } = await tx.redemption.updateMany({
      where: { id, state: 'sending' },
      data: { state: 'unknown', reason: outcome.evidence },
    })
    if (count === 0) throw new Overtaken(`redemption ${id} has moved on`)
    await schedulePoll(tx, { id, kind: 'redemption', bornAt }, new Date(context.clock.now() + FIRST_POLL_MS))
    await context.cards.raise(tx, [card])
    return
  }
  const { count } = await tx.redemption.updateMany({
    where: { id, state: { in: ['sending', 'unknown'] } },
    data: {
      state: outcome.kind,
      code: null,
      endedAt: now(context),
      reason: outcome.kind === 'failed' ? outcome.reason : null,
      amount: outcome.kind === 'redeemed' ? outcome.amount : null,
    },
  })
  if (count === 0) throw new Overtaken(`redemption ${id} has ended`)
  // A refusal of the first attempt is the command's own answer; the end of one that was unknown is told by its card.
  if (outcome.kind === 'redeemed' || state === 'unknown') await context.cards.raise(tx, [card])
  if (outcome.kind !== 'redeemed' && outcome.kind !== 'over') return
  // It may have been made here: then its maker hears of it at once.
  const own = await tx.voucher.findFirst({ where: { code, state: 'live' } })
  if (own) await tx.pollJob.updateMany({ where: { id: own.id }, data: { nextAt: now(context) } })
}
