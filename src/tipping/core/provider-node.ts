import { cached } from '../../lib/cached.ts'
import type { Clock } from '../../lib/clock.ts'
import { ceilDivide, type Msats, msats } from '../../lib/money/amount.ts'
import { type PaymentsClient, PaymentsError } from '../../payments-api/payments-api.ts'

/** How long an answer about the provider's node is cached, so that nobody can cause more frequent requests. */
const CACHE_TTL_MS = 10_000

/**
 * The state of the provider's Lightning node, for members. `ready`; `low`: the node can send less than the wallet
 * holds; `starting`, `syncing`: the node will be available soon; `away`: the node does not work, or refuses the
 * service; `silent`: the provider itself does not answer.
 */
export type NodeState = (typeof TOLD)[number] | 'silent'
const TOLD = ['ready', 'low', 'starting', 'syncing', 'away'] as const

/** The provider's report about its node in Get Wallet (an addition to the interface). */
export interface ProviderNode {
  /** The node's state; undefined if the provider does not report it. */
  readonly state: NodeState | undefined
  /** Returns the price of sending an amount; undefined if the node has no fixed price. */
  readonly priceOf: (amount: Msats) => Msats | undefined
  readonly offers: ProviderOffers
}

/** What the provider can do with BOLT12 offers. */
export interface ProviderOffers {
  /** Whether the provider can pay offers. */
  readonly pays: boolean
  /** Whether the provider can pay Bitcoin names (`₿name@domain`). */
  readonly names: boolean
  /** Whether the provider can be paid through offers. */
  readonly receives: boolean
}

export interface AskProviderNode {
  (): Promise<ProviderNode>
  /**
   * Returns the last answer immediately, and requests a new one if that is due. Before the first answer, returns
   * `UNTOLD`.
   */
  known(): ProviderNode
}

/** The report that stands for a provider that does not report on its node. */
export const UNTOLD: ProviderNode = {
  state: undefined,
  priceOf: () => undefined,
  offers: { pays: false, names: false, receives: false },
}

/** Creates a function that asks the provider about its node, at most every ten seconds, and never throws. */
export function createProviderNode(parts: {
  readonly payments: Pick<PaymentsClient, 'getWallet'>
  readonly clock: Clock
}): AskProviderNode {
  let last = UNTOLD
  const read = async () => {
    last = await ask(parts.payments)
    return last
  }
  const now = cached({ clock: parts.clock, ttlMs: CACHE_TTL_MS, maxKeys: 1, read })
  const known = () => {
    void now().catch(() => undefined)
    return last
  }
  return Object.assign(() => now(), { known })
}

async function ask(payments: Pick<PaymentsClient, 'getWallet'>): Promise<ProviderNode> {
  try {
    const { node } = (await payments.getWallet({}, { once: true })).data
    const { state, tariff, offers } = node ?? {}
    const known = { ...UNTOLD, state: TOLD.find((each) => each === state), ...(offers && { offers }) }
    if (!tariff) return known
    const { base, partsPerMillion } = tariff
    return {
      ...known,
      priceOf: (amount) => msats(base + ceilDivide(amount * BigInt(partsPerMillion), 1_000_000n)),
    }
  } catch (error) {
    if (error instanceof PaymentsError) return { ...UNTOLD, state: 'silent' }
    throw error
  }
}
