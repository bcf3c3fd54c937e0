import { type Msats, msats, ZERO } from '../../lib/money/amount.ts'
import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { boundsOf, NO_LIMITS } from '../core/gift-limits.ts'
import type { FromPool, TipCommand } from '../engine/gifts/gifts.ts'
import { spendAllowance } from '../engine/gifts/spend-allowance.ts'
import { splitAmount } from '../engine/gifts/split-amount.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { ownerOfServer, type WalletRoute } from '../engine/own-wallets/connections.ts'
import { addPromises, type NewPromises } from '../engine/own-wallets/promise-book.ts'
import { paymentRows, pollPayments, startPayments, type WalletGift } from '../engine/own-wallets/wallet-gift.ts'
import { spendServerWallet } from '../engine/spending/spend-pool.ts'
import type { FundedGift, PoolSpending, WalletFunding } from '../engine/spending/spending.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { countTip, type TippedMessageRef } from './count-on-message.ts'
import { TIP_GIFTS } from './tip-gifts.ts'
import { tipValues } from './tip-values.ts'

interface WalletTip {
  readonly kind: 'tip' | 'rain' | 'tally'
  readonly digest: string
  readonly command: TipCommand
  readonly recipients: readonly string[]
  readonly tippedMessage: TippedMessageRef | undefined
}

/** The paying wallet's owner, and further writes in the change that stores the tip. */
interface Payer {
  /** The owner's name, as stored with the wallet's connection. */
  readonly owner: string
  /** The server, if the tip is a server's reward. */
  readonly pool: string | null
  write(tx: Tx, gift: FundedGift): Promise<void>
}

/**
 * Writes a tip that the giver's own wallet pays, and starts the payments. The tip counts against the giver's allowance
 * like any other tip, but its sats are never in the book. Resolves to the tip's id. Throws TippingRefusal.
 */
export async function giveFromWallet(context: TippingContext, tip: WalletTip, route: WalletRoute): Promise<string> {
  const { command, recipients } = tip
  const { from: member, origin, accountSince, byEmoji } = command
  const limits = await context.limits.limitsFor(origin.guild)
  const share = splitAmount(command, recipients.length, boundsOf(context, limits), ZERO)
  // A promise counts when its payment is requested.
  const amount = msats(share * BigInt(route.receivers.size))
  const spending = { member, guild: origin.guild, amount, limits, accountSince, byEmoji }
  const payer: Payer = {
    ...{ owner: member, pool: null },
    write: async (tx) => (amount > 0n ? await spendAllowance(context, tx, spending) : undefined),
  }
  return await write(context, tip, { share, route, payer })
}

/**
 * Does the same as `giveFromWallet`, but from a server's wallet and within a moderator's budget. If a second moderator
 * must decide, stores the tip until then. `approved` is set if a second moderator has approved the tip. Resolves to the
 * id of the tip or of the waiting reward.
 */
export async function giveFromServerWallet(
  context: TippingContext,
  tip: WalletTip & { readonly pool: FromPool; readonly approved: WalletFunding | undefined },
  route: WalletRoute,
): Promise<string> {
  const { command, recipients, digest, pool, approved } = tip
  const kind = tip.kind === 'rain' ? 'rain' : 'tip'
  // A server's gifts are limited by a budget.
  const share = splitAmount(command, recipients.length, boundsOf(context, NO_LIMITS))
  const give = ({ write: note }: WalletFunding) =>
    write(context, tip, { share, route, payer: { owner: ownerOfServer(pool.guild), pool: pool.guild, write: note } })
  if (approved !== undefined) return await give(approved)
  // Store exactly the chosen recipients, so that the approval cannot choose others.
  const to = recipients.map((id) => ({ id, bot: false }))
  const spending: PoolSpending = {
    ...{ kind, member: command.from, pool, origin: command.origin, digest },
    gift: TIP_GIFTS.exact({ kind, command: { ...command, to } }, share, command.source),
    amount: msats(share * BigInt(recipients.length)),
    shares: recipients.map((recipient) => ({ recipient, amount: share })),
  }
  return await spendServerWallet(context, spending, give)
}

interface Payment {
  /** The amount for each recipient. */
  readonly share: Msats
  readonly route: WalletRoute
  readonly payer: Payer
}

async function write(context: TippingContext, tip: WalletTip, { share, route, payer }: Payment): Promise<string> {
  const { command, recipients, tippedMessage, kind, digest } = tip
  const { origin } = command
  const [id, at] = [context.entropy.uuid(), now(context)]
  const card = tippedMessage?.card ?? context.entropy.uuid()
  const plan = { ...tip, id, share, amount: msats(share * BigInt(recipients.length)), at, pool: payer.pool }
  const shareOfEach = (recipient: string) => ({ id: context.entropy.uuid(), recipient, amount: share })
  const shares = recipients.filter((recipient) => route.receivers.has(recipient)).map(shareOfEach)
  const promises: NewPromises = {
    ...{ tip: id, sender: command.from, accountSince: command.accountSince, from: shares.length, at },
    shares: (route.promised ?? []).map(shareOfEach),
  }
  const gift: WalletGift = { tip: id, payer: payer.owner, route, shares, at }
  if (kind === 'tip' && payer.pool === null) context.foresee?.(foreseen(plan))
  await context.commit({
    rows: [
      operationRow({
        ...{ id: context.entropy.uuid(), verb: payer.pool === null ? 'tip' : 'reward', record: id },
        ...{ interaction: origin.interaction, digest, createdAt: at },
      }),
      {
        table: 'Tip',
        values: tipValues(command, { ...plan, card, total: plan.amount, message: tippedMessage?.message }),
      },
      ...paymentRows(gift),
      ...(tippedMessage === undefined
        ? [context.cards.row({ id: card, kind, record: id, audience: { channel: origin.channel }, origin })]
        : []),
    ],
    write: async (tx) => {
      await payer.write(tx, { id, card })
      await addPromises(tx, promises)
      await pollPayments(tx, gift)
      if (tippedMessage !== undefined) await countTip(context, tx, tippedMessage, command)
    },
  })
  startPayments(context, gift)
  return id
}

interface Plan extends WalletTip {
  readonly id: string
  readonly share: Msats
  readonly amount: Msats
  readonly pool: string | null
  readonly at: Date
}

function foreseen({ command, recipients, share: amount, amount: total, at: createdAt }: Plan) {
  const shares = recipients.map((recipient) => ({ recipient, amount, state: 'asked' as const }))
  const about = { from: command.from, note: command.note ?? '', fromPool: false }
  return { kind: 'tip' as const, ...about, total, shares, createdAt }
}
