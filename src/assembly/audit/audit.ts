import type { Clock } from '../../lib/clock.ts'
import type { InspectedDatabase } from '../../lib/database/database.ts'
import { formatSats } from '../../lib/money/amount.ts'
import { wallet as serviceWallet } from '../../payments-service/core/chart-of-accounts.ts'
import { inspectPaymentsDatabase, type Tx as PaymentsTx } from '../../payments-service/core/database.ts'
import { gapOf, readAfterTheWallet, readBeforeTheWallet } from '../../tipping/audit/cover.ts'
import { OPERATOR } from '../../tipping/core/chart-of-accounts.ts'
import { inspectTippingDatabase, type Tx as TippingTx } from '../../tipping/core/database.ts'
import { DEFAULT_SETTINGS } from '../../tipping/core/settings.ts'
import { PAUSE_ENDS, type Pause } from '../../tipping/tipping.ts'
import { auditBook } from './audit-book.ts'
import { auditNode, type NodeToAudit } from './audit-node.ts'
import {
  ADVICE,
  type AuditReport,
  type BookReport,
  type CoverReport,
  type Finding,
  type NodeReport,
} from './findings.ts'

export type { AuditReport, BookReport, CoverReport, Finding } from './findings.ts'

/**
 * Returns the sum paid to static charges after their `credited` slots, in msats; undefined if a charge cannot be read.
 */
export type AskAddresses = (
  addresses: readonly { readonly chargeId: string; readonly credited: number }[],
) => Promise<bigint | undefined>

export interface AuditOptions {
  /** The value of TIPPING_DATABASE_URL; undefined if the payments service runs alone, so that only its book exists. */
  readonly tipping: string | undefined
  readonly provider:
    | {
        readonly kind: 'in the box'
        readonly database: string
        readonly projectId: string | undefined
        readonly node?: NodeToAudit
      }
    /** A provider other than the bundled service. */
    | {
        readonly kind: 'elsewhere'
        /** Returns the wallet's balance in msats, or why the provider did not answer. */
        askWallet(): Promise<bigint | string>
        askAddresses: AskAddresses
      }
    /** The provider is not asked: only the bot's book is audited. */
    | { readonly kind: 'unasked' }
  readonly clock: Clock
}

/**
 * Compares both books, the wallet and the open operations. Can be called while the bot and the service run, because it
 * only reads: it repairs and creates nothing. Throws DatabaseProblem if a database is missing.
 */
export async function audit(options: AuditOptions): Promise<AuditReport> {
  const closers: (() => Promise<void>)[] = []
  try {
    const books: BookReport[] = []
    const tipping = options.tipping === undefined ? undefined : await inspectTippingDatabase(options.tipping)
    if (tipping) {
      closers.push(() => tipping.close())
      books.push(await auditBook('bot', tipping))
    }
    let node: NodeReport | undefined
    let asking: Asking = { askWallet: async () => undefined, askAddresses: async () => undefined }
    if (options.provider.kind === 'elsewhere') {
      asking = options.provider
    } else if (options.provider.kind === 'in the box') {
      const payments = await inspectPaymentsDatabase(options.provider.database)
      closers.push(() => payments.close())
      books.push(await auditBook('service', payments))
      const { projectId } = options.provider
      if (options.provider.node !== undefined && payments.readable)
        node = await auditNode(payments, options.provider.node)
      asking = {
        askWallet: () => walletInTheBox(payments, projectId),
        askAddresses: (addresses) => addressesInTheBox(payments, addresses),
      }
    }
    const both = tipping?.readable ? await compareWithWallet(tipping, asking) : undefined
    const findings = [...books.flatMap((book) => book.findings), ...(node?.findings ?? []), ...(both?.findings ?? [])]
    return {
      holds: findings.length === 0,
      at: new Date(options.clock.now()),
      books,
      cover: both?.cover,
      node,
      paused: both?.paused ?? [],
      findings,
    }
  } finally {
    for (const close of closers) await close()
  }
}

