import { type Entry, InsufficientFunds, type Row } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { member } from '../core/chart-of-accounts.ts'
import { type CoreContext, now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { boundsOf, NO_LIMITS } from '../core/gift-limits.ts'
import { isRelative } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { ForeseenTip } from '../engine/foreseen-tip.ts'
import { foreseenShare } from '../engine/gifts/foreseen-share.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'
import { noteDue, type Onward, planOnward, startOnward } from '../engine/gifts/onward.ts'
import {
  chooseRecipients,
  claimableUntil,
  claimDaysIn,
  type RecipientStatus,
  recipientStatuses,
} from '../engine/gifts/recipients.ts'
import { isLimited, spendAllowance } from '../engine/gifts/spend-allowance.ts'
import { splitAmount } from '../engine/gifts/split-amount.ts'
import { walletRoute } from '../engine/gifts/wallet-route.ts'
import { type Command, operationRow } from '../engine/once-only/once-only.ts'
import { needServerWallet, serverWalletRoute } from '../engine/own-wallets/server-wallet.ts'
import { awaitedReward, spendPool } from '../engine/spending/spend-pool.ts'
import {
  type ApprovedFunding,
  type AwaitedReward,
  type FromPool,
  type Funding,
  fromBalance,
  mustBeOfPool,
  type PoolSpending,
} from '../engine/spending/spending.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { mustAllowAnonymous, withoutGiver } from './anonymous-tips.ts'
import { countAsked } from './count-asked.ts'
import { countJoined } from './count-joined.ts'
import { countTip, type TippedMessageRef } from './count-on-message.ts'
import { giveFromServerWallet, giveFromWallet } from './give-from-wallet.ts'
import { TIP_GIFTS, type TipGift } from './tip-gifts.ts'
import { tipValues } from './tip-values.ts'
import { MAX_NOTE, type TipView } from './tips.ts'
import { viewTip } from './view-tip.ts'

/**
 * Pays every recipient in one change, or nobody. A recipient who uses the bot is credited immediately and permanently.
 * For a linked recipient, a payout from the balance follows, for which the command waits briefly. Newcomers' shares
 * wait unclaimed.
 */
export async function sendTip(context: TippingContext, command: TipCommand): Promise<TipView> {
  return await viewTip(context, await performOnce(context, command))
}

/**
 * Does the same as `sendTip`, but from a server's pool. If a second moderator must approve the tip, resolves to the
 * waiting reward.
 */
export async function sendFromPool(context: TippingContext, command: TipCommand): Promise<TipView | AwaitedReward> {
  const id = await performOnce(context, command)
  return (await awaitedReward(context, id)) ?? (await viewTip(context, id))
}

/** Performs a command once. Resolves to the id of the tip, or of the reward that waits for a second moderator. */
async function performOnce(context: TippingContext, command: TipCommand): Promise<string> {
  return await context.once.perform(onceOfTip(command), (digest) =>
    performTip(context, { kind: 'tip', digest, command: withReason(command) }),
  )
}

/** Returns the parts of a tip's command that a repetition must match. */
export function onceOfTip(command: TipCommand): Command {
  const { from, to, amount, split, note, pool, anonymous, origin } = command
  const { interaction } = origin
  const about = [from, to.map(({ id }) => id), amount, split, note, ...(anonymous ? ['anonymous'] : [])]
  return { interaction, verb: 'tip', content: pool === undefined ? about : [...about, pool.reason] }
}

/** Adds a moderator's reason as the note, unless the moderator typed a note. */
function withReason({ note, ...command }: TipCommand): TipCommand {
  return { ...command, note: note || command.pool?.reason }
}

/** Sends an approved tip or rain, with the sats and the writes in `funding`. */
export async function sendApproved(context: TippingContext, gift: TipGift, funding: ApprovedFunding): Promise<void> {
  const { kind, command } = gift
  const { interaction } = command.origin
  await context.once.perform({ interaction, verb: kind, content: [] }, (digest) =>
    performTip(context, { kind, digest, command, approved: funding }),
  )
}

interface Plan {
  readonly tip: string
  readonly card: string
  readonly kind: TipToPerform['kind']
  readonly tippedMessage: TippedMessageRef | undefined
  readonly digest: string
  readonly command: TipCommand
  readonly recipients: readonly string[]
  readonly share: Msats
  readonly funding: Funding
  /** Whether `funding` writes anything. */
  readonly isNoted: boolean
  readonly recipientStatuses: ReadonlyMap<string, RecipientStatus>
  /** How many days the tip waits for newcomers; 0 if there are none. */
  readonly claimDays: number
  readonly at: Date
}

/** A tip to be given once, with its kind and its command's digest. */
export interface TipToPerform {
  /** The kind of the tip's card. */
  readonly kind: 'tip' | 'rain' | 'tally'
  readonly digest: string
  readonly command: TipCommand
  /** The tipped message, whose card counts the tip; undefined if the tip is not for a message. */
  readonly tippedMessage?: TippedMessageRef
  /** The approved funding, if a second moderator has approved the tip. */
  readonly approved?: ApprovedFunding
}

/**
 * Writes a tip, and resolves to its id. If a server's reward must wait for a second moderator, resolves to the reward's
 * id.
 */
export async function performTip(context: TippingContext, toPerform: TipToPerform): Promise<string> {
  const { command, tippedMessage } = toPerform
  const recipients = chooseRecipients(command, context.settings)
  if ((command.note?.length ?? 0) > MAX_NOTE)
    throw new TippingRefusal('text-too-long', { what: 'note', most: MAX_NOTE })
  await mustAllowAnonymous(context, context.database.read, command)
  const route = await walletRoute(context, toPerform)
  if (route !== undefined) return await giveFromWallet(context, { ...toPerform, tippedMessage, recipients }, route)
  const byServer = await viaServerWallet(context, toPerform, recipients)
  if (byServer !== undefined) return await byServer()
  const people = await recipientStatuses(context.database.read, recipients)
  const isKnown = recipients.every((recipient) => people.has(recipient))
  const claimDays = isKnown ? 0 : await claimDaysIn(context, command.origin.guild)
  const give = async (share: Msats, funding: Funding, isNoted: boolean) => {
    const shared = tippedMessage?.card ?? countedOn(command)?.card
    const [tip, card, at] = [context.entropy.uuid(), shared ?? context.entropy.uuid(), now(context)]
    const whose = { recipients, recipientStatuses: people, claimDays }
    await write(context, { ...toPerform, ...whose, tippedMessage, tip, card, share, funding, isNoted, at })
    return tip
  }
  if (command.pool !== undefined) return await giveFromPool(context, toPerform, command.pool, recipients, give)
  return await giveFromBalance(context, command, recipients.length, give)
}

/** Returns the joined tip or the ask whose card counts a tip that has no card of its own. */
function countedOn({ joins, ask }: TipCommand): { readonly card: string } | undefined {
  return joins ?? ask
}

/** Returns a function that gives the tip from the server's wallet; undefined if that wallet does not pay. */
async function viaServerWallet(
  context: TippingContext,
  toPerform: TipToPerform,
  recipients: readonly string[],
): Promise<(() => Promise<string>) | undefined> {
  const { kind, command, approved, tippedMessage } = toPerform
  const { pool } = command
  if (pool === undefined) return undefined
  const isWallet = approved === undefined ? command.source === 'wallet' : 'wallet' in approved
  // This rain chose people with wallets, or it is paid from the pool.
  if (!isWallet && (approved !== undefined || kind === 'rain')) return undefined
  const route = await (isWallet ? needServerWallet : serverWalletRoute)(context, pool.guild, recipients)
  if (route === undefined) return undefined
  const funding = approved !== undefined && 'wallet' in approved ? approved : undefined
  return () =>
    giveFromServerWallet(context, { ...toPerform, tippedMessage, recipients, pool, approved: funding }, route)
}

type Give = (share: Msats, funding: Funding, isNoted: boolean) => Promise<string>

async function giveFromPool(
  context: TippingContext,
  { kind, digest, command, approved }: TipToPerform,
  pool: FromPool,
  recipients: readonly string[],
  give: Give,
): Promise<string> {
  // A pool's gifts are limited by a budget.
  const share = splitAmount(command, recipients.length, boundsOf(context, NO_LIMITS))
  if (approved !== undefined) return await give(share, mustBeOfPool(approved), true)
  const { from: member, origin } = command
  const isRain = kind === 'rain'
  // Store exactly the chosen recipients, so that the approval cannot choose others.
  const to = recipients.map((id) => ({ id, bot: false }))
  const gift = TIP_GIFTS.exact({ kind: isRain ? 'rain' : 'tip', command: { ...command, to } }, share)
  const spending: PoolSpending = {
    ...{ kind: isRain ? 'rain' : 'tip', member, pool, gift, origin, digest },
    amount: msats(share * BigInt(recipients.length)),
    shares: recipients.map((recipient) => ({ recipient, amount: share })),
  }
  return await spendPool(context, spending, (funding) => give(share, funding, true))
}

async function giveFromBalance(
  context: CoreContext,
  command: TipCommand,
  recipients: number,
  give: Give,
): Promise<string> {
  const { from, accountSince, byEmoji, origin } = command
  const limits = await context.limits.limitsFor(origin.guild)
  // The balance may change between reading `all` and taking it. Then it is read again.
  for (let attempt = 0; ; attempt += 1) {
    const balance = msats(await context.ledger.balance(member(from)))
    const share = splitAmount(command, recipients, boundsOf(context, limits), balance)
    const amount = msats(share * BigInt(recipients))
    const spending = { member: from, guild: origin.guild, amount, limits, accountSince, byEmoji }
    const funding = fromBalance(from, (tx) => spendAllowance(context, tx, spending))
    try {
      return await give(share, funding, isLimited(spending))
    } catch (error) {
      if (!(error instanceof InsufficientFunds)) throw error
      if (isRelative(command.amount) && attempt < 5) continue
      throw new TippingRefusal('insufficient-funds', {
        balance: msats(amount - error.missing),
        needed: amount,
        missing: msats(error.missing),
      })
    }
  }
}

async function write(context: TippingContext, plan: Plan): Promise<void> {
  const { command, at } = plan
  const shares = plan.recipients.map((recipient, ordinal) => planShare(context, plan, recipient, ordinal))
  const { kind } = plan
  if (kind !== 'tally' && countedOn(command) === undefined && !command.anonymous)
    context.foresee?.(foreseen(kind, plan, shares))
  await context.commit({
    entries: [...plan.funding.entries, ...shares.flatMap((share) => share.entries)],
    rows: [
      ...shares.flatMap((share) => share.operations),
      { table: 'Tip', values: tipValues(command, { ...recordOf(plan, shares.length), at }) },
      ...shares.flatMap((share) => share.rows),
      ...(plan.tippedMessage === undefined && countedOn(command) === undefined ? [cardRow(context, plan)] : []),
    ],
    ...alsoWritten(
      context,
      plan,
      shares.flatMap(({ onward }) => onward),
    ),
  })
  await startOnward(
    context,
    shares.flatMap(({ onward }) => onward),
  )
}

function recordOf({ tip: id, share, card, tippedMessage, funding }: Plan, people: number) {
  const total = msats(share * BigInt(people))
  return { id, total, card, message: tippedMessage?.message, pool: funding.pool }
}

function foreseen(
  kind: ForeseenTip['kind'],
  { command, recipients, share: amount, at, claimDays, funding }: Plan,
  shares: readonly PlannedShare[],
): ForeseenTip {
  return {
    kind,
    from: command.from,
    note: command.note ?? '',
    total: msats(amount * BigInt(shares.length)),
    shares: shares.map(({ isUnclaimed, onward }, nth) =>
      foreseenShare(
        { until: isUnclaimed ? claimableUntil(at, claimDays) : undefined, onward },
        { recipient: recipients[nth] ?? '', amount },
      ),
    ),
    fromPool: funding.pool !== null,
    createdAt: at,
  }
}

function cardRow(context: TippingContext, { card: id, kind, tip, command }: Plan): Row {
  const origin = command.anonymous ? withoutGiver(command.origin) : command.origin
  return context.cards.row({ id, kind, record: tip, audience: { channel: origin.channel }, origin })
}

/**
 * Returns further writes, if a limit, a tipped message or a forwarded tip needs them. Without further writes, many
 * simultaneous tips cost no queries.
 */
function alsoWritten(context: TippingContext, plan: Plan, onward: readonly Onward[]) {
  const { command, tip: id, card, funding, isNoted, tippedMessage } = plan
  const { joins, ask, from, anonymous } = command
  const isDue = onward.some(({ due }) => due.length > 0)
  const isCounted = tippedMessage !== undefined || countedOn(command) !== undefined
  // Stryker disable next-line ConditionalExpression: without limits, spending an allowance writes nothing.
  if (!isNoted && !isCounted && !isDue && !anonymous) return {}
  return {
    write: async (tx: Tx) => {
      await mustAllowAnonymous(context, tx, command)
      await funding.write(tx, { id, card })
      await noteDue(context, tx, onward)
      if (tippedMessage !== undefined) await countTip(context, tx, tippedMessage, command)
      if (joins !== undefined) await countJoined(context, tx, { ...joins, from })
      const amount = msats(plan.share * BigInt(plan.recipients.length))
      if (ask !== undefined) await countAsked(context, tx, { ...ask, tip: id, from, amount })
    },
  }
}

interface PlannedShare {
  readonly entries: Entry[]
  readonly operations: Row[]
  readonly rows: Row[]
  readonly onward: Onward[]
  /** Whether the share waits for a newcomer. */
  readonly isUnclaimed: boolean
}

function planShare(context: TippingContext, plan: Plan, recipient: string, ordinal: number): PlannedShare {
  const { command, share: amount, at } = plan
  const id = context.entropy.uuid()
  const status = plan.recipientStatuses.get(recipient)
  const gift = { cause: id, card: plan.card, member: recipient, amount, description: describe(command), at }
  const onward = planOnward(context, status, gift)
  const { account: from, held, pool } = plan.funding
  return {
    entries: [
      status
        ? { operation: id, step: 'post', moves: [{ from, to: member(recipient), amount }] }
        : { operation: id, step: 'reserve', moves: [{ from, to: held, amount }] },
      ...onward.entries,
    ],
    operations: [
      operationRow({
        id,
        verb: pool === null ? 'tip' : 'reward',
        record: ordinal === 0 ? plan.tip : id,
        interaction: command.origin.interaction,
        ordinal,
        digest: plan.digest,
        createdAt: at,
      }),
    ],
    rows: [
      {
        table: 'TipShare',
        values: {
          id,
          tipId: plan.tip,
          ordinal,
          recipient,
          amount,
          ...(status
            ? { state: 'credited', until: null }
            : { state: 'parked', until: claimableUntil(at, plan.claimDays) }),
          claimId: null,
        },
      },
      ...onward.rows,
      ...(status?.receipts ? [receiptRow(context, id, recipient)] : []),
    ],
    onward: [onward],
    isUnclaimed: status === undefined,
  }
}

/** Returns the row of a recipient's private message, which is a separate card. */
function receiptRow(context: TippingContext, share: string, recipient: string): Row {
  const id = context.entropy.uuid()
  return context.cards.row({ id, kind: 'receipt', record: share, audience: { member: recipient } })
}

function describe({ fromName, note }: TipCommand): string {
  const what = fromName ? `Tip from ${fromName}` : 'Tip'
  return note ? `${what}: ${note}` : what
}
