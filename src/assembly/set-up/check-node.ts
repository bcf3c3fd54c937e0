import type { LightningConfig } from '../../config/config.ts'
import { formatSats } from '../../lib/money/amount.ts'
import { Problem } from '../../lib/problem.ts'
import type { LightningBackend, NodeBalances, NodeInfo } from '../../payments-service/backends/backend.ts'
import { openLightning } from '../open-lightning.ts'
import type { Runtime } from '../runtime.ts'

export type NodeCheck =
  | { readonly ok: true; readonly says: readonly string[]; readonly kind: string; readonly info: NodeInfo }
  /** `why` states the fault with advice, including the command that grants a missing right. */
  | { readonly ok: false; readonly why: string }

/**
 * Connects to a Lightning node and tests every right that Satchel needs, without making an invoice or sending a sat.
 * Reports the node's identity, what it can send and receive now, and what it cannot do. Never throws because of a fault
 * of the node.
 */
export async function checkNode(
  config: Exclude<LightningConfig, { kind: 'sandbox' }>,
  runtime: Runtime,
): Promise<NodeCheck> {
  try {
    const { backend, close } = await openLightning(config, { ...runtime, dataFolder: '' })
    try {
      return await ask(backend)
    } finally {
      await close()
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ok: false, why: error.message }
  }
}

async function ask(backend: LightningBackend): Promise<NodeCheck> {
  const health = await backend.health()
  if (health.state !== 'ready') return { ok: false, why: health.reason }
  try {
    const [info, balances] = await Promise.all([backend.info(), backend.balances()])
    const { alias, pubkey, network } = info
    const name = alias === '' ? pubkey.slice(0, 16) : alias
    const money = network === 'bitcoin' ? 'real sats' : 'test sats'
    const says = [
      `✓ ${name} (${pubkey.slice(0, 16)}…) is ready, on ${network}: ${money}.`,
      '✓ Every right that Satchel needs is there.',
      ...describeBalances(balances),
      ...describeLimits(backend),
    ]
    return { ok: true, says, kind: backend.kind, info }
  } catch (error) {
    return { ok: false, why: `The node was ready, then stopped answering: ${String(error)}. Try again.` }
  }
}

function describeBalances({ settled, spendable, receivable }: NodeBalances): string[] {
  const sends = spendable ?? settled
  const lines = [sends > 0n ? `✓ It can send ${formatSats(sends)} sats now.` : '! It can send nothing yet.']
  if (receivable === undefined) return lines
  if (receivable > 0n) return [...lines, `✓ It can receive ${formatSats(receivable)} sats now.`]
  const what = 'It can receive nothing yet: it has no channel with sats on the other side'
  return [...lines, `! ${what}. Open one, or buy inbound room, before members deposit.`]
}

function describeLimits({ capabilities, kind }: LightningBackend): string[] {
  const missing = [
    capabilities.keysend ? undefined : 'send without an invoice',
    capabilities.descriptionHash ? undefined : 'serve codes and Lightning Addresses',
    capabilities.cancelInvoice ? undefined : 'cancel invoices',
    capabilities.msats ? undefined : 'handle fractions of a sat',
    capabilities.offers ? undefined : 'pay BOLT12 offers',
    capabilities.ownOffers ? undefined : 'be paid by BOLT12 offers',
    capabilities.feeLimit === 'none' ? 'keep to a fee limit' : undefined,
  ].filter((each) => each !== undefined)
  return missing.length === 0 ? [] : [`· It cannot ${missing.join(', ')}: see docs/lightning-nodes/${kind}.md.`]
}
