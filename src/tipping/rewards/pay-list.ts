import type { Entry, Row } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import { type Book, type CoreContext, now } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { QUESTION_LIVES_MS } from '../engine/gifts/confirmation.ts'
import type { AwaitedReward } from '../engine/gifts/gifts.ts'
import { noteDue, type Onward, planOnward, startOnward } from '../engine/gifts/onward.ts'
import { claimableUntil, claimDaysIn, type RecipientStatus, recipientStatuses } from '../engine/gifts/recipients.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { restoredSince } from '../engine/outgoing/outgoing-payments-switch.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import { spendPool } from '../engine/spending/spend-pool.ts'
import type { Funding, PoolSpending } from '../engine/spending/spending.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { feeLimits } from '../withdrawals/fee-limits.ts'
import { ownAddressRecipient, recipientsHere } from './address-recipients.ts'
import type {
  ListCommand,
  ListConfirmation,
  ListFault,
  ListGift,
  ListPreview,
  PersonInServer,
  StoredLine,
} from './lists.ts'
import { payAddressLines } from './pay-address-lines.ts'
import { mustBePayable } from './payable-parts.ts'
import { POLL_LIST_MS } from './poll-list.ts'
import { type ListRead, readList } from './read-list.ts'
import { costOf, reserveAddressLine } from './reserve-address-line.ts'

/**
 * Reads a list, and stores its valid lines until it is confirmed. Nothing moves. Throws TippingRefusal as `readList`
 * does.
 */
export async function previewList(context: CoreContext, command: ListCommand): Promise<ListPreview> {
  const { guild, member, reason, origin } = command
  const { lines, wrong, paidBefore } = await withAddresses(context, member, readList(context, command.file, command))
  const total = sumOf(lines.map(({ amount }) => BigInt(amount) as Msats))
  const feeLimit = msats(sumOf(lines.map(costOf)) - total)
  const preview = { people: lines.length, total, feeLimit, wrong, paidBefore }
  if (lines.length === 0) return { ...preview, asked: undefined }
  const { asked } = await keepList(context, { guild, member, reason, lines, origin })
  return { ...preview, asked }
}

/**
 * Stores a list until its moderator confirms it (`confirmList`). Resolves to the stored list; for a redelivered
 * command, to the list that was stored first.
 */
export async function keepList(
  context: Book,
  command: ListGift['command'],
): Promise<{ readonly asked: string; readonly lines: readonly StoredLine[] }> {
  const { member, origin } = command
  const gift: ListGift = { kind: 'list', command }
  const data = { member, command: JSON.stringify(gift), createdAt: now(context) }
  // The interaction is its key, so a command that is delivered twice asks about one list.
  const asked = origin.interaction
  const kept = await context.commit({
    write: (tx) => tx.pendingTip.upsert({ where: { id: asked }, create: { id: asked, ...data }, update: {} }),
  })
  return { asked, lines: (JSON.parse(kept.command) as ListGift).command.lines }
}

function sumOf(amounts: readonly Msats[]): Msats {
  return msats(amounts.reduce((sum: bigint, amount) => sum + amount, 0n))
}

/** Returns the lines with the fee limits of payments to Lightning Addresses. Does not contact the addresses yet. */
export async function withFeeLimits(context: CoreContext, lines: readonly StoredLine[]): Promise<StoredLine[]> {
  if (lines.every(({ address }) => address === undefined)) return [...lines]
  const limitOf = await feeLimits(context)
  return lines.map((line) =>
    line.address === undefined ? line : { ...line, feeLimit: String(limitOf(BigInt(line.amount) as Msats)) },
  )
}

/** Rejects lines whose Lightning Addresses may not be paid, and sets the fee limits of the others. */
async function withAddresses(context: CoreContext, member: string, read: ListRead): Promise<ListRead> {
  const addresses = read.lines.flatMap(({ address }) => (address === undefined ? [] : [address]))
  if (addresses.length === 0) return read
  const [here, own] = await Promise.all([
    recipientsHere(context.database.read, addresses),
    ownAddressRecipient(context.database.read, member),
  ])
  const faultOf = ({ address, recipient }: StoredLine): ListFault | undefined => {
    if (address === undefined) return undefined
    if (here.has(recipient)) return 'address-here'
    return recipient === own ? 'self' : undefined
  }
  const faults = read.lines.flatMap((line) => {
    const [fault, typed] = [faultOf(line), read.typed.get(line.line)]
    return fault === undefined || typed === undefined ? [] : [{ ...typed, fault }]
  })
  const wrong = [...read.wrong, ...faults].sort((one, other) => one.line - other.line)
  const right = read.lines.filter((line) => faultOf(line) === undefined)
  return { ...read, lines: await withFeeLimits(context, right), wrong }
}

