import { beforeEach, describe, expect, it } from 'vitest'
import { auditNode } from '../../src/assembly/audit/audit-node.ts'
import type { AuditReport } from '../../src/assembly/audit/findings.ts'
import { printAudit } from '../../src/assembly/audit/print-audit.ts'
import { msats, sats } from '../../src/lib/money/amount.ts'
import { FEE_INCOME, OPERATOR } from '../../src/payments-service/core/chart-of-accounts.ts'
import { type Project, SendingWorld } from '../payments-service/sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project(sats(10_000))
  world.node.found = async (hash) => world.node.paid(hash)
  world.node.holds = { settled: sats(10_000), spendable: sats(10_000), receivable: sats(7) }
})
/** Audits with the service's database, read as by an audit in another process. */
function audit() {
  const { read } = world.service.parts.database
  const payments = {
    file: '',
    faults: [],
    readable: true,
    close: async () => {},
    snapshot: read.$transaction.bind(read),
  }
  return auditNode(payments as never, { backend: world.node, liquidityAlertPercent: 100 })
}

async function printed(): Promise<string> {
  const node = await audit()
  const report = {
    holds: true,
    at: new Date(0),
    books: [],
    cover: undefined,
    paused: [],
    findings: node.findings,
    node,
  }
  return printAudit(report satisfies AuditReport)
}

describe('an audit of the node', () => {
  it('finds no fault if the node covers the book, and shows both balances', async () => {
    expect((await audit()).findings).toEqual([])
    const text = await printed()
    expect(text).toMatch(/by the book the node holds +10,000 sats/)
    expect(text).toMatch(/the node says +10,000 sats/)
    expect(text).toMatch(/the node can receive +7 sats/)
  })

  it('finds a missing amount, and a payment of which the node has no record', async () => {
    const { body } = await world.call(project, 'sendPayment', {
      body: { invoice: world.node.foreignInvoice({ amount: sats(100) }).invoice },
    })
    world.node.found = async () => ({ state: 'absent' })
    world.node.holds = { settled: msats(sats(9_899) - 1n) }
    const { findings, notes } = await audit()
    expect(notes).toEqual([])
    expect(findings).toMatchObject([
      { side: 'service', what: expect.stringContaining(' 0.001 sats are missing') },
      { operation: body.data.id, what: expect.stringContaining('has no record of it') },
    ])
  })

  it('notes unsendable sats and payments missing from the book, but finds no fault', async () => {
    world.node.holds = { settled: sats(10_000), spendable: sats(9_000) }
    world.node.sentPayments = async () => [
      { paymentHash: 'ab'.repeat(32), amount: sats(1), at: new Date(world.clock.now()) },
    ]
    const { findings, notes } = await audit()
    expect(findings).toEqual([])
    expect(notes).toMatchObject([
      expect.stringContaining('can send 9,000 sats'),
      expect.stringContaining('the book does not know of it'),
    ])
  })

  it('reports the shortfall of the operator’s account, and the command that covers it', async () => {
    await world.service.parts.ledger.commit({
      entries: [
        { operation: 'short', step: 'post', moves: [{ from: OPERATOR, to: FEE_INCOME, amount: msats(1_001) }] },
      ],
    })
    const { findings, notes } = await audit()
    expect(findings).toEqual([])
    const back = { from: FEE_INCOME, to: OPERATOR, amount: msats(1_001) }
    await world.service.parts.ledger.commit({ entries: [{ operation: 'back', step: 'post', moves: [back] }] })
    expect((await audit()).notes).toEqual([])
    expect(notes).toMatchObject([expect.stringMatching(/lacks 1\.001 sats.*project cover 2,.*Taken out of the wallet/)])
  })

  it.each<[string, () => unknown, string]>([
    [
      'an unreachable node',
      () => Object.assign(world.node, { healthNow: { state: 'away', reason: 'Start it.' } }),
      'Start it.',
    ],
    ['another node', () => world.node.become(), 'belongs to'],
    [
      'a node that fails',
      () => Object.assign(world.node, { balances: () => Promise.reject(new Error('no luck')) }),
      'no luck',
    ],
  ])('reports that it could not compare the book with %s', async (_, make, words) => {
    make()
    const { comparison, findings } = await audit()
    expect(comparison).toBeUndefined()
    expect(findings).toMatchObject([{ what: expect.stringContaining(words) }])
    expect(await printed()).toContain('could not be asked')
  })
})
