import type { Clock } from '../../lib/clock.ts'
import type { InspectedDatabase } from '../../lib/inspect-database.ts'
import { wallet as serviceWallet } from '../../payments-service/books.ts'
import { inspectPaymentsDatabase, type Tx as PaymentsTx } from '../../payments-service/database.ts'
import { OPERATOR } from '../../tipping/books.ts'
import { inspectTippingDatabase, type Tx as TippingTx } from '../../tipping/database.ts'
import { gapOf, readAfterTheWallet, readBeforeTheWallet } from '../../tipping/oversight/cover.ts'
import { DEFAULT_SETTINGS } from '../../tipping/settings.ts'
import { auditBook } from './audit-book.ts'
import { ADVICE, type AuditReport, type BookReport, type CoverReport, type Finding } from './findings.ts'

export type { AuditReport, BookReport, CoverReport, Finding } from './findings.ts'

export interface AuditOptions {
  /** TIPPING_DATABASE_URL. */
  readonly tipping: string
  readonly provider:
    | { readonly kind: 'in the box'; readonly database: string; readonly projectId: string | undefined }
    /** Another provider: its Get Wallet in msats, or why it could not be asked. */
    | { readonly kind: 'elsewhere'; askWallet(): Promise<bigint | string> }
    /** Only the bot's book by itself. */
    | { readonly kind: 'unasked' }
  readonly clock: Clock
}

/**
 * Compares both books, the wallet and the open operations, while the processes may be running. It only reads: nothing is
 * repaired, nothing is created. Throws DatabaseProblem when a database is not there.
 */
export async function audit(options: AuditOptions): Promise<AuditReport> {
  const closers: (() => Promise<void>)[] = []
  try {
    const tipping = await inspectTippingDatabase(options.tipping)
    closers.push(() => tipping.close())
    const books: BookReport[] = [await auditBook('bot', tipping)]
    let askWallet: () => Promise<bigint | string | undefined> = async () => undefined
    if (options.provider.kind === 'elsewhere') {
      askWallet = options.provider.askWallet
    } else if (options.provider.kind === 'in the box') {
      const payments = await inspectPaymentsDatabase(options.provider.database)
      closers.push(() => payments.close())
      books.push(await auditBook('service', payments))
      const { projectId } = options.provider
      askWallet = () => walletInTheBox(payments, projectId)
    }
    const both = tipping.readable ? await compareWithWallet(tipping, askWallet) : undefined
    const findings = [...books.flatMap((book) => book.findings), ...(both?.findings ?? [])]
    return {
      holds: findings.length === 0,
      at: new Date(options.clock.now()),
      books,
      cover: both?.cover,
      paused: both?.paused ?? [],
      findings,
    }
  } finally {
    for (const close of closers.reverse()) await close()
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

interface Comparison {
  readonly cover: CoverReport
  readonly paused: readonly string[]
  readonly findings: readonly Finding[]
}

async function compareWithWallet(
  tipping: InspectedDatabase<TippingTx>,
  askWallet: () => Promise<bigint | string | undefined>,
): Promise<Comparison> {
  const partsOf = (read: TippingTx) => ({ database: { read }, settings: DEFAULT_SETTINGS })
  const before = await tipping.snapshot((tx) => readBeforeTheWallet(partsOf(tx)))
  const answer = await askWallet()
  const { after, operator, pauses, begun } = await tipping.snapshot(async (tx) => ({
    after: await readAfterTheWallet(partsOf(tx), before),
    operator: (await tx.account.findUnique({ where: { kind_owner: OPERATOR } }))?.balance ?? 0n,
    pauses: await tx.exitPause.findMany({ where: { until: null } }),
    begun: (await tx.opening.findUnique({ where: { id: 1 } })) !== null,
  }))
  const wallet = typeof answer === 'bigint' ? answer : undefined
  // A book that was never begun takes what the wallet holds for the operator's at the bot's first start.
  const gap = begun ? gapOf(wallet, before, after) : undefined
  const { expected } = before
  const findings: Finding[] = []
  const add = (what: string, advice: string) => findings.push({ side: 'bot', operation: undefined, what, advice })
  if (typeof answer === 'string') add(`The wallet could not be asked: ${answer}`, ADVICE.wallet)
  if (gap && gap.short > 0n) {
    add(`The provider’s wallet holds ${wallet} msats, ${gap.short} less than the bot’s book accounts for`, ADVICE.short)
  }
  if (gap && gap.surplus > 0n) {
    add(
      `The provider’s wallet holds ${wallet} msats, ${gap.surplus} more than the bot’s book accounts for`,
      ADVICE.surplus,
    )
  }
  if (operator < 0n) add(`The operator’s account stands at ${operator} msats: not all is covered`, ADVICE.operator)
  const { mayHaveLeft, mayHaveArrived } = after
  return {
    cover: { expected, mayHaveLeft, mayHaveArrived, wallet },
    paused: pauses.map(({ source, reason }) => `${source}: ${reason}`),
    findings,
  }
}