/**
 * Pays a confirmed list, all lines in one change. Each line is paid only once, no matter how often the list is
 * confirmed. Throws TippingRefusal `not-there`, `not-yours`, or as `mustStillBePayable` and `spendPool` do.
 */
export async function confirmList(context: TippingContext, word: ListConfirmation): Promise<AwaitedReward> {
  const { asked, member, roles, origin } = word
  const found = await context.database.read.pendingTip.findUnique({ where: { id: asked } })
  const interaction = `confirmed ${asked}`
  const isOver = found === null || context.clock.now() - found.createdAt.getTime() > QUESTION_LIVES_MS
  // A moderator who confirmed in time and asks again gets the earlier result.
  if (found === null || (isOver && !(await context.once.has(interaction)))) throw new TippingRefusal('not-there', {})
  if (found.member !== member) throw new TippingRefusal('not-yours', {})
  const { kind, command } = JSON.parse(found.command) as ListGift
  if (kind !== 'list') throw new TippingRefusal('not-there', {})
  const { guild, reason } = command
  if (!(await context.once.has(interaction)))
    await mustStillBePayable(context, command, { sentAt: found.createdAt, person: word.person })
  const answer = { ...origin, interaction, asked: command.origin.asked }
  const list = { ...command, pool: { guild, roles, reason }, origin: answer }
  const id = await payOnce(context, list)
  const reward = await context.database.read.reward.findUniqueOrThrow({ where: { id } })
  return { reward: id, card: reward.card }
}

/**
 * Checks conditions that may have changed since a list was sent. This check is needed both at the confirmation and at
 * the approval. In a split, everybody must be as payable as before. Throws TippingRefusal as `mustBePayable` does,
 * `not-there` if one of the list's addresses was forgotten, `outgoing-paused…` while addresses may not be paid, and
 * `list-before-restore` if the books were restored after the list was sent, because the list may have been paid before
 * the restore.
 */
export async function mustStillBePayable(
  context: TippingContext,
  { guild, lines, split }: Pick<ListGift['command'], 'guild' | 'lines' | 'split'>,
  { sentAt, person = nobody }: { readonly sentAt: Date; readonly person: PersonInServer | undefined },
): Promise<void> {
  if (split) await mustBePayable(context, { guild, person }, lines)
  if (lines.every(({ address }) => address === undefined)) return
  if (lines.some(({ address }) => address === '')) throw new TippingRefusal('not-there', {})
  context.outgoingSwitch.assertOutgoingEnabled()
  if (await restoredSince(context.database.read, sentAt)) throw new TippingRefusal('list-before-restore', {})
}

const nobody: PersonInServer = async () => undefined

/** Pays an approved list with the sats and the writes in `funding`. */
export async function payApprovedList(
  context: TippingContext,
  list: ListGift['command'],
  funding: Funding,
): Promise<void> {
  await payOnce(context, list, funding)
}

/** Pays a list only once, and resolves to the reward's id. */
async function payOnce(context: TippingContext, list: ListGift['command'], approved?: Funding): Promise<string> {
  const { interaction } = list.origin
  return await context.once.perform({ interaction, verb: 'list', content: [list.member] }, (digest) =>
    perform(context, list, digest, approved),
  )
}

async function perform(
  context: TippingContext,
  list: ListGift['command'],
  digest: string,
  approved: Funding | undefined,
): Promise<string> {
  const { member, lines, pool, origin } = list
  if (pool === undefined) throw new Error('only a pool can pay a list')
  if (approved !== undefined) return await pay(context, list, digest, approved)
  const shares = lines.map(({ recipient, amount, line, reason }) => ({
    ...{ recipient, line, reason },
    amount: BigInt(amount) as Msats,
  }))
  const spending: PoolSpending = {
    ...{ kind: 'list', member, pool, shares, origin, digest },
    gift: { kind: 'list', command: list } as ListGift,
    amount: sumOf(lines.map(costOf)),
  }
  return await spendPool(context, spending, (funding) => pay(context, list, digest, funding))
}

