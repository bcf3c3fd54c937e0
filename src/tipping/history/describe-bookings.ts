import type { HistoryLine } from '../../ledger/ledger.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { ExportReading } from '../engine/export-reading.ts'
import type { BookedAs, MemberLine } from './history.ts'

/** A booking with the balance after it. */
export interface BalancedLine extends HistoryLine {
  readonly balance: Msats
}

/** A booking as it is described to people: its kind, and the other person. */
type Told = readonly [what: BookedAs, who?: string]

/** The other people behind some bookings, and the verbs of the bookings' operations. */
interface People {
  /** The other person of each operation: the giver of incoming sats, or the receiver of outgoing sats. */
  readonly others: ReadonlyMap<string, string>
  readonly verbs: ReadonlyMap<string, string>
}

/** Returns one member's bookings as they are described to people, in the given order. */
export async function describeBookings(
  context: ExportReading,
  member: string,
  lines: readonly BalancedLine[],
): Promise<MemberLine[]> {
  const people = await peopleBehind(context, member, lines)
  return lines.map((line) => {
    const { operation, at, amount, balance } = line
    const [what, who] = tell(line, member, people)
    return { operation, at, amount, balance, state: undefined, what, who }
  })
}

function tell(line: BalancedLine, member: string, { verbs, others }: People): Told {
  const { amount, operation, other, step } = line
  const who = others.get(operation)
  const gives = amount < 0n
  switch (verbs.get(operation)) {
    case 'tip':
      if (gives) return ['tip-sent', who]
      return step === 'void' ? ['tip-returned', who] : ['tip-received', who]
    case 'reward':
      return ['reward', who]
    case 'payout':
      return gives ? ['payout'] : other.kind === 'held' ? ['returned'] : ['correction']
    case 'deposit':
      return ['deposit']
    case 'address':
      return ['address']
    case 'withdraw':
    case 'pay':
      if (gives) return who === undefined ? ['withdrawal'] : ['payment', who]
      return [step === 'void' ? 'returned' : 'fee-returned']
    case 'voucher-batch':
      return ['voucher']
    case 'voucher':
      if (gives) return ['voucher']
      return [step === 'post' || step === 'fee' ? 'fee-returned' : 'voucher-returned']
    case 'redeem':
      return ['redemption']
    case 'drop':
      return [gives ? 'drop' : 'drop-rest']
    case 'drop-claim':
      return ['drop-share', who]
    case 'giveaway':
    case 'giveaway-reroll':
    case 'giveaway-edit':
    case 'giveaway-claim':
      if (gives) return ['giveaway']
      return who === member ? ['giveaway-rest'] : ['prize', who]
    case 'faucet':
      return ['faucet']
    case 'give':
      return ['pool-gift']
    default:
      return ['correction']
  }
}

async function peopleBehind(
  { database: { read } }: ExportReading,
  member: string,
  lines: readonly BalancedLine[],
): Promise<People> {
  const where = { id: { in: [...new Set(lines.map(({ operation }) => operation))] } }
  const [operations, shares, rewards, withdrawals, claims, giveaways, wins] = await Promise.all([
    read.operation.findMany({ where, select: { id: true, verb: true } }),
    read.tipShare.findMany({ where, select: { id: true, recipient: true, tip: { select: { sender: true } } } }),
    read.reward.findMany({ where, select: { id: true, requester: true } }),
    read.withdrawal.findMany({ where: { ...where, kind: 'pay' }, select: { id: true, about: true } }),
    read.dropClaim.findMany({ where, select: { id: true, drop: { select: { member: true } } } }),
    read.giveaway.findMany({ where, select: { id: true, starter: true } }),
    read.giveawayWin.findMany({ where, select: { id: true, giveaway: { select: { starter: true } } } }),
  ])
  const invoices = await read.invoice.findMany({
    where: { id: { in: withdrawals.flatMap(({ about }) => (about === null ? [] : [about])) } },
    select: { id: true, member: true },
  })
  const payees = new Map(invoices.map((invoice) => [invoice.id, invoice.member]))
  const others = new Map<string, string>()
  for (const { id, recipient, tip } of shares) others.set(id, tip.sender === member ? recipient : tip.sender)
  for (const { id, requester } of rewards) others.set(id, requester)
  for (const { id, about } of withdrawals) others.set(id, payees.get(about ?? '') ?? '')
  for (const { id, drop } of claims) others.set(id, drop.member)
  for (const { id, starter } of giveaways) others.set(id, starter)
  for (const { id, giveaway } of wins) others.set(id, giveaway.starter)
  return { others, verbs: new Map(operations.map(({ id, verb }) => [id, verb])) }
}
