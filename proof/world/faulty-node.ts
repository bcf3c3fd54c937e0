import { msats } from '../../src/lib/money/amount.ts'
import type {
  InvoiceStatus,
  LightningBackend,
  NodeBalances,
  OddRecord,
  Settlement,
} from '../../src/payments-service/backends/backend.ts'
import { isOdd } from '../../src/payments-service/backends/node-answers.ts'
import type { Chance } from './chance.ts'
import { type Life, silence } from './crashing-database.ts'
import type { LateRequests } from './late-requests.ts'
import type { Offers } from './offers.ts'
import type { Shortfalls } from './shortfalls.ts'
import type { Timeline } from './timeline.ts'
import type { Trace } from './trace.ts'

/**
 * The longest delay of a request to the node, within the minute in which the service does not trust the absence of a
 * payment.
 */
const LATEST_MS = 20_000

/** The error of a failed call to the node. */
export const NODE_BROKE = 'the connection to the node broke'

/**
 * The course of a call to the node: it succeeds; it throws, before or after the node has received the request; it never
 * returns; or it throws, and the node receives the request later.
 */
type Fault = 'well' | 'throws-before' | 'throws-after' | 'never-answers' | 'late'

export interface FaultyNodeParts {
  readonly node: LightningBackend
  /** The life of the process that calls the node. */
  readonly life: Life
  readonly chance: Chance
  readonly trace: Trace
  /** The world's one true time. */
  readonly timeline: Pick<Timeline, 'after'>
  /** The probability of a failure between the service and its node, from 0 to 1. */
  readonly trouble: () => number
  readonly shortfalls: Shortfalls
  readonly lateRequests: LateRequests
  readonly offers: Offers
}

/** Returns the Lightning node as the service sees it: through a connection that breaks, with answers that get lost. */
export function faultyNode(parts: FaultyNodeParts): LightningBackend {
  const { node, life, chance, trace, timeline, trouble, shortfalls, lateRequests, offers } = parts
  const fault = (patient: boolean, sends: boolean): Fault => {
    if (!chance.happens(trouble())) return 'well'
    const moods = {
      'throws-before': 2,
      'throws-after': 2,
      'never-answers': patient ? 1 : 0,
      late: sends ? 2 : 0,
      well: 0,
    }
    return chance.weighted(moods)
  }
  /**
   * Calls the node, perhaps with a fault. `patient`: the service has its own time limit for this call; `sends`: the
   * node sends sats.
   */
  async function call<T>(name: string, patient: boolean, ask: () => Promise<T>, sends = false): Promise<T> {
    if (life.over) return silence()
    const how = sends && lateRequests.take() ? 'late' : fault(patient, sends)
    if (how !== 'well') trace.note(`node: ${how} ${name}`)
    if (how === 'late') timeline.after(chance.between(0, LATEST_MS), () => void ask().catch(() => undefined))
    if (how === 'throws-before' || how === 'late') throw new Error(NODE_BROKE)
    const answer = await ask()
    if (life.over || how === 'never-answers') return silence()
    if (how === 'throws-after') throw new Error(NODE_BROKE)
    return answer
  }
  return {
    kind: node.kind,
    capabilities: { ...node.capabilities, offers: true, ownOffers: true },
    tariff: (amount) => node.tariff(amount),
    health: () => node.health(),
    balances: () => call('balances', false, async () => without(await node.balances(), shortfalls.total)),
    info: () => call('info', false, () => node.info()),
    createInvoice: (request) =>
      call('createInvoice', false, async () => {
        const created = await node.createInvoice(request)
        shortfalls.asked(created.paymentHash, request.amount)
        return created
      }),
    lookUpInvoice: (hash) =>
      call('lookUpInvoice', false, async () =>
        shortened(offers.status(hash) ?? (await node.lookUpInvoice(hash)), hash, shortfalls),
      ),
    cancelInvoice: (hash) => call('cancelInvoice', false, () => node.cancelInvoice(hash)),
    fetchInvoice: (request) => call('fetchInvoice', false, async () => offers.answer(request)),
    createOffer: (draft) => call('createOffer', false, async () => offers.create(draft)),
    pay: (request) =>
      call('pay', true, () => node.pay({ ...request, invoice: offers.onNetwork(request.invoice) }), true),
    keysend: (request) => call('keysend', true, () => node.keysend(request), true),
    lookUpPayment: (hash) => call('lookUpPayment', true, () => node.lookUpPayment(hash)),
    settledInvoices: (cursor, signal) => settlements(parts, cursor, signal),
    close: async () => undefined,
  }
}

/** Yields each settlement at least once, and sometimes twice; sometimes breaks off. */
async function* settlements(
  { node, life, chance, trouble, trace, shortfalls, offers }: FaultyNodeParts,
  cursor: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Settlement | OddRecord> {
  for await (const whole of node.settledInvoices(cursor, signal)) {
    if (life.over) return
    if (isOdd(whole)) throw new Error(`the sandbox tells something odd: ${whole.odd}`)
    const received = msats(shortfalls.received(whole.paymentHash, whole.received))
    const offer = whole.keysend ? await offers.paidBy(whole.paymentHash) : undefined
    if (life.over) return
    const settlement = { ...whole, received, ...(offer && { offer, keysend: false }) }
    if (chance.happens(trouble())) {
      trace.note('node: the stream of settlements breaks')
      throw new Error(NODE_BROKE)
    }
    yield settlement
    if (life.over) return
    if (chance.happens(trouble())) yield settlement
  }
}

function shortened(status: InvoiceStatus | undefined, hash: string, shortfalls: Shortfalls): InvoiceStatus | undefined {
  if (status?.state !== 'settled') return status
  return { ...status, received: msats(shortfalls.received(hash, status.received)) }
}

/** Returns the balances without the sats that the node has deducted, which are no longer ours. */
function without(balances: NodeBalances, kept: bigint): NodeBalances {
  const { settled, spendable } = balances
  return { ...balances, settled: msats(settled - kept), spendable: spendable && msats(spendable - kept) }
}
