import { beforeEach, describe, expect, it } from 'vitest'
import type { NewNode } from '../../../src/payments-service/administration/adopt-node.ts'
import { noteBookNode } from '../../../src/payments-service/engine/node/book-node.ts'
import { untilItHolds } from '../../support/until-it-holds.ts'
import { AdministrationWorld, refusalOf } from './administration-world.ts'

let world: AdministrationWorld
beforeEach(async () => {
  world = await AdministrationWorld.open()
})
const pubkey = (digits: string) => `02${digits.repeat(32)}`
const ours = { kind: 'lnd', pubkey: pubkey('ab'), network: 'regtest' } as const
const other = { kind: 'core-lightning', pubkey: pubkey('cd'), network: 'regtest' } as const

const adopt = (change: Partial<NewNode> = {}) => world.administration.adoptNode({ ...other, ...change })
const show = () => world.administration.showNode()
const belongsTo = (node: { kind: string; pubkey: string; network: string }) =>
  world.have((tx) => noteBookNode(tx, { ...node, since: world.time() }))

describe('a new node of a book', () => {
  it('is shown with its adoption time, and the previous node’s cursor is deleted', async () => {
    expect(await show()).toBeNull()
    await belongsTo(ours)
    expect(await show()).toEqual({ ...ours, since: '2030-01-01T00:00:00.000Z' })
    await world.haveMany('Cursor', [
      { backend: 'node', value: '17', at: world.time() },
      { backend: 'another', value: '18', at: world.time() },
    ])
    await world.clock.advance(1_000)
    const since = '2030-01-01T00:00:01.000Z'
    expect(await adopt()).toEqual({ ...other, since })
    expect(await show()).toEqual({ ...other, since })
    expect(await world.database.read.cursor.findMany()).toMatchObject([{ backend: 'another' }])
  })

  it('is adopted by a book that has no node', async () => {
    await adopt({ network: 'bitcoin' })
    expect(await show()).toMatchObject({ network: 'bitcoin' })
  })

  it.each(['lnd', 'core-lightning', 'phoenixd', 'nwc', 'sandbox'] as const)('can be of the kind %s', async (kind) => {
    await belongsTo(ours)
    expect(await adopt({ kind, pubkey: `03${'0f'.repeat(32)}` })).toMatchObject({ kind })
  })

  it('must be of a known kind', async () => {
    expect(await refusalOf(adopt({ kind: 'eclair' as 'lnd' }))).toBe(
      'The kind of a node must be one of lnd, core-lightning, phoenixd, nwc, sandbox, not "eclair".',
    )
  })

  it('must have a valid public key', async () => {
    const whole = pubkey('cd')
    for (const key of [`0${whole}`, `${whole}0`, whole.slice(1), `04${'cd'.repeat(32)}`, whole.toUpperCase(), '']) {
      expect(await refusalOf(adopt({ pubkey: key }))).toBe(
        'The public key of a node must be 66 hexadecimal digits that begin with 02 or 03.',
      )
    }
    expect(await show()).toBeNull()
  })

  it('must be on the network whose sats the book counts', async () => {
    await belongsTo(ours)
    expect(await refusalOf(adopt({ network: 'bitcoin' }))).toBe(
      'The sats in the book are on regtest, but this node is on bitcoin. Begin with a new database.',
    )
    expect(await show()).toMatchObject(ours)
  })

  it('must be another sandbox if the book belongs to a sandbox', async () => {
    await belongsTo({ kind: 'sandbox', pubkey: pubkey('ab'), network: 'regtest' })
    expect(await refusalOf(adopt())).toBe(
      'The sats of a sandbox cannot move to a real node. Begin with a new payments database.',
    )
    expect(await adopt({ kind: 'sandbox' })).toMatchObject({ kind: 'sandbox' })
  })
})

