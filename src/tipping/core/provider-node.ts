import { cached } from '../../lib/cached.ts'
import type { Clock } from '../../lib/clock.ts'
import { ceilDivide, type Msats, msats } from '../../lib/money/amount.ts'
import { type PaymentsClient, PaymentsError } from '../../payments-api/payments-api.ts'

/** How long what the provider said of its node is used again: nobody has it asked more often. */
const CACHE_TTL_MS = 10_000

/**
 * How the provider's Lightning node is, for members. `ready`; `low`: it can send less than the wallet holds; `starting`,
 * `syncing`: soon; `away`: it does not work, or refuses the service. `silent`: the provider itself does not answer.
 */
export type NodeState = (typeof TOLD)[number] | 'silent'
const TOLD = ['ready', 'low', 'starting', 'syncing', 'away'] as const

/** The provider's report of its node in Get Wallet (an addition to the interface). */
export interface ProviderNode {
  /** Undefined if the provider says nothing of it. */
  readonly state: NodeState | undefined
  /** Price of sending an amount, where the node has a fixed price. */
  readonly priceOf: (amount: Msats) => Msats | undefined
  readonly offers: ProviderOffers
}

/** The provider's abilities with BOLT12 offers. */
export interface ProviderOffers {
  /** Pay them. */
  readonly pays: boolean
  /** Pay Bitcoin names (`₿name@domain`). */
  readonly names: boolean
  /** Be paid by them. */
  readonly receives: boolean
}

export interface AskProviderNode {
  (): Promise<ProviderNode>
  /** The last answer, at once; a new one is requested meanwhile. Nothing, before the first answer. */
  known(): ProviderNode
}

/** Of a provider that says nothing of its node. */
export const UNTOLD: ProviderNode = {
  state: undefined,
  priceOf: () => undefined,
  offers: { pays: false, names: false, receives: false },
}

/** Asks the provider how its node is, at most every ten seconds. Never throws. */
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
