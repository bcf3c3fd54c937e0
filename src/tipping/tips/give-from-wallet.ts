import type { Row } from '../../ledger/ledger.ts'
import { type Msats, msats, ZERO } from '../../lib/money/amount.ts'
import { now } from '../core/context.ts'
import { boundsOf } from '../core/limits.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'
import { shareOf } from '../engine/gifts/recipients.ts'
import { spendAllowance } from '../engine/gifts/spend-allowance.ts'
import type { WalletRoute } from '../engine/gifts/wallet-route.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { writeReceiver } from '../engine/own-wallets/connections.ts'
import { TAKE_UP_AFTER_MS } from '../engine/own-wallets/wallet-payments.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { countTip, type TippedMessageRef } from './count-on-message.ts'

interface WalletTip {
  readonly kind: 'tip' | 'rain' | 'tally'
  readonly digest: string
  readonly command: TipCommand
  readonly recipients: readonly string[]
  readonly tippedMessage: TippedMessageRef | undefined
}

/**
 * Writes a tip that the giver's own wallet pays, and has it asked. It takes from the giver's allowance as any other; no sat of
 * it is ever in the book. Resolves to its id; throws TippingRefusal.
 */
export async function giveFromWallet(context: TippingContext, tip: WalletTip, route: WalletRoute): Promise<string> {
  const { command, recipients, tippedMessage } = tip
  const { from, origin, accountSince, byEmoji } = command
  const limits = await context.limits.limitsFor(origin.guild)
  const share = shareOf(command, recipients.length, boundsOf(context, limits), ZERO)
  const amount = msats(share * BigInt(recipients.length))
  const plan = { ...tip, share, amount, id: context.entropy.uuid(), at: now(context) }
  const card = tippedMessage?.card ?? context.entropy.uuid()
  const payments = recipients.map((recipient, ordinal) => paymentRow(context, plan, route, { recipient, ordinal }))
  if (tip.kind === 'tip') context.foresee?.(foreseen(plan))
  await context.commit({
    rows: [
      operationRow({
        ...{ id: context.entropy.uuid(), verb: 'tip', record: plan.id, interaction: origin.interaction },
        ...{ digest: tip.digest, createdAt: plan.at },
      }),
      tipRow(plan, card),
      ...payments.map(({ row }) => row),
      ...(tippedMessage === undefined
        ? [
            context.cards.row({
              id: card,
              kind: tip.kind,
              record: plan.id,
              audience: { channel: origin.channel },
              origin,
            }),
          ]
        : []),
    ],
    write: async (tx) => {
      await spendAllowance(context, tx, { member: from, guild: origin.guild, amount, limits, accountSince, byEmoji })
      for (const { id } of payments) {
        const takeUpAt = new Date(plan.at.getTime() + TAKE_UP_AFTER_MS)
        await schedulePoll(tx, { id, kind: 'wallet-payment', bornAt: plan.at }, takeUpAt)
      }
      if (tippedMessage !== undefined) await countTip(context, tx, tippedMessage, command)
    },
  })
  context.wallets.payments.start(
    route.connection,
    payments.map(({ id }) => id),
  )
  void context.poller.wake()
  return plan.id
}

interface Plan extends WalletTip {
  readonly id: string
  readonly share: Msats
  readonly amount: Msats
  readonly at: Date
}

function tipRow({ id, command, amount, tippedMessage, at }: Plan, card: string): Row {
  const { from, note, origin } = command
  return {
    table: 'Tip',
    values: {
      ...{ id, sender: from, note: note ?? '', total: amount, guild: origin.guild, channel: origin.channel, card },
      ...{ message: tippedMessage?.message ?? null, createdAt: at },
    },
  }
}

function paymentRow(
  context: TippingContext,
  { id: tipId, command, share, at }: Plan,
  { connection, receivers }: WalletRoute,
  { recipient, ordinal }: { readonly recipient: string; readonly ordinal: number },
): { readonly id: string; readonly row: Row } {
  const id = context.entropy.uuid()
  const receiver = receivers.get(recipient)
  if (receiver === undefined) throw new Error(`nobody knows how to pay ${recipient}`)
  const parties = { sender: command.from, recipient, connection, receiver: writeReceiver(receiver) }
  return {
    id,
    row: {
      table: 'WalletPayment',
      values: {
        ...{ id, tipId, ordinal, ...parties, amount: share, state: 'asked', createdAt: at, evidence: '' },
        ...{ invoice: null, paymentHash: null, verify: null, expiresAt: null },
        ...{ preimage: null, failure: null, endedAt: null },
      },
    },
  }
}

function foreseen({ command, recipients, share: amount, amount: total, at: createdAt }: Plan) {
  const shares = recipients.map((recipient) => ({ recipient, amount, state: 'asked' as const }))
  return { kind: 'tip' as const, from: command.from, note: command.note ?? '', total, shares, createdAt }
}