describe('a book with a previous node', () => {
  beforeEach(() => belongsTo(ours))

  const payment = (id: string, status: string) => ({
    ...{ id, kind: 'invoice', payerKind: 'project', payerId: 'shop', paymentHash: id, amount: 1_000n, maxFee: 0n },
    ...{ status, description: '', internalId: '', callbackUrl: '', createdAt: world.time() },
  })

  it.each(['held', 'sending', 'unknown'])(
    'refuses another node while payments are %s, and states their number',
    async (status) => {
      await world.haveMany('Payment', [payment('a', 'completed'), payment('b', 'failed')])
      await world.haveMany('Payment', [payment('c', status), payment('d', status)])
      expect(await refusalOf(adopt({ dropInvoices: true }))).toBe(
        'The previous node has payments that have not ended (2), and only that node knows how they end. Start the service with that node once more, and wait until they have ended.',
      )
      expect(await show()).toMatchObject(ours)
      await world.have((tx) => tx.payment.updateMany({ where: { status }, data: { status: 'completed', fee: 0n } }))
      await adopt()
    },
  )

  /** Returns an invoice's row; `asked`: whether the node is still to be asked about the invoice. */
  const invoice = (id: string, status: string, asked: boolean) => ({
    ...{ paymentHash: id, request: `ln-${id}`, purpose: 'static-charge', resourceId: 'c', payeeKind: 'project' },
    ...{ payeeId: 'shop', amount: 1_000n, status, createdAt: world.time(), expiresAt: world.time(60_000) },
    ...{ payer: `payer of ${id}`, nextLookUpAt: asked ? world.time() : null },
  })

  it('refuses another node while invoices can still be paid, unless they are dropped', async () => {
    const [settled, closed] = [invoice('e', 'settled', false), invoice('f', 'closed', false)]
    await world.haveMany('Invoice', [
      ...[invoice('a', 'open', true), invoice('b', 'open', true), invoice('c', 'settled', true)],
      ...[invoice('d', 'closed', true), settled, closed, invoice('g', 'open', false)],
    ])
    const cannotYet =
      '4 invoices of the previous node can still be paid there. Start the service with that node once more and wait until the invoices have expired, or drop them with --drop-invoices.'
    expect(await refusalOf(adopt())).toBe(cannotYet)
    expect(await refusalOf(adopt({ dropInvoices: false }))).toBe(cannotYet)
    expect(await show()).toMatchObject(ours)
    await adopt({ dropInvoices: true })
    const rows = await world.database.read.invoice.findMany({ orderBy: { paymentHash: 'asc' } })
    expect(rows.map((row) => [row.paymentHash, row.status, row.payer, row.nextLookUpAt])).toEqual([
      ['a', 'closed', '', null],
      ['b', 'closed', '', null],
      ['c', 'settled', 'payer of c', null],
      ['d', 'closed', 'payer of d', null],
      ['e', 'settled', 'payer of e', null],
      ['f', 'closed', 'payer of f', null],
      ['g', 'open', 'payer of g', null],
    ])
  })

  const lease = (name: string, fence = 1) => ({ name, holder: 'h', fence, renewedAt: world.time() })

  /** Adopts a node, and runs `meanwhile` while the command watches for other processes. */
  async function adoptWhile(meanwhile: () => Promise<unknown>): Promise<unknown> {
    const adopting = adopt()
    adopting.catch(() => undefined)
    await untilItHolds(() => world.clock.nextInMs !== undefined)
    await meanwhile()
    await world.clock.advance(6_000)
    return await adopting
  }

  it('accepts another node if no process runs, even if a job’s lease is renewed', async () => {
    await world.haveMany('Lease', [lease('process:h'), lease('settlements')])
    const renewJob = () =>
      world.have((tx) => tx.lease.update({ where: { name: 'settlements' }, data: { fence: { increment: 1 } } }))
    expect(await adoptWhile(renewJob)).toMatchObject(other)
  })

  it('accepts another node immediately after a clean stop, even if a job has a lease', async () => {
    await world.haveMany('Lease', [lease('settlements')])
    expect(await adopt()).toMatchObject(other)
  })

  it('refuses another node while a payments service uses the book', async () => {
    await world.haveMany('Lease', [lease('process:h'), lease('process:i')])
    const beat = () =>
      world.have((tx) => tx.lease.update({ where: { name: 'process:i' }, data: { fence: { increment: 1 } } }))
    expect(await refusalOf(adoptWhile(beat))).toBe(
      'A payments service is using this book. Stop every service that uses it, then run this again.',
    )
    expect(await show()).toMatchObject(ours)
  })

  it('refuses another node with the original error if the change cannot be saved', async () => {
    const full = { ...world.ledger, commit: () => Promise.reject(new Error('the disk is full')) }
    const failing = world.administrationWith({ ledger: full as typeof world.ledger })
    const error = await failing.adoptNode(other).catch((thrown: unknown) => thrown)
    expect(error).toEqual(new Error('the disk is full'))
  })
})
