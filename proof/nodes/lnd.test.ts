import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { type Msats, msats, sats, ZERO } from '../../src/lib/money/amount.ts'
import type { LightningBackend } from '../../src/payments-service/backends/backend.ts'
import { createLnd } from '../../src/payments-service/backends/lnd/lnd.ts'
import { LND_METHODS } from '../../src/payments-service/backends/lnd/lnd-rights.ts'
import { describeBackend, settlements } from '../../test/payments-service/backends/backend-contract.ts'
import { buildLnd, hasGo } from './build-lnd.ts'
import { type LndNetwork, startLndNetwork } from './lnd-network.ts'
import { type LndProcess, until } from './lnd-process.ts'
import { describeReadmeWalk } from './readme-walk.ts'
import { describeService } from './service-on-lnd.ts'
import { describeWalletGifts } from './wallet-gifts.ts'

const maxFee = sats(100)
const timeoutMs = 30_000
const request = { amount: sats(1_000), description: { text: 'A tip' }, expiresInSeconds: 600 }

const canBuild = await hasGo()
if (!canBuild) {
  const missing = 'Go is not installed (https://go.dev/dl), and lnd is built with it.'
  if (process.env.CI) throw new Error(missing)
  console.log(`${missing} The tests on real lnd are skipped.`)
}

let network: LndNetwork
let backend: LightningBackend
let macaroon = ''
/** The payment hash of the first event, which happened before anybody listened. */
let firstHash = ''

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
const hex = (text: string) => Buffer.from(text, 'base64').toString('hex')
const connect = (options: { macaroon?: string; certificate?: string } = {}) =>
  createLnd(
    { url: network.ours.url, macaroon, certificate: network.ours.certificate, ...options },
    { clock: systemClock, entropy: systemEntropy },
  )

/** The outside node in the form in which the contract requires a peer. */
const peer = {
  pubkey: () => network.outside.pubkey(),
  async createInvoice({ amount }: { amount?: Msats }) {
    const made = await network.outside.call('POST', '/v1/invoices', amount ? { value_msat: `${amount}` } : {})
    return { invoice: made.payment_request as string, paymentHash: hex(made.r_hash) }
  },
  async pay(invoice: string, amount?: Msats) {
    const amt = amount === undefined ? {} : { amt_msat: `${amount}` }
    return outsideSends({ payment_request: invoice, ...amt })
  },
  async keysend(amount: Msats) {
    const preimage = randomBytes(32).toString('hex')
    const paymentHash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')
    await outsideSends({
      dest: base64(await network.ours.pubkey()),
      amt_msat: `${amount}`,
      payment_hash: base64(paymentHash),
      dest_custom_records: { '5482373484': base64(preimage) },
      dest_features: [9],
    })
    return { paymentHash }
  },
  async received(paymentHash: string) {
    const found = await network.outside.call('GET', `/v1/invoice/${paymentHash}`)
    return found.state === 'SETTLED' ? msats(BigInt(found.amt_paid_msat)) : undefined
  },
}

async function outsideSends(payment: object): Promise<{ preimage: string }> {
  const order = { ...payment, fee_limit_msat: '100000', timeout_seconds: 30, no_inflight_updates: true }
  const { result } = await network.outside.call('POST', '/v2/router/send', order, 40_000)
  if (result.status !== 'SUCCEEDED') throw new Error(result.failure_reason)
  return { preimage: result.payment_preimage }
}

/** Resolves to the cursor of our node's latest settlement; undefined if there is none. */
async function lastCursor(): Promise<string | undefined> {
  const { invoices } = await network.ours.call('GET', '/v1/invoices?num_max_invoices=10000')
  const settled = invoices.filter((one: { state: string }) => one.state === 'SETTLED')
  settled.sort(
    (a: { settle_index: string }, b: { settle_index: string }) => Number(a.settle_index) - Number(b.settle_index),
  )
  const last = settled.at(-1)
  return last && `${last.settle_index}:${hex(last.r_hash)}`
}

