import { readPasted } from '../../lib/pasted-text.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { now } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { ensureOpened } from '../engine/incoming/opening-balance.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { operationValues } from '../engine/once-only/once-only.ts'
import { sentTo } from '../engine/outgoing/replays.ts'
import { sendMarked } from '../engine/outgoing/send-outgoing.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { leaveRoomForOthers } from './new-accounts-codes.ts'
import { REDEMPTIONS } from './redemption-kind.ts'
import { readRedemptionView, refusalOfRedemption } from './view-voucher.ts'
import type { RedemptionView, Vouchers } from './vouchers.ts'

type Command = Parameters<Vouchers['redeem']>[0]

/** How many wrong codes a member may try within ten minutes. The provider counts all members' tries together. */
const WRONG_CODES = 3
const WITHIN_MS = 10 * 60_000

/**
 * Redeems a code into the member's balance. If the request gets no answer, the bot looks for the outcome until it is
 * known.
 */
export async function redeemVoucher(context: TippingContext, command: Command): Promise<RedemptionView> {
  const { member, origin } = command
  // In a file of codes, an apostrophe keeps spreadsheets from reading 23E45678 as a number.
  // A chat may have broken the code into lines or groups.
  const code = readPasted(command.code).replace(/^'|\s/g, '').toUpperCase()
  const content = [member, code]
  const id = await context.once.perform({ interaction: origin.interaction, verb: 'redeem', content }, (digest) =>
    perform(context, { ...command, code }, digest),
  )
  const ended = await context.database.read.redemption.findUniqueOrThrow({ where: { id } })
  const refused = refusalOfRedemption(ended, code)
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
  await sendMarked(context, REDEMPTIONS, redemption, { code: command.code })
  return redemption.id
}

/** Records an attempt before it is sent. Throws TippingRefusal `voucher-code-locked` or `voucher-expired`. */
async function record(context: TippingContext, command: Command, digest: string) {
  const { member, code, origin } = command
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
      await leaveRoomForOthers(tx, command.accountSince, new Date(context.clockWatch.now()))
      await noteMember(tx, member, createdAt)
      const operation = { id, verb: 'redeem', record: id, interaction: origin.interaction, digest, createdAt }
      await tx.operation.create({ data: operationValues(operation) })
      await tx.card.create({
        // The card waits until there is something to say. A refusal is the answer to the command itself.
        data: {
          ...context.cards.values({ id: card, kind: 'redemption', record: id, audience: { member }, origin }),
          pending: false,
        },
      })
      const own = await tx.voucher.findFirst({ where: { code, state: 'live' }, include: { batch: true } })
      const end = own?.batch?.expiresAt ?? undefined
      if (end !== undefined && end.getTime() <= context.clockWatch.now())
        throw new TippingRefusal('voucher-expired', { at: end })
      const worth = own?.amount ?? null
      return await tx.redemption.create({
        data: {
          id,
          member,
          code,
          worth,
          state: 'sending',
          process: context.ownership.me,
          card,
          key: `redeem-${id}`,
          ...sentTo(context),
          sentAt: new Date(context.clockWatch.now()),
          createdAt,
        },
      })
    },
  })
}
