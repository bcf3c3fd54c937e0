import type { ReadonlyBook } from '../../core/context.ts'
import { isRelative } from '../../core/read-amount.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'
import { MAX_WALLET_PAYMENTS, receiversOf, type WalletRoute, walletThatPays } from '../own-wallets/connections.ts'
import type { TippingContext } from '../tipping-context.ts'
import type { TipCommand } from './gifts.ts'
import { chooseRecipients } from './recipients.ts'

/**
 * Returns the route of a gift from the giver's wallet to the recipients' wallets. Returns undefined if a balance or the
 * pool pays, for example because the giver has no connected wallet that can pay, the amount is `all` or `half` of a
 * balance, the tip is anonymous, or a recipient has no wallet. Throws TippingRefusal `own-wallet-gone` if the giver
 * confirmed that their wallet pays, and it cannot. If members have no balances here, throws `own-wallet-needed`,
 * `recipient-needs-wallet` or `no-custody`.
 */
export async function walletRoute(
  context: TippingContext,
  { kind, command }: { readonly kind: 'tip' | 'rain' | 'tally'; readonly command: TipCommand },
): Promise<WalletRoute | undefined> {
  // The recipient's wallet sees whose wallet pays, and a card names the person for whom it waits.
  if (command.source === 'balance' || command.pool !== undefined || command.anonymous) return undefined
  const route = await find(context, kind, command)
  if (route === undefined && context.settings.custody === 'none') throw await whyNot(context, command)
  if (route === undefined && command.source === 'wallet') throw new TippingRefusal('own-wallet-gone', {})
  return route
}

/** Returns the refusal that explains why no wallet pays, if nothing else could pay either. */
async function whyNot({ database: { read }, settings }: ReadonlyBook, command: TipCommand): Promise<TippingRefusal> {
  if ((await walletThatPays(read, command.from)) === undefined) return new TippingRefusal('own-wallet-needed', {})
  const recipients = chooseRecipients(command, settings)
  const receivers = await receiversOf(read, recipients)
  const members = recipients.filter((recipient) => !receivers.has(recipient))
  return members.length > 0
    ? new TippingRefusal('recipient-needs-wallet', { members })
    : new TippingRefusal('no-custody', {})
}

async function find(context: TippingContext, kind: string, command: TipCommand): Promise<WalletRoute | undefined> {
  const { read } = context.database
  const { connections } = context.wallets
  // This rain chose people with wallets, or it is paid from a balance.
  if (kind === 'rain' && command.source !== 'wallet') return undefined
  if (isRelative(command.amount) || !connections.mayBeAnybody) return undefined
  if (!(await connections.isAnybody())) return undefined
  const own = await walletThatPays(read, command.from)
  if (own === undefined) return undefined
  const recipients = chooseRecipients(command, context.settings)
  if (recipients.length > MAX_WALLET_PAYMENTS) return undefined
  const receivers = await receiversOf(read, recipients)
  const promised = recipients.filter((recipient) => !receivers.has(recipient))
  if (promised.length === 0) return { connection: own.id, receivers }
  // If members have balances, a tip can wait for a newcomer. A message counts what it got, and no card tells it of a
  // promise.
  const isToPromise = kind === 'tip' && context.settings.custody === 'none'
  return isToPromise ? { connection: own.id, receivers, promised } : undefined
}