/** Resolves when no channel has a pending payment; a payment's outcome is known a moment earlier. */
async function atRest(): Promise<void> {
  await until('nothing is under way any more', async () => {
    const { channels } = await network.ours.call('GET', '/v1/channels')
    return channels.every((channel: { pending_htlcs: [] }) => channel.pending_htlcs.length === 0)
  })
}

/** Resolves to the same backend with settlements that begin now, since the network outlives a test. */
async function fromNowOn(): Promise<LightningBackend> {
  await atRest()
  const now = await lastCursor()
  return new Proxy(backend, {
    get(target, name) {
      if (name === 'settledInvoices') {
        return (cursor: string | undefined, signal: AbortSignal) => target.settledInvoices(cursor ?? now, signal)
      }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

// Without Go, lnd cannot be built; that is reported above, and fails in the gate.
describe.skipIf(!canBuild)('real lnd', () => {
  beforeAll(async () => {
    network = await startLndNetwork(await buildLnd(console.log))
    const permissions = LND_METHODS.map((action) => ({ entity: 'uri', action }))
    macaroon = (await network.ours.call('POST', '/v1/macaroon', { permissions })).macaroon
    backend = connect()
    const { invoice, paymentHash } = await backend.createInvoice(request)
    await peer.pay(invoice)
    firstHash = paymentHash
  }, 900_000)
  afterAll(async () => {
    await backend?.close()
    await network?.close()
  }, 60_000)

  it('reports its first settlement to a listener that connects afterwards', async () => {
    expect(await settlements(backend, 1)).toMatchObject([{ paymentHash: firstHash, cursor: `1:${firstHash}` }])
  })

  describeBackend('lnd 0.21.2', async () => ({ backend: await fromNowOn(), peer, close: async () => undefined }))

  describe('macaroon rights', () => describeRights())
  describe('errors', () => describeFaults())
  describe('concurrent calls', () => describeRaces())
  describe('HTLCs that hang', () => describeHanging())
  describe('the service', () =>
    describeService({
      connect: () => connect(),
      atRest,
      holdInvoice,
      outsidePays: (invoice) => peer.pay(invoice),
      outsideInvoice: (amount) => peer.createInvoice({ amount }),
    }))
  describe('the walk of the README', () => describeReadmeWalk(() => network))
  describe('gifts from wallet to wallet', () => describeWalletGifts(() => network))
})

function describeRights(): void {
  it('a macaroon with only the needed rights works, but not for creating an address', async () => {
    const asked = network.ours.call('GET', '/v1/newaddress', undefined, 10_000, macaroon)
    await expect(asked).rejects.toThrow('permission denied')
    expect(await backend.health()).toMatchObject({ state: 'ready' })
    const admin = connect({ macaroon: network.ours.macaroon })
    expect(await admin.health()).toMatchObject({ state: 'ready' })
    await admin.close()
  })

  it('a macaroon without the right to pay is refused, and the error names that right', async () => {
    const permissions = LND_METHODS.filter((action) => !action.includes('SendPayment')).map((action) => ({
      entity: 'uri',
      action,
    }))
    const less = connect({ macaroon: (await network.ours.call('POST', '/v1/macaroon', { permissions })).macaroon })
    expect(await less.health()).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('may not call /routerrpc.Router/SendPaymentV2.'),
    })
    const asked = await peer.createInvoice({ amount: sats(5) })
    const outcome = await less.pay({ ...asked, amount: undefined, maxFee, timeoutMs })
    expect(outcome).toMatchObject({ state: 'failed', code: 'refused_by_node' })
    await less.close()
  })

  it('another node’s macaroon or certificate is refused with an explanation', async () => {
    const strange = connect({ macaroon: network.hub.macaroon })
    expect(await strange.health()).toMatchObject({ state: 'refused', reason: expect.stringContaining('bakemacaroon') })
    await strange.close()
    const other = connect({ certificate: network.hub.certificate })
    expect(await other.health()).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('LND_TLS_CERT_FILE'),
    })
    await other.close()
  })
}

