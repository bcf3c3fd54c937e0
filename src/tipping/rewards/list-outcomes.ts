import { msats } from '../../lib/money/amount.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { AddressLine, Reward, Withdrawal } from '../generated/client.ts'
import { viewTip } from '../tips/view-tip.ts'
import type { ReturnedBecause } from '../withdrawals/withdrawals.ts'
import { isAddressRecipient } from './address-recipients.ts'
import type { LineReturned, ListGift, ListOutcome } from './lists.ts'
import { readRefusal } from './stored-refusal.ts'

type Stand = Pick<ListOutcome, 'state' | 'fee' | 'why' | 'paused'>

/** Returns the states of a list's lines, in the order of the list's file. Throws TippingRefusal `not-there`. */
export async function listOutcomes(context: TippingContext, id: string): Promise<ListOutcome[]> {
  const reward = await context.database.read.reward.findUnique({
    where: { id, kind: 'list' },
    include: { shares: { orderBy: { line: 'asc' } } },
  })
  if (reward === null) throw new TippingRefusal('not-there', {})
  const [members, sent] = await Promise.all([membersOf(context, reward.record), addressesOf(context, reward.record)])
  const unpaid = reward.state === 'denied' ? 'denied' : 'waiting'
  const asked = askedAddresses(reward)
  return reward.shares.map((share) => {
    const line = share.line ?? 0
    const found = sent.get(line)
    const address = isAddressRecipient(share.recipient) ? (found?.address ?? asked.get(line) ?? '') : undefined
    const { recipient, amount, reason } = share
    const stand = found?.stand ?? { ...NOTHING, state: members.get(recipient) ?? unpaid }
    return { line, recipient, address, amount: msats(amount), reason: reason ?? reward.reason, ...stand }
  })
}

const NOTHING = { fee: undefined, why: undefined, paused: false }

async function membersOf(context: ReadonlyBook, tip: string | null) {
  const isTip = tip !== null && (await context.database.read.tip.count({ where: { id: tip } })) > 0
  const shares = isTip ? (await viewTip(context, tip)).shares : []
  return new Map(shares.map(({ recipient, state }) => [recipient, state]))
}

/** Returns the addresses of a list that waits for a second moderator, by line. */
function askedAddresses({ state, gift }: Reward): ReadonlyMap<number, string> {
  if (state !== 'asked' || gift === null) return new Map()
  const { lines } = (JSON.parse(gift) as ListGift).command
  return new Map(lines.flatMap(({ line, address }) => (address === undefined ? [] : [[line, address] as const])))
}

interface Sent {
  readonly address: string
  readonly stand: Stand
}

async function addressesOf(
  { database: { read }, outgoingSwitch }: TippingContext,
  listId: string | null,
): Promise<ReadonlyMap<number, Sent>> {
  const lines = listId === null ? [] : await read.addressLine.findMany({ where: { listId } })
  const where = { id: { in: lines.flatMap(({ id, state }) => (state === 'sent' ? [id] : [])) } }
  const made = new Map((await read.withdrawal.findMany({ where })).map((withdrawal) => [withdrawal.id, withdrawal]))
  const isPaused = !outgoingSwitch.open
  return new Map(
    lines.map((line) => [line.line, { address: line.address, stand: standOf(line, made.get(line.id), isPaused) }]),
  )
}

function standOf(line: AddressLine, withdrawal: Withdrawal | undefined, isPaused: boolean): Stand {
  const { state, problem, restored } = line
  if (state === 'waiting') return { ...NOTHING, state: 'sending', paused: isPaused }
  if (withdrawal === undefined) return { ...NOTHING, state: 'returned', why: refusedBecause(problem) }
  const { state: now, because, reason, fee } = withdrawal
  switch (now) {
    case 'paid':
      return { ...NOTHING, state: 'paid', fee: fee === null ? undefined : msats(fee) }
    case 'unknown':
      return { ...NOTHING, state: 'unknown' }
    case 'returned': {
      const why = { kind: 'returned', because: because as ReturnedBecause, reason: reason ?? undefined } as const
      return { ...NOTHING, state: 'returned', why: restored ? { kind: 'restored' } : why }
    }
    default:
      return { ...NOTHING, state: 'sending' }
  }
}

function refusedBecause(problem: string | null): LineReturned {
  return problem === null ? { kind: 'restored' } : { kind: 'refused', refusal: readRefusal(problem) }
}
