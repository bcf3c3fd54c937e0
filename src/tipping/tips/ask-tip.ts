import { MSATS_PER_SAT, type Msats, msats } from '../../lib/amount.ts'
import { isRelative } from '../amounts/read-amount.ts'
import { member as memberAccount } from '../books.ts'
import { now, type TippingContext } from '../context.ts'
import { boundsOf } from '../limits/limits.ts'
import { Refusal } from '../refusal.ts'
import type { AskedTip, TipCommand, Tipping, TipView } from '../tipping.ts'
import { chooseRecipients, shareOf } from './plan-tip.ts'
import { sendTip } from './send-tip.ts'

/**
 * Sends a tip, unless it comes to more than may be given with one word here: then what was asked for is kept until its
 * giver says so again. Nothing has moved until then.
 */
export async function askTip(context: TippingContext, command: TipCommand): Promise<TipView | AskedTip> {
  const { guild } = command.origin
  const most = context.preferences.ofServer(guild).confirmAbove ?? context.settings.confirmAbove
  const balance = msats(await context.ledger.balance(memberAccount(command.from)))
  const recipients = chooseRecipients(command, context.settings)
  const bounds = boundsOf(context, await context.limits.limitsFor(guild))
  const share = shareOf(command, recipients.length, bounds, balance)
  const total = msats(share * BigInt(recipients.length))
  // What is not there is refused at once.
  if (total <= most || total > balance) return await sendTip(context, command)
  // Named by its interaction, so that one delivered twice asks for one tip.
  const { interaction: asked } = command.origin
  const data = { member: command.from, command: JSON.stringify(absolute(command, share)), createdAt: now(context) }
  await context.commit({
    write: (tx) => tx.askedTip.upsert({ where: { id: asked }, create: { id: asked, ...data }, update: {} }),
  })
  return { asked, total, recipients: recipients.length, most }
}

/**
 * The second word. However often it is said, the tip is sent once; its card is a message of its own. Throws Refusal
 * `not-yours` and whatever a tip may be refused for.
 */
export async function confirmTip(
  context: TippingContext,
  { asked, member, origin }: Parameters<Tipping['confirmTip']>[0],
): Promise<TipView> {
  const found = await context.database.read.askedTip.findUnique({ where: { id: asked } })
  if (found === null) throw new Refusal('not-there', {})
  if (found.member !== member) throw new Refusal('not-yours', {})
  const command = JSON.parse(found.command) as Omit<TipCommand, 'accountSince'> & { accountSince?: string }
  const { accountSince } = command
  return await sendTip(context, {
    ...command,
    accountSince: accountSince === undefined ? undefined : new Date(accountSince),
    origin: { ...origin, interaction: `confirmed ${asked}`, reply: '' },
  })
}

/** `all` and `half` mean what they meant when they were said. */
function absolute(command: TipCommand, share: Msats): TipCommand {
  if (!isRelative(command.amount)) return command
  return { ...command, amount: String(share / MSATS_PER_SAT), split: false }
}