/**
 * Writes one change for all lines: a tip with different shares, each a separate operation, and the costs reserved for
 * payments to Lightning Addresses, which wait for their invoices.
 */
async function pay(
  context: TippingContext,
  list: ListGift['command'],
  digest: string,
  funding: Funding,
): Promise<string> {
  const { guild, member, reason, lines, origin } = list
  const [id, at] = [context.entropy.uuid(), now(context)]
  const card = funding.card ?? context.entropy.uuid()
  const members = lines.filter(({ address }) => address === undefined)
  const sent = lines.flatMap((line) =>
    isToAddress(line) ? [reserveAddressLine(context, line, { id, guild, member, card, at })] : [],
  )
  const statuses = await recipientStatuses(
    context.database.read,
    members.map(({ recipient }) => recipient),
  )
  const until = claimableUntil(at, await claimDaysIn(context, guild))
  const planned = members.map((line, ordinal) =>
    planLine(context, line, {
      ...{ tip: id, ordinal, card, funding, digest, until, at },
      ...{ interaction: origin.interaction, status: statuses.get(line.recipient) },
    }),
  )
  const onward = planned.map((each) => each.onward)
  const total = sumOf(members.map(({ amount }) => BigInt(amount) as Msats))
  const about = { sender: member, note: reason, total, guild, channel: origin.channel }
  await context.commit({
    entries: [...funding.entries, ...planned.flatMap(({ entries }) => entries), ...sent.map(({ entry }) => entry)],
    rows: [
      ...planned.map(({ operation }) => operation),
      members.length === 0
        ? operationRow({ id, verb: 'list', record: id, interaction: origin.interaction, digest, createdAt: at })
        : { table: 'Tip', values: { id, ...about, card, message: null, pool: funding.pool, createdAt: at } },
      ...sent.flatMap(({ rows }) => rows),
      ...planned.flatMap(({ rows }) => rows),
      ...(funding.card === undefined
        ? [context.cards.row({ id: card, kind: 'reward', record: id, audience: { channel: origin.channel }, origin })]
        : []),
    ],
    write: async (tx) => {
      await funding.write(tx, { id, card })
      await noteDue(context, tx, onward)
      const job = { id, kind: 'list', bornAt: at } as const
      if (sent.length > 0) await schedulePoll(tx, job, new Date(context.clock.now() + POLL_LIST_MS))
    },
  })
  payAddressLines(
    context,
    sent.map((line) => line.id),
  )
  if (sent.length > 0) void context.poller.wake()
  await startOnward(context, onward)
  return id
}

function isToAddress(line: StoredLine): line is StoredLine & { readonly address: string } {
  return line.address !== undefined
}

interface LineToPay {
  readonly tip: string
  readonly ordinal: number
  readonly card: string
  readonly funding: Funding
  readonly interaction: string
  readonly digest: string
  /** The time until which a share waits for a newcomer. */
  readonly until: Date
  readonly at: Date
  readonly status: RecipientStatus | undefined
}

interface PlannedLine {
  readonly entries: readonly Entry[]
  readonly operation: Row
  readonly rows: readonly Row[]
  readonly onward: Onward
}

function planLine(context: TippingContext, line: StoredLine, toPay: LineToPay): PlannedLine {
  const { recipient } = line
  const { tip, ordinal, card, funding, interaction, digest, until, at, status } = toPay
  const [id, receipt] = [context.entropy.uuid(), context.entropy.uuid()]
  const amount = BigInt(line.amount) as Msats
  const description = `Reward: ${line.reason}`
  const onward = planOnward(context, status, { cause: id, card, member: recipient, amount, description, at })
  const isNew = status === undefined
  const to = isNew ? funding.held : memberAccount(recipient)
  const first = { operation: id, step: isNew ? 'reserve' : 'post', moves: [{ from: funding.account, to, amount }] }
  const state = isNew ? { state: 'parked', until } : { state: 'credited', until: null }
  const record = ordinal === 0 ? tip : id
  return {
    entries: [first, ...onward.entries],
    operation: operationRow({ id, verb: 'reward', record, interaction, ordinal, digest, createdAt: at }),
    rows: [
      { table: 'TipShare', values: { id, tipId: tip, ordinal, recipient, amount, ...state, claimId: null } },
      ...onward.rows,
      ...(status?.receipts
        ? [context.cards.row({ id: receipt, kind: 'receipt', record: id, audience: { member: recipient } })]
        : []),
    ],
    onward,
  }
}
