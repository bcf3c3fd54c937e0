import { beforeEach, describe, expect, it } from 'vitest'
import { readOrder } from '../../../src/cli/admin-order.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import {
  type Administration,
  createAdministration,
} from '../../../src/payments-service/administration/administration.ts'
import { NodeMismatch } from '../../../src/payments-service/engine/node/book-node.ts'
import { ScriptedNode } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project(sats(10_000))
})
const pay = (invoice = world.node.foreignInvoice({ amount: sats(100) }).invoice) =>
  world.call(project, 'sendPayment', { body: { invoice } })
const administration = () => createAdministration({ ...world.service.parts, sandbox: false })
const pubkeyOf = async (node: ScriptedNode) => (await node.info()).pubkey

/**
 * Restarts the service with a changed node, and restores the old node afterwards. Resolves to the error of the start,
 * if any.
 */
async function startWithAnother(change: (node: ScriptedNode) => unknown): Promise<unknown> {
  const { node } = world
  const old = new ScriptedNode(world.clock)
  old.become(node)
  change(node)
  const error = await world.kill().catch((thrown: unknown) => thrown)
  world.node.become(old)
  world.node.kind = 'lnd'
  world.node.network = 'regtest'
  await world.start()
  return error
}

describe('the node that a book belongs to', () => {
  it('is the first node that the book was used with', async () => {
    const { since, ...node } = (await administration().showNode()) ?? {}
    expect(node).toEqual({ kind: 'lnd', pubkey: await pubkeyOf(world.node), network: 'regtest' })
    expect(since).toBe('2030-01-01T00:00:00.000Z')
  })

  it.each([
    ['another key', (node: ScriptedNode) => node.become()],
    ['another kind', (node: ScriptedNode) => Object.assign(node, { kind: 'nwc' })],
    ['another network', (node: ScriptedNode) => Object.assign(node, { network: 'bitcoin' })],
  ])('cannot be replaced by a node with %s, and the error names the remedy', async (_, change) => {
    const error = await startWithAnother(change)
    expect(error).toBeInstanceOf(NodeMismatch)
    expect(String(error)).toContain('node adopt')
  })

  it('cannot be a real node if the book was used with a sandbox', async () => {
    await world.service.parts.ledger.commit({
      write: (tx) => tx.bookNode.updateMany({ data: { kind: 'sandbox', pubkey: '' } }),
    })
    world.node.network = 'bitcoin'
    await expect(world.kill()).rejects.toThrow('not real')
    world.node.network = 'regtest'
    world.node.kind = 'sandbox'
    await world.start()
  })

  it('can be away at the start, but operations that need it are then refused', async () => {
    const info = world.node.info
    ScriptedNode.prototype.info = () => Promise.reject(new Error('connection refused'))
    const { health } = ScriptedNode.prototype
    ScriptedNode.prototype.health = async () => ({ state: 'refused', reason: 'Bake another macaroon.' })
    try {
      await world.kill()
      ScriptedNode.prototype.health = health
      expect(world.log).toContainEqual(
        expect.objectContaining({ alert: 'node_away', msg: expect.stringContaining('Bake another macaroon.') }),
      )
      const { invoice } = world.node.foreignInvoice({ amount: sats(100) })
      expect(await pay(invoice)).toMatchObject({ status: 503, body: { code: 'nothing_sent' } })
      expect(await world.held(project.holder)).toBe(0n)
      expect(world.alerts()).toContain('node_away')
    } finally {
      ScriptedNode.prototype.info = info
    }
    expect((await pay()).body.data).toMatchObject({ status: 'completed' })
  })

  it('is checked again when the stream of settlements breaks', async () => {
    const streams: (() => void)[] = []
    await world.close()
    world = new SendingWorld()
    world.node.settledInvoices = async function* () {
      await new Promise<void>((resolve) => streams.push(resolve))
    }
    await world.start()
    project = await world.project(sats(10_000))
    await world.until(() => streams.length === 1)
    const old = new ScriptedNode(world.clock)
    old.become(world.node)
    world.node.become()
    streams[0]?.()
    await world.pass(1_000)
    expect(await pay()).toMatchObject({ status: 503, body: { code: 'nothing_sent' } })
    expect(world.node.calls).toEqual([])
    expect(world.alerts()).toContain('other_node')
    world.node.become(old)
    await world.pass(3_000)
    expect((await pay()).body.data).toMatchObject({ status: 'completed' })
    while (streams.length > 0) {
      streams.shift()?.()
      await world.idle()
    }
  })
})

describe('a new node to which all money has moved', () => {
  /**
   * Adopts a node while the service runs, which counts as stopped here: it is alone on its book, so its lease is not
   * renewed.
   */
  const adopt = (node: Parameters<Administration['adoptNode']>[0]) =>
    world.clock.advanceUntil(administration().adoptNode(node))
  const other = { kind: 'lnd', pubkey: `02${'cd'.repeat(32)}`, network: 'regtest' } as const

  it('becomes the book’s node if an operator adopts it', async () => {
    const order = readOrder(['node', 'adopt', other.kind, other.pubkey, other.network])
    if (typeof order === 'string') throw new Error('it was not understood')
    await world.clock.advanceUntil(order(administration()))
    expect(await administration().showNode()).toMatchObject(other)
  })

  it('does not become the book’s node while a payment of the old node is open', async () => {
    const end = world.node.hang()
    const { invoice, paymentHash } = world.node.foreignInvoice({ amount: sats(100) })
    const answer = pay(invoice)
    await world.until(() => world.node.calls.length === 1)
    await expect(adopt(other)).rejects.toThrow('have not ended (1)')
    end(world.node.paid(paymentHash))
    await answer
    await adopt(other)
  })

  it('does not become the book’s node while an old invoice is payable and not dropped', async () => {
    await world.user('alice')
    await world.call(project, 'createGamertagCharge', { body: { amount: '1000', gamertag: 'alice' } })
    await expect(adopt(other)).rejects.toThrow('--drop-invoices')
    const { ledger, database } = world.service.parts
    await ledger.commit({ write: (tx) => tx.invoice.updateMany({ data: { payer: 'who asked for it' } }) })
    await adopt({ ...other, dropInvoices: true })
    // Nothing tells any more who asked for it: only open invoices share slots among payers.
    expect(await database.read.invoice.findMany()).toMatchObject([{ status: 'closed', nextLookUpAt: null, payer: '' }])
  })

  it.each([
    ['of no known kind', { kind: 'eclair' }, 'one of lnd'],
    ['without a key', { pubkey: 'abc' }, '66 hex'],
    ['on another network', { network: 'bitcoin' }, 'are on regtest'],
  ])('does not become the book’s node if it is %s', async (_, change, says) => {
    await expect(adopt({ ...other, ...change } as typeof other)).rejects.toThrow(says)
  })
})
