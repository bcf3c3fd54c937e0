import type { LndProcess } from './lnd-process.ts'

/** One channel as its node sees it, in sats. */
export interface ChannelLine {
  readonly capacity: bigint
  readonly local: bigint
  readonly remote: bigint
  /** The commitment transaction's fee and anchors, paid by the side that opened the channel. */
  readonly commitment: bigint
  readonly inFlight: bigint
  readonly initiator: boolean
}

/** A node's own book, in msats. */
export interface NodeBook {
  /** The node's own msats in all channels. */
  readonly settled: bigint
  /** Msats that belong to neither the node nor its peers yet. */
  readonly inFlight: bigint
  /** The sums that are reserved for commitment transactions in the channels that the node opened, in msats. */
  readonly commitment: bigint
  /** The sums of the payments, and of their fees, in the node's own records, in msats. */
  readonly received: bigint
  readonly paid: bigint
  readonly fees: bigint
  readonly channels: readonly ChannelLine[]
}

/** The two anchors of 330 sats each that a commitment transaction has besides its fee. */
const ANCHORS = 660n
/** The most sats that may be missing from a channel's parts, which lnd rounds down to whole sats. */
const ROUNDING = 1n

/** Reads lnd's own book: its channels, and its records of invoices and payments. */
export async function readNodeBook(node: LndProcess): Promise<NodeBook> {
  const [{ local_balance, unsettled_local_balance, unsettled_remote_balance }, { channels }] = await Promise.all([
    node.call('GET', '/v1/balance/channels'),
    node.call('GET', '/v1/channels'),
  ])
  const { invoices } = await node.call('GET', '/v1/invoices?num_max_invoices=100000')
  const { payments } = await node.call('GET', '/v1/payments?max_payments=100000')
  const settled = (invoices as { state: string; amt_paid_msat: string }[]).filter(({ state }) => state === 'SETTLED')
  const paid = (payments as { status: string; value_msat: string; fee_msat: string }[]).filter(
    ({ status }) => status === 'SUCCEEDED',
  )
  const lines = channels.map(lineOf) as ChannelLine[]
  return {
    settled: BigInt(local_balance.msat),
    inFlight: BigInt(unsettled_local_balance.msat) + BigInt(unsettled_remote_balance.msat),
    commitment: sum(lines.filter(({ initiator }) => initiator).map(({ commitment }) => commitment * 1_000n)),
    received: sum(settled.map(({ amt_paid_msat }) => BigInt(amt_paid_msat))),
    paid: sum(paid.map(({ value_msat }) => BigInt(value_msat))),
    fees: sum(paid.map(({ fee_msat }) => BigInt(fee_msat))),
    channels: lines,
  }
}

/**
 * Returns faults as sentences: each channel whose parts do not sum to its capacity, payments in flight, and a gain of
 * the channels that the node's invoices and payments do not explain. Sums reserved for commitment transactions are no
 * loss.
 */
export function checkNodeBook(opening: NodeBook, now: NodeBook): string[] {
  const faults = now.channels.flatMap(({ capacity, local, remote, commitment, inFlight }) => {
    const missing = capacity - local - remote - commitment - inFlight
    if (missing >= 0n && missing <= ROUNDING) return []
    return [`a channel of ${capacity} sats has ${local} + ${remote} + ${commitment} + ${inFlight}`]
  })
  if (now.inFlight !== 0n) faults.push(`${now.inFlight} msats are still in flight`)
  const recorded = now.received - opening.received - (now.paid - opening.paid) - (now.fees - opening.fees)
  if (gainOf(opening, now) !== recorded) {
    faults.push(`the channels gained ${gainOf(opening, now)} msats, and the node's records say ${recorded}`)
  }
  return faults
}

/** Returns the channels' gain in msats, as if commitment transactions were free. */
export function gainOf(opening: NodeBook, now: NodeBook): bigint {
  return now.settled - opening.settled + commitmentGrowth(opening, now)
}

/**
 * Returns the growth of the sums reserved for commitment transactions, in msats. A transaction pays whole sats, so
 * its fee includes the fractions of both sides, up to a sat per channel; these fractions are still in the balances in
 * msats, and are not counted as growth.
 */
export function commitmentGrowth(opening: NodeBook, now: NodeBook): bigint {
  const more = now.commitment - opening.commitment
  const fractions = BigInt(now.channels.length) * 1_000n
  return more >= -fractions && more <= fractions ? 0n : more
}

function lineOf(channel: Record<string, string> & { initiator: boolean; pending_htlcs: { amount: string }[] }) {
  return {
    capacity: BigInt(channel.capacity ?? 0),
    local: BigInt(channel.local_balance ?? 0),
    remote: BigInt(channel.remote_balance ?? 0),
    commitment: BigInt(channel.commit_fee ?? 0) + ANCHORS,
    inFlight: BigInt(channel.unsettled_balance ?? 0),
    initiator: channel.initiator,
  }
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}