async function walletInTheBox(
  payments: InspectedDatabase<PaymentsTx>,
  projectId: string | undefined,
): Promise<bigint | string> {
  if (projectId === undefined) return 'own-project.json, which names the bot’s project, is not in the data folder'
  if (!payments.readable) return 'the service’s database cannot be read'
  const account = serviceWallet({ kind: 'project', id: projectId })
  const found = await payments.snapshot((tx) => tx.account.findUnique({ where: { kind_owner: account } }))
  return found?.balance ?? 0n
}

/**
 * Sums, in the service's database, what was paid to static charges after their `credited` slots. Called only after the
 * wallet was read from there.
 */
async function addressesInTheBox(
  payments: InspectedDatabase<PaymentsTx>,
  addresses: Parameters<AskAddresses>[0],
): Promise<bigint> {
  const sums = await payments.snapshot((tx) =>
    Promise.all(
      addresses.map(({ chargeId, credited }) =>
        tx.staticChargePayment.aggregate({
          where: { staticChargeId: chargeId, slot: { gt: credited } },
          _sum: { amount: true },
        }),
      ),
    ),
  )
  return sums.reduce((all, { _sum }) => all + (_sum.amount ?? 0n), 0n)
}

interface Asking {
  askWallet(): Promise<bigint | string | undefined>
  askAddresses: AskAddresses
}

interface Comparison {
  readonly cover: CoverReport
  readonly paused: readonly string[]
  readonly findings: readonly Finding[]
}

async function compareWithWallet(
  tipping: InspectedDatabase<TippingTx>,
  { askWallet, askAddresses }: Asking,
): Promise<Comparison> {
  const partsOf = (read: TippingTx) => ({ database: { read }, clock: Date, settings: DEFAULT_SETTINGS })
  const before = await tipping.snapshot((tx) => readBeforeTheWallet(partsOf(tx)))
  const answer = await askWallet()
  const { after, operator, pauses, begun, addresses } = await tipping.snapshot(async (tx) => ({
    after: await readAfterTheWallet(partsOf(tx), before),
    operator: (await tx.account.findUnique({ where: { kind_owner: OPERATOR } }))?.balance ?? 0n,
    pauses: await tx.outgoingPause.findMany({ where: { until: null } }),
    addresses: await tx.address.findMany({ select: { chargeId: true, credited: true } }),
    begun: (await tx.opening.findUnique({ where: { id: 1 } })) !== null,
  }))
  const wallet = typeof answer === 'bigint' ? answer : undefined
  // If the book was never opened, the bot's first start books the wallet's sats to the operator.
  const gap = begun ? gapOf(wallet, before, after) : undefined
  // A charge that the provider has not created yet is missing.
  const paid = addresses.flatMap(({ chargeId, credited }) => (chargeId === null ? [] : [{ chargeId, credited }]))
  // Payments to members' addresses have no limit, so ask the provider for them if the wallet holds more than expected.
  const atAddresses = gap && gap.surplus > 0n ? await askAddresses(paid) : 0n
  const { expected } = before
  const findings: Finding[] = []
  const add = (what: string, advice: string) => findings.push({ side: 'bot', operation: undefined, what, advice })
  const walletHolds = `The provider’s wallet holds ${formatSats(wallet ?? 0n)} sats`
  if (typeof answer === 'string') add(`The wallet could not be asked: ${answer}`, ADVICE.wallet)
  if (gap && gap.short > 0n) {
    add(`${walletHolds}, ${formatSats(gap.short)} less than the bot’s book accounts for`, ADVICE.short)
  }
  const surplus = gap && atAddresses !== undefined ? gap.surplus - atAddresses : 0n
  if (surplus > 0n) {
    add(`${walletHolds}, ${formatSats(surplus)} more than the bot’s book accounts for`, ADVICE.surplus)
  }
  if (operator < 0n)
    add(`The operator’s account stands at ${formatSats(operator)} sats: not all is covered`, ADVICE.operator)
  const { mayHaveLeft } = after
  const mayHaveArrived = after.mayHaveArrived + (atAddresses ?? 0n)
  return {
    cover: { expected, mayHaveLeft, mayHaveArrived, wallet },
    paused: pauses.map(({ source, reason }) => `${source}: ${reason}. ${PAUSE_ENDS[source as Pause['source']]}`),
    findings,
  }
}
