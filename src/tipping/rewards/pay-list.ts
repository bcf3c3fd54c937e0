import type { Entry, Row } from '../../ledger/ledger.ts'
import { type Msats, msats, ZERO } from '../../lib/money/amount.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { QUESTION_LIVES_MS } from '../engine/gifts/confirmation.ts'
import type { AwaitedReward } from '../engine/gifts/gifts.ts'
import { noteDue, type Onward, planOnward, startOnward } from '../engine/gifts/onward.ts'
import { claimableUntil, claimDaysIn, type RecipientStatus, recipientStatuses } from '../engine/gifts/recipients.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { spendPool } from '../engine/spending/spend-pool.ts'
import type { Funding, PoolSpending } from '../engine/spending/spending.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { ListCommand, ListConfirmation, ListGift, ListPreview, StoredLine } from './lists.ts'
import { readList } from './read-list.ts'

/** Reads a list and stores what is right of it, until it is confirmed. Nothing moves. Throws TippingRefusal as `readList`. */
export async function previewList(context: TippingContext, command: ListCommand): Promise<ListPreview> {
  const { guild, member, reason, origin } = command
  const { lines, wrong, paidBefore } = readList(context, command.file, command)
  const total = msats(lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n))
  const preview = { people: lines.length, total, wrong, paidBefore }
  if (lines.length === 0) return { ...preview, asked: undefined }
  const gift: ListGift = { kind: 'list', command: { guild, member, reason, lines, origin } }
  const data = { member, command: JSON.stringify(gift), createdAt: now(context) }
  // Named by its interaction, so that one delivered twice asks about one list.
  const asked = origin.interaction
  await context.commit({
    write: (tx) => tx.pendingTip.upsert({ where: { id: asked }, create: { id: asked, ...data }, update: {} }),
  })
  return { ...preview, asked }
}

/**
 * The confirmation: however often it is given, each line is paid once, all in one change. Throws TippingRefusal `not-there`, `not-yours`,
 * and what `spendPool` throws.
 */
export async function confirmList(context: TippingContext, word: ListConfirmation): Promise<AwaitedReward> {
  const { asked, member, roles, origin } = word
  const found = await context.database.read.pendingTip.findUnique({ where: { id: asked } })
  const interaction = `confirmed ${asked}`
  const isOver = found === null || context.clock.now() - found.createdAt.getTime() > QUESTION_LIVES_MS
  // Who has answered in time, and asks again, is led to what was done.
  if (found === null || (isOver && !(await context.once.has(interaction)))) throw new TippingRefusal('not-there', {})
  if (found.member !== member) throw new TippingRefusal('not-yours', {})
  const { kind, command } = JSON.parse(found.command) as ListGift
  if (kind !== 'list') throw new TippingRefusal('not-there', {})
  const { guild, reason } = command
  const list = { ...command, pool: { guild, roles, reason }, origin: { ...origin, interaction } }
  const id = await payOnce(context, list)
  const reward = await context.database.read.reward.findUniqueOrThrow({ where: { id } })
  return { reward: id, card: reward.card }
}

/** Pays a list that was approved, paid as `funding` says. */
export async function payApprovedList(
  context: TippingContext,
  list: ListGift['command'],
  funding: Funding,
): Promise<void> {
  await payOnce(context, list, funding)
}

/** Resolves to the reward. */
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
  if (pool === undefined) throw new Error('a list is paid by a pool')
  if (approved !== undefined) return await pay(context, list, digest, approved)
  const shares = lines.map(({ recipient, amount, line, reason }) => ({
    ...{ recipient, line, reason },
    amount: BigInt(amount) as Msats,
  }))
  const spending: PoolSpending = {
    ...{ kind: 'list', member, pool, shares, origin, digest },
    gift: { kind: 'list', command: list } as ListGift,
    amount: msats(shares.reduce((sum, { amount }) => sum + amount, 0n)),
  }
  return await spendPool(context, spending, (funding) => pay(context, list, digest, funding))
}

/** One change for all lines: a tip whose shares differ, each of them an operation of its own. */
async function pay(
  context: TippingContext,
  list: ListGift['command'],
  digest: string,
  funding: Funding,
): Promise<string> {
  const { guild, member, reason, lines, origin } = list
  const [id, at] = [context.entropy.uuid(), now(context)]
  const card = funding.card ?? context.entropy.uuid()
  const statuses = await recipientStatuses(
    context.database.read,
    lines.map(({ recipient }) => recipient),
  )
  const until = claimableUntil(at, await claimDaysIn(context, guild))
  const planned = lines.map((line, ordinal) =>
    planLine(context, line, {
      ...{ tip: id, ordinal, card, funding, digest, until, at },
      ...{ interaction: origin.interaction, status: statuses.get(line.recipient) },
    }),
  )
  const onward = planned.map((each) => each.onward)
  const total = lines.reduce((sum, { amount }) => sum + BigInt(amount), ZERO as bigint)
  const about = { sender: member, note: reason, total, guild, channel: origin.channel }
  await context.commit({
    entries: [...funding.entries, ...planned.flatMap(({ entries }) => entries)],
    rows: [
      ...planned.map(({ operation }) => operation),
      { table: 'Tip', values: { id, ...about, card, message: null, pool: funding.pool, createdAt: at } },
      ...planned.flatMap(({ rows }) => rows),
      ...(funding.card === undefined
        ? [context.cards.row({ id: card, kind: 'reward', record: id, audience: { channel: origin.channel }, origin })]
        : []),
    ],
    write: async (tx) => {
      await funding.write(tx, { id, card })
      await noteDue(context, tx, onward)
    },
  })
  await startOnward(context, onward)
  return id
}

interface LineToPay {
  readonly tip: string
  readonly ordinal: number
  readonly card: string
  readonly funding: Funding
  readonly interaction: string
  readonly digest: string
  /** How long it waits for who is new. */
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
