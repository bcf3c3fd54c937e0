import { formatSats, type Msats } from '../../../lib/money/amount.ts'
import type { NodeHealth } from '../../backends/backend.ts'
import { type Holder, wallet } from '../../core/chart-of-accounts.ts'
import { nothingSent, ServiceRefusal } from '../../core/service-refusal.ts'
import type { NodeParts } from './node-parts.ts'
import type { NodeView } from './node-watch.ts'

type WatchParts = Pick<NodeParts, 'nodeWatch'>

/** The reasons that callers see. Only operators see the whole reason, with addresses and settings. */
const IN_WORDS: Readonly<Record<Exclude<NodeHealth['state'], 'ready'>, string>> = {
  away: 'The Lightning node does not answer',
  starting: 'The Lightning node is starting, or waits to be unlocked',
  syncing: 'The Lightning node is behind the chain',
  refused: 'The Lightning node does not let this service in',
}

/** The seconds until another attempt makes sense. */
const NODE_RETRY_AFTER = '30'
const LIQUIDITY_RETRY_AFTER = '60'

/**
 * Throws ServiceRefusal (nothing_sent) while our node cannot be used, or its channels hold less on our side than
 * `needed` (the amount plus its fee limit, in msats). Call it before any reserve. A `payer` whose balance is smaller is
 * refused by the reserve instead, and learns nothing about the node.
 */
export async function refuseUnsendableNow(
  parts: WatchParts & Pick<NodeParts, 'ledger'>,
  needed: Msats,
  payer?: Holder,
): Promise<void> {
  const view = await readyView(parts)
  if (canSend(view, needed)) return
  if (payer !== undefined && (await parts.ledger.balance(wallet(payer))) < needed) return
  // The node may have received since, so check its present state before refusing.
  const { balances } = await parts.nodeWatch.look()
  if (canSend({ balances }, needed)) return
  const most = balances?.spendable ?? 0n
  throw new ServiceRefusal(
    'nothing_sent',
    `The Lightning node of this service can send ${most === 0n ? 'nothing' : `at most ${formatSats(most)} sats, fees included,`} right now; nothing was sent. Try a smaller amount, or try again later.`,
    { 'retry-after': LIQUIDITY_RETRY_AFTER },
    most === 0n ? undefined : most,
  )
}

/**
 * Throws ServiceRefusal if nobody could pay an invoice of this amount: nothing_sent while our node cannot be used,
 * amount_too_high if its channels have less room. If the node does not report that room, refuses nothing.
 */
export async function refuseWithoutRoom(parts: WatchParts, amount: Msats): Promise<void> {
  await readyView(parts)
  await refuseCodeWithoutRoom(parts, amount)
}

/**
 * Throws ServiceRefusal (amount_too_high) if our node has no room to receive the amount of a code. The code's invoices
 * are made later, so an unreachable node does not matter.
 */
export async function refuseCodeWithoutRoom(parts: WatchParts, amount: Msats): Promise<void> {
  const most = await receivableNow(parts)
  if (most === undefined || amount <= most) return
  throw new ServiceRefusal(
    'amount_too_high',
    most === 0n
      ? 'The Lightning node of this service cannot receive anything right now: its channels have no room. Tell its operator.'
      : `The Lightning node of this service can receive at most ${formatSats(most)} sats right now. Ask for less, or try again later.`,
    {},
    most === 0n ? undefined : most,
  )
}

/** Returns the most that our node can receive, in msats, according to its last report; undefined if that is unknown. */
export async function receivableNow({ nodeWatch }: WatchParts): Promise<Msats | undefined> {
  return (await nodeWatch.recent(RECENT_MS)).balances?.receivable
}

const RECENT_MS = 5_000

async function readyView({ nodeWatch }: WatchParts): Promise<NodeView> {
  const view = await nodeWatch.recent(RECENT_MS)
  if (view.health.state === 'ready') return view
  const refusal = nothingSent(IN_WORDS[view.health.state])
  throw new ServiceRefusal(refusal.code, refusal.message, { 'retry-after': NODE_RETRY_AFTER })
}

function canSend({ balances }: Pick<NodeView, 'balances'>, needed: Msats): boolean {
  return balances?.spendable === undefined || needed <= balances.spendable
}
