import type { InspectedDatabase } from '../../lib/database/database.ts'
import { formatSats } from '../../lib/money/amount.ts'
import type { LightningBackend } from '../../payments-service/backends/backend.ts'
import { OPERATOR } from '../../payments-service/core/chart-of-accounts.ts'
import type { Tx } from '../../payments-service/core/database.ts'
import { compareNodes, readBookNode } from '../../payments-service/engine/node/book-node.ts'
import { compareHistories } from '../../payments-service/node-audit/compare-histories.ts'
import { compareWithNode, isLowOnLiquidity } from '../../payments-service/node-audit/compare-with-node.ts'
import { lowInWords, shortInWords } from '../../payments-service/node-audit/watch-cover.ts'
import { ADVICE, type Finding, type NodeReport } from './findings.ts'

/** The Lightning node with which to compare the service's book. */
export interface NodeToAudit {
  readonly backend: LightningBackend
  /** The value of LIQUIDITY_ALERT_PERCENT. */
  readonly liquidityAlertPercent: number
}

/** Compares the service's book with its Lightning node. Can be called while the service runs, because it only reads. */
export async function auditNode(payments: InspectedDatabase<Tx>, node: NodeToAudit): Promise<NodeReport> {
  const { backend, liquidityAlertPercent } = node
  const finding = (what: string, advice: string, operation?: string): Finding => ({
    ...{ side: 'service', operation, what, advice },
  })
  const alone = (what: string) => ({
    ...{ kind: backend.kind, comparison: undefined, notes: [], findings: [finding(what, ADVICE.node)] },
  })
  const health = await backend.health()
  if (health.state !== 'ready') return alone(`The Lightning node cannot be used: ${health.reason}`)
  const read: InspectedDatabase<Tx>['snapshot'] = (look) => payments.snapshot(look)
  const book = await read(readBookNode)
  const other = book === null ? undefined : compareNodes(book, backend.kind, await backend.info())
  if (other !== undefined) return alone(other.message)
  try {
    const comparison = await compareWithNode({ read, backend })
    const histories = await compareHistories({ read, backend })
    const findings = histories.filter(({ onlyNode }) => !onlyNode).map(({ id, text }) => finding(text, ADVICE.end, id))
    if (comparison.short > 0n) findings.unshift(finding(shortInWords(comparison), ADVICE.missing))
    const isLow = isLowOnLiquidity(comparison, liquidityAlertPercent)
    const notes = histories.filter(({ onlyNode }) => onlyNode).map(({ text }) => text)
    if (isLow) notes.unshift(lowInWords(comparison))
    const operator = await read((tx) => tx.account.findUnique({ where: { kind_owner: OPERATOR } }))
    if (operator !== null && operator.balance < 0n) notes.unshift(lackInWords(-operator.balance))
    return { kind: backend.kind, comparison, notes, findings }
  } catch (error) {
    return alone(`The Lightning node could not be asked: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Describes that the operator's account lacks `lack` msats: members own them, but the node does not hold them. */
function lackInWords(lack: bigint): string {
  const inSats = (lack + 999n) / 1_000n
  return `The operator's account of the service lacks ${formatSats(lack)} sats: fees beyond their limit, and what the node kept of what arrived. Take them from your float with npm run -s admin -- project cover ${inSats}, and have two operators book it with /admin book (“Taken out of the wallet”).`
}