function pay(asked: { invoice: string; paymentHash: string }, more: { maxFee?: Msats; timeoutMs?: number } = {}) {
  return backend.pay({ ...asked, amount: undefined, maxFee, timeoutMs, ...more })
}

function describeFaults(): void {
  it('a payment fails with a fee limit of 0 and succeeds with a higher limit', async () => {
    const asked = await peer.createInvoice({ amount: msats(1_234_567) })
    expect(await pay(asked, { maxFee: ZERO })).toMatchObject({ state: 'failed', code: 'no_route' })
    expect(await backend.lookUpPayment(asked.paymentHash)).toMatchObject({ state: 'failed' })
    expect(await pay(asked)).toMatchObject({ state: 'paid' })
    expect(await peer.received(asked.paymentHash)).toBe(1_234_567n)
  })

  it('a payment of the whole balance fails, because slightly less is spendable', async () => {
    const { settled, spendable } = await backend.balances()
    expect(await pay(await peer.createInvoice({ amount: msats(settled) }))).toMatchObject({
      state: 'failed',
      code: 'no_liquidity',
    })
    expect(spendable !== undefined && spendable < settled && spendable > (settled * 9n) / 10n).toBe(true)
  })

  it.each([
    ['an expired invoice', async () => expired()],
    ['an invalid invoice', async () => ({ invoice: 'lnbcrt1nonsense', paymentHash: '12'.repeat(32) })],
  ])('%s is refused by the node', async (_, make) => {
    expect(await pay(await make())).toMatchObject({ state: 'failed', code: 'refused_by_node' })
  })
}

function describeRaces(): void {
  it('a payment of a canceled invoice is refused by the payee', async () => {
    const asked = await peer.createInvoice({ amount: sats(5) })
    await network.outside.call('POST', '/v2/invoices/cancel', { payment_hash: base64(asked.paymentHash) })
    expect(await pay(asked)).toMatchObject({ state: 'failed', code: 'refused_by_payee' })
  })

  it('an invoice ends as either paid or canceled when both are tried at once', async () => {
    for (let i = 0; i < 5; i += 1) {
      const { invoice, paymentHash } = await backend.createInvoice(request)
      const paid = peer.pay(invoice).then(
        () => true,
        () => false,
      )
      const canceled = await backend.cancelInvoice(paymentHash)
      const isPaid = await paid
      const status = await until('the invoice has its end', async () => {
        const found = await backend.lookUpInvoice(paymentHash)
        return found?.state !== 'open' && found
      })
      expect([canceled === 'settled' || (canceled === 'unknown' && isPaid), status.state]).toEqual(
        isPaid ? [true, 'settled'] : [false, 'closed'],
      )
    }
  })

  it('a payment provably fails while the hub is down, and succeeds once the hub is up', async () => {
    const asked = await peer.createInvoice({ amount: sats(70) })
    await network.hub.kill()
    try {
      // A payment hangs until our node has noticed it.
      await until('the channel is down', async () => {
        const { channels } = await network.ours.call('GET', '/v1/channels')
        return channels.every((channel: { active: boolean }) => !channel.active)
      })
      expect(await pay(asked)).toMatchObject({ state: 'failed', code: 'no_liquidity' })
    } finally {
      await network.hub.up()
    }
    await until('the channels are back', async () => (await pay(asked)).state === 'paid')
    expect(await peer.received(asked.paymentHash)).toBe(sats(70))
  })

  it('the settlement stream resumes from its cursor after the node restarts', async () => {
    const cursor = await lastCursor()
    const broken = expect(settlements(backend, 1, cursor)).rejects.toThrow()
    await restart(network.ours)
    await broken
    const { invoice, paymentHash } = await backend.createInvoice(request)
    await until('somebody pays', async () => (await peer.pay(invoice)).preimage)
    expect(await settlements(backend, 1, cursor)).toMatchObject([{ paymentHash }])
  })
}

async function expired() {
  const made = await network.outside.call('POST', '/v1/invoices', { value_msat: '5000', expiry: '1' })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  return { invoice: made.payment_request as string, paymentHash: hex(made.r_hash) }
}

