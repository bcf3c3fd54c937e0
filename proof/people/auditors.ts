import { msats } from '../../src/lib/money/amount.ts'
import type { InvoiceStatus, LightningBackend } from '../../src/payments-service/backends/backend.ts'
import { compareHistories } from '../../src/payments-service/node-audit/compare-histories.ts'
import { compareWithNode, type ReadBook } from '../../src/payments-service/node-audit/compare-with-node.ts'
import { bookAndNode } from '../judge/node-comparisons.ts'
import { Died } from '../world/crashing-database.ts'
import { isDatabaseAway } from '../world/database-away.ts'
import { NODE_BROKE } from '../world/faulty-node.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'

/** The service's operator, who compares book and node at any time; somebody may have taken sats out of the node. */
export const auditors: Actor = {
  name: 'auditors',
  weight: 4,
  async act(stage) {
    const { chance } = stage
    await compareNode(stage, chance.happens(0.6) ? 0n : BigInt(chance.between(1, 100_000)))
    if (chance.happens(0.3)) await comparePayments(stage, chance.happens(0.4))
  },
}

/** Shows an operator the comparison of the book with a node out of which somebody else took `missing` msats. */
export async function compareNode(stage: Stage, missing: bigint): Promise<void> {
  const { world } = stage
  const { service, sandbox, shortfalls, funded, judge } = world
  const { parts } = await service.up()
  const read: ReadBook = (look) => look(parts.database.read as never)
  // The sandbox's node has more than the service ever received; the surplus is not the service's.
  const surplus = initialBalance(stage) - funded.all
  const balances = async () => {
    const said = await sandbox.backend.balances()
    return { ...said, settled: msats(said.settled - surplus - shortfalls.total - missing) }
  }
  const before = bookAndNode(world, missing)
  const compared = await whileItLives(stage, compareWithNode({ read, backend: { kind: 'sandbox', balances } }))
  if (compared === undefined) return
  stage.note(`an operator compares book and node: ${compared.short} short, ${compared.beyond} beyond`)
  judge.nodeComparisons.shown(compared, before, bookAndNode(world, missing))
}

/**
 * Shows an operator where book and node report different ends. If `odd`, the node reports a msat less than before for
 * one invoice.
 */
export async function comparePayments(stage: Stage, odd: boolean): Promise<void> {
  const { service, serviceBook, judge } = stage.world
  const { parts } = await service.up()
  const read: ReadBook = (look) => look(parts.database.read as never)
  const [newest] = serviceBook.rows<{ paymentHash: string }>(
    `SELECT "paymentHash" FROM "Invoice" WHERE "status" = 'settled' AND "settledBy" <> 'inside' ORDER BY "createdAt" DESC, "paymentHash" LIMIT 1`,
  )
  const doubted = odd ? newest?.paymentHash : undefined
  const { backend } = parts
  const asked: Pick<LightningBackend, 'lookUpInvoice' | 'lookUpPayment'> = {
    lookUpPayment: (hash) => untilItAnswers(() => backend.lookUpPayment(hash)),
    lookUpInvoice: async (hash) => lessened(await untilItAnswers(() => backend.lookUpInvoice(hash)), hash === doubted),
  }
  const found = await whileItLives(stage, compareHistories({ read, backend: asked }))
  if (found === undefined) return
  judge.nodeComparisons.disagreements(
    found.map(({ id }) => id),
    doubted,
  )
}

function lessened(status: InvoiceStatus | undefined, isDoubted: boolean): InvoiceStatus | undefined {
  if (!isDoubted || status?.state !== 'settled') return status
  return { ...status, received: msats(status.received - 1n) }
}

async function untilItAnswers<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Error) || error.message !== NODE_BROKE) throw error
    }
  }
}

/** Resolves to the result of the comparison; undefined if the service died meanwhile. */
async function whileItLives<T>({ world }: Stage, comparing: Promise<T>): Promise<T | undefined> {
  try {
    return await Promise.race([comparing, world.service.life.death])
  } catch (error) {
    if (error instanceof Died || isDatabaseAway(error, world.faults)) return undefined
    throw error instanceof Bug ? error : new Bug('book and node cannot be compared', { cause: error })
  }
}

/** Returns our node's first balance, computed from its present balance and all its payments since. */
function initialBalance({ world }: Stage): bigint {
  const [row] = world.lightning.rows<{ amount: bigint }>(`
    SELECT n.balance + COALESCE((SELECT SUM(amount + fee) FROM payment WHERE payer = 'ours' AND state <> 'failed'), 0)
      - COALESCE((SELECT SUM(amount) FROM arrival WHERE payee = 'ours'), 0) AS amount FROM node n WHERE n.name = 'ours'`)
  return BigInt(row?.amount ?? 0n)
}