async function restart(node: LndProcess): Promise<void> {
  await node.kill()
  expect(await backend.health()).toMatchObject({ state: 'away' })
  await node.up()
  await until('its channels are active', async () => {
    const { channels } = await node.call('GET', '/v1/channels')
    return channels.every((channel: { active: boolean }) => channel.active)
  })
}

/** Makes an invoice of the outside node that is settled or canceled only when the test says so. */
async function holdInvoice(amount: Msats) {
  const preimage = randomBytes(32).toString('hex')
  const paymentHash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')
  const body = { hash: base64(paymentHash), value_msat: `${amount}` }
  const { payment_request } = await network.outside.call('POST', '/v2/invoices/hodl', body)
  const held = () =>
    until('it is held', async () => {
      return (await network.outside.call('GET', `/v1/invoice/${paymentHash}`)).state === 'ACCEPTED'
    })
  const settle = () => network.outside.call('POST', '/v2/invoices/settle', { preimage: base64(preimage) })
  const cancel = () => network.outside.call('POST', '/v2/invoices/cancel', { payment_hash: base64(paymentHash) })
  return { asked: { invoice: payment_request as string, paymentHash }, preimage, held, settle, cancel }
}

const end = (paymentHash: string) =>
  until('the payment has an end', async () => {
    const found = await backend.lookUpPayment(paymentHash)
    return found.state !== 'pending' && found
  })

function describeHanging(): void {
  it('an HTLC settles even after our time limit, repeated pay calls and a node restart', async () => {
    await atRest()
    const before = await backend.balances()
    const hold = await holdInvoice(sats(600))
    const { paymentHash } = hold.asked
    const outcome = await pay(hold.asked, { timeoutMs: 2_000 })
    expect(outcome).toMatchObject({ state: 'unknown' })
    await hold.held()
    expect(await backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'pending' })
    expect(await pay(hold.asked, { timeoutMs: 500 })).toMatchObject({ state: 'pending' })
    const during = await backend.balances()
    expect(during.inFlight).toBeGreaterThan(sats(600))
    // While an HTLC exists, the commitment transaction is larger, and the side that opened the channel pays for that.
    const commitment = before.settled - during.settled - (during.inFlight ?? 0n)
    expect(commitment >= 0n && commitment < sats(1_000)).toBe(true)
    await restart(network.ours)
    expect(await backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'pending' })
    expect(await pay(hold.asked, { timeoutMs: 500 })).toMatchObject({ state: 'pending' })
    await hold.settle()
    const found = await end(paymentHash)
    expect(found).toMatchObject({ state: 'paid', preimage: hold.preimage })
    const fee = found.state === 'paid' ? (found.fee ?? ZERO) : ZERO
    await until('the books of the channel agree to the msat', async () => {
      const { settled, inFlight } = await backend.balances()
      return inFlight === ZERO && before.settled - settled === sats(600) + fee
    })
  })

  it('a payment whose HTLC is canceled fails and frees the whole amount', async () => {
    await atRest()
    const before = await backend.balances()
    const hold = await holdInvoice(sats(300))
    const outcome = pay(hold.asked)
    await hold.held()
    await hold.cancel()
    expect(await outcome).toMatchObject({ state: 'failed', code: 'refused_by_payee' })
    await until('nothing is missing', async () => (await backend.balances()).settled === before.settled)
  })

  it('a payment to a frozen payee has an unknown outcome until the payee resumes', async () => {
    const asked = await peer.createInvoice({ amount: sats(40) })
    network.outside.signal('SIGSTOP')
    try {
      expect(await pay(asked, { timeoutMs: 2_000 })).toMatchObject({ state: 'unknown' })
      expect(await backend.lookUpPayment(asked.paymentHash)).toMatchObject({ state: 'pending' })
    } finally {
      network.outside.signal('SIGCONT')
    }
    expect(await end(asked.paymentHash)).toMatchObject({ state: 'paid' })
    expect(await peer.received(asked.paymentHash)).toBe(sats(40))
  })
}
