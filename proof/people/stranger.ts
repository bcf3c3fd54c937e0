import { decodeLnurl, looksLikeLnurl } from '../../src/lib/lightning/lnurl.ts'
import { askToPay, requestInvoice } from '../../src/lib/lightning/lnurl-client.ts'
import { type Msats, msats, sats } from '../../src/lib/money/amount.ts'
import { progressOf } from '../../src/payments-api/payments-api.ts'
import type { Credit } from '../judge/holdings.ts'
import { type NetworkPayment, paidFor, type SentOut, sentWith, within } from '../judge/outgoing.ts'
import { mostFee, voucherFee, walletsShare } from '../judge/promises.ts'
import { Bug, OUTSIDE_HOST } from '../world/world.ts'
import { persistently, surely } from './asking.ts'
import { isRefusal } from './payers.ts'
import type { Actor, PayableRequest, Stage } from './people.ts'
import { offer } from './vouchers.ts'

type Doing = (stage: Stage, key: string) => Promise<void>

/**
 * Another project that uses the service directly, and repeats every request that moves money until the outcome is
 * certain.
 */
export const stranger: Actor = {
  name: 'stranger',
  weight: 14,
  async act(stage) {
    const name = stage.chance.weighted({ ...WEIGHTS })
    await DOINGS[name](stage, `key-${stage.count()}`)
  },
}

const WEIGHTS = {
  ...{ pay: 3, payOurs: 3, keysend: 2, gamertag: 3, request: 2, voucher: 2, batch: 0.5, redeem: 2 },
  ...{ charge: 2, own: 1, forOthers: 1, change: 1, look: 2, end: 1, open: 0.5 },
}

const DOINGS: Readonly<Record<keyof typeof WEIGHTS, Doing>> = {
  /** Pays an invoice of an external wallet. */
  async pay(stage, key) {
    const amount = sats(stage.chance.between(1, 900))
    const { invoice } = stage.world.sandbox.outside.createInvoice({ amount })
    await pay(stage, key, invoice, amount)
  },
  /** Pays an invoice of the service itself: a deposit's, a request's, or its own (which is refused). */
  async payOurs(stage, key) {
    const payable = stage.payables.at(-stage.chance.between(1, 8))
    const invoice = payable && (await invoiceOf(stage, payable))
    if (invoice) await pay(stage, key, invoice.request, invoice.amount, payable.credit)
  },
  keysend: (stage, key) => keysend(stage, key, stage.chance.between(1, 900)),
  async gamertag(stage, key) {
    const body = {
      amount: sats(stage.chance.between(1, 900)),
      gamertag: `player${stage.chance.between(0, 7)}`,
      description: '',
    }
    const paid = await persistently(stage, () => stage.client.payToGamertag(body, { idempotencyKey: key }))
    if (!paid) return
    if (paid.data.id !== null) stage.gamertagPayments.push(paid.data.id)
    stage.world.model.stranger -= body.amount
    stage.world.model.pay(paid.data.receiverId ?? '', body.amount)
  },
  /** Makes a code that pays the wallet that scans it. */
  async request(stage, key) {
    const amount = sats(stage.chance.between(1, 900))
    const code = await makeCode(stage, key, amount, stage.chance.between(60, 200))
    if (code === undefined) return
    stage.claimables.push(code)
    await code.over()
  },
  async voucher(stage, key) {
    const body = { amount: sats(stage.chance.between(1, 900)), description: 'a present' }
    const made = await persistently(stage, () => stage.client.createVoucher(body, { idempotencyKey: key }))
    if (!made) return
    stage.strangersVouchers.push(made.data.id)
    const { code, fee, withdraw } = made.data
    stage.world.model.stranger -= body.amount + fee
    const right = voucherFee(body.amount)
    if (fee !== right) throw new Bug(`a voucher of ${body.amount} msats cost ${fee}, and should cost ${right}`)
    stage.world.judge.outgoing.voucherFees += right
    stage.world.judge.codes.set(code, body.amount)
    stage.codes.push(code)
    if ((withdraw === null) !== (walletsShare(body.amount) === undefined))
      throw new Bug(`a voucher of ${body.amount} msats can ${withdraw === null ? 'not ' : ''}be claimed by wallets`)
    if (withdraw !== null) offer(stage, made.data.id, body.amount, withdraw)
    if (stage.chance.happens(0.6)) return
    await stage.pause(60_000)
    const back = await persistently(stage, () =>
      stage.client.revokeVoucher({ code }, { idempotencyKey: `${key}-back` }),
    )
    if (back) stage.world.model.stranger += body.amount
  },
  /** Makes vouchers that expire, whereupon unclaimed sats return once. */
  async batch(stage, key) {
    const { judge, model, timeline } = stage.world
    const [count, amount] = [stage.chance.between(1, 4), sats(stage.chance.between(1, 300))]
    const expiresAt = new Date(timeline.now() + stage.chance.between(60, 600) * 1_000)
    const body = { count, amount, description: 'prizes', expiresAt }
    const made = await persistently(stage, () => stage.client.createVoucherBatch(body, { idempotencyKey: key }))
    if (!made) return
    const { fee, total, vouchers } = made.data
    const right = voucherFee(amount) * BigInt(count)
    if (vouchers.length !== count || fee !== right || total !== amount * BigInt(count) + right)
      throw new Bug(`${count} vouchers of ${amount} msats are ${vouchers.length}, and cost ${fee} and ${total}`)
    model.stranger -= total
    judge.outgoing.voucherFees += right
    for (const { id, code, withdraw } of vouchers) {
      judge.codes.set(code, amount)
      stage.codes.push(code)
      if (withdraw !== null) offer(stage, id, amount, withdraw)
    }
    for (const { id } of vouchers) if (await ends(stage, id)) model.stranger += amount
  },
  async redeem(stage, key) {
    const code = stage.codes.at(-stage.chance.between(1, 8))
    if (code === undefined) return
    const redeemed = await persistently(stage, () => stage.client.redeemVoucher({ code }, { idempotencyKey: key }))
    if (!redeemed) return
    const [{ amount }, worth] = [redeemed.data, stage.world.judge.codes.get(code)]
    if (amount !== worth) throw new Bug(`the code ${code} gave ${amount} msats, and is worth ${worth}`)
    stage.world.model.stranger += amount
  },
  /** Makes a charge whose code can be paid several times. */
  async charge(stage, key) {
    const body = {
      minAmount: sats(1),
      maxAmount: sats(1_000),
      allowedSlots: stage.chance.between(1, 4),
      description: '',
    }
    const made = await persistently(stage, () => stage.client.createStaticCharge(body, { idempotencyKey: key }))
    if (!made) return
    const credit: Credit = (amount, holdings) => {
      holdings.stranger += amount
    }
    stage.charges.push(made.data.id)
    stage.payables.push({ code: made.data.invoice.request, amount: sats(stage.chance.between(1, 1_000)), credit })
  },
  /** Makes an invoice that pays the project itself, once. */
  async own(stage, key) {
    const body = { amount: sats(stage.chance.between(1, 900)), description: 'an order', internalId: key }
    const made = await persistently(stage, () => stage.client.createCharge(body, { idempotencyKey: key }))
    if (!made) return
    const { id, invoice } = made.data
    const credit: Credit = (amount, holdings) => {
      holdings.stranger += amount
    }
    stage.payables.push({ code: invoice.request, amount: body.amount, credit })
    stage.projectCharges.push({ id, amount: body.amount })
  },
  /** Makes a code that pays a gamertag's owner. */
  async forOthers(stage, key) {
    await chargeFor(stage, key, stage.chance.between(1, 900), `player${stage.chance.between(0, 7)}`)
  },
  /** Changes a code's limits while people pay it. */
  async change(stage) {
    const id = stage.charges.at(-stage.chance.between(1, 4))
    if (id === undefined) return
    const body = { allowedSlots: stage.chance.between(0, 3), maxAmount: sats(stage.chance.between(1, 1_000)) }
    await persistently(stage, () => stage.client.updateStaticCharge({ id, ...body }), 'harmless')
  },
  /**
   * Reads the service, but not its region check: the check reads a file at the first request, in real time, which no
   * seed can repeat.
   */
  async look(stage) {
    const { client, chance, world } = stage
    const { invoice } = world.sandbox.outside.createInvoice()
    const polls = [
      () => client.getWallet(),
      () => client.decodeCharge({ invoice }),
      () => client.validateLightningAddress({ address: `someone@${OUTSIDE_HOST}` }),
      () => client.getIdByGamertag({ gamertag: `player${chance.between(0, 7)}` }),
      () => client.getGamertagByUserId({ id: chance.one(world.users) }),
      ...stage.charges.slice(-1).map((id) => () => client.getStaticCharge({ id })),
      ...stage.charges.slice(-1).map((id) => () => client.listStaticChargePayments({ id, after: '0' })),
      ...stage.gamertagCharges.slice(-1).map((id) => () => client.getGamertagCharge({ id })),
      ...stage.gamertagPayments.slice(-1).map((id) => () => client.getGamertagPayment({ id })),
      ...stage.strangersVouchers.slice(-1).map((voucherId) => () => client.retrieveVoucher({ voucherId })),
    ]
    await persistently<unknown>(stage, chance.one(polls))
    await readCharge(stage)
    await readStatement(stage)
  },
  /** Ends a withdrawal code early, unless a wallet was faster. */
  async end(stage, key) {
    const code = await makeCode(stage, key, sats(stage.chance.between(1, 900)), 200)
    if (code === undefined) return
    stage.claimables.push(code)
    await stage.pause(30_000)
    const { stranger: id } = code.of
    await persistently(stage, () => stage.client.cancelWithdrawalRequest({ id }), 'harmless')
    await code.over('perhaps ended')
  },
  /** Opens a wallet for a person of the project, who is shown the way to the wallet and proves to be its owner. */
  async open(stage, key) {
    const reference = `person-${stage.chance.between(0, 2)}`
    const about = { reference, gamertag: reference }
    const opened = await persistently(stage, () => stage.client.openUser(about), 'harmless')
    if (!opened) return
    const { id, gamertag } = opened.data
    await persistently(stage, () => stage.client.createSignInLink({ id }), 'harmless')
    const proven = await persistently(stage, () => stage.client.proveGamertag({ gamertag, reference }), 'harmless')
    if (proven && proven.data.id !== id)
      throw new Bug(`${key}: ${gamertag} was opened as ${id}, and is ${proven.data.id}`)
  },
}

/** Waits for the end of a voucher. Resolves to whether its sats returned because nobody claimed them in time. */
async function ends(stage: Stage, voucherId: string): Promise<boolean> {
  for (;;) {
    const { data } = await surely(stage, () => stage.client.retrieveVoucher({ voucherId }))
    if (data.redeemedAt !== null || data.revokedAt !== null) return data.revokedById === 'expiry'
    await stage.pause(60_000)
  }
}

/** Reads a charge of the project, whose amount must be unchanged, whatever has become of the charge. */
async function readCharge(stage: Stage): Promise<void> {
  const charge = stage.projectCharges.at(-1)
  if (charge === undefined) return
  const read = await persistently(stage, () => stage.client.getCharge({ id: charge.id }))
  if (read !== undefined && read.data.amount !== charge.amount)
    throw new Bug(`a charge of ${charge.amount} msats is shown as one of ${read.data.amount}`)
}

/** Reads two pages of the wallet's bookings: each balance is the previous one plus the booking. */
async function readStatement(stage: Stage): Promise<void> {
  const read = (after?: string) =>
    persistently(stage, () => stage.client.listTransactions({ limit: 5, ...(after !== undefined && { after }) }))
  const first = (await read())?.data
  const second = first?.next == null ? undefined : (await read(first.next))?.data
  const lines = [...(first?.transactions ?? []), ...(second?.transactions ?? [])]
  for (const [n, { id, direction, amount, balance }] of lines.entries()) {
    const before = lines[n + 1]?.balance
    if (before !== undefined && balance !== (direction === 'in' ? before + amount : before - amount))
      throw new Bug(`the wallet held ${before} msats, and ${balance} after booking ${id} of ${amount} ${direction}`)
  }
}

/**
 * Makes a code that pays the wallet that scans it. Resolves to the code with a function that waits until the code is
 * used or its time is over.
 */
export async function makeCode(stage: Stage, key: string, amount: Msats, expiresIn: number) {
  const { judge, lightning, model } = stage.world
  const from = judge.now()
  const body = { amount, description: 'a prize', expiresIn, internalId: key }
  const made = await persistently(stage, () => stage.client.createWithdrawalRequest(body, { idempotencyKey: key }))
  if (!made) return undefined
  const asked = { from, to: judge.now() }
  const { request } = made.data.invoice
  return {
    ...{ request, worth: amount, limit: mostFee(amount), of: { stranger: made.data.id } },
    /** Resolves to the fee of the code's payment; undefined if the code's time is over. */
    async over(end: 'in time' | 'perhaps ended' = 'in time'): Promise<bigint | undefined> {
      for (;;) {
        await stage.pause(60_000)
        const { data } = await surely(stage, () => stage.client.retrieveWithdrawalRequest({ id: made.data.id }))
        if (data.status === 'expired') {
          const openMs = judge.providerClock.latest({ from, to: judge.now() }) - judge.providerClock.earliest(asked)
          if (end === 'in time' && openMs < expiresIn * 1_000)
            throw new Bug(`a code was over after ${openMs} ms, and was to be open for ${expiresIn} s`)
          return undefined
        }
        if (data.status !== 'completed') continue
        const moved = judge.outgoing.paidBy(request, lightning)
        const fee = moved === undefined ? 0n : within(mostFee(amount), moved.fee)
        if (data.fee !== fee)
          throw new Bug(`a code of ${amount} msats cost ${data.fee}, and the network took ${moved?.fee}`)
        model.stranger -= amount + fee
        return fee
      }
    },
  }
}

/** Makes a charge that pays the gamertag's owner. Resolves to the payable; undefined if the charge is refused. */
export async function chargeFor(stage: Stage, key: string, amount: number, gamertag: string) {
  const { serviceBook, judge } = stage.world
  const body = { amount: sats(amount), gamertag }
  const from = judge.now()
  const made = await persistently(stage, () => stage.client.createGamertagCharge(body, { idempotencyKey: key }))
  if (!made) return undefined
  if (made.data.id !== null) stage.gamertagCharges.push(made.data.id)
  const owners = judge.names.ownersIn(gamertag, { from, to: judge.now() })
  const [row] = serviceBook.rows<{ payeeId: string }>('SELECT "payeeId" FROM "Charge" WHERE "id" = ?', made.data.id)
  // The record says which of several owners had the name.
  const user = row?.payeeId ?? ''
  if (!owners.has(user)) throw new Bug(`a charge for ${gamertag} is one for ${user}, who never was that`)
  const credit: Credit = (arrived, holdings) => holdings.pay(user, arrived)
  const payable: PayableRequest = { code: made.data.invoiceRequest, amount: body.amount, credit }
  stage.payables.push(payable)
  return payable
}

/** Sends sats to a node without an invoice. */
export async function keysend(stage: Stage, key: string, amountInSats: number): Promise<void> {
  const amount = sats(amountInSats)
  const { pubkey } = stage.world.sandbox.outside.wallet()
  // The network carries this mark, so that its records say which payment it was.
  const mark = Buffer.from(`${key}.`).toString('hex')
  const tlvRecords = [{ type: MARK_TYPE, value: mark }]
  const out: SentOut = { what: `the keysend ${key}`, amount, limit: mostFee(amount), shownPaid: false }
  stage.world.judge.outgoing.keysends(mark, out)
  const sent = await persistently(stage, () =>
    stage.client.sendKeysendPayment({ amount, pubkey, tlvRecords }, { idempotencyKey: key }),
  )
  if (sent) await follow(stage, sent.data.paymentId, out, () => sentWith(stage.world.lightning, mark))
}

/** The type of the record with the mark, one of those that anybody may define (BOLT 1). */
const MARK_TYPE = 65_537

/** Pays an invoice and waits until the payment's end is known. Resolves to whether the invoice was paid. */
export async function pay(stage: Stage, key: string, invoice: string, amount: bigint, credit?: Credit) {
  const { judge, lightning, model } = stage.world
  const limit = sats(stage.chance.between(3, 20))
  const sentOut: SentOut = { what: `the payment ${key}`, amount, limit, shownPaid: false }
  const out = credit === undefined ? judge.outgoing.pays(invoice, sentOut) : sentOut
  const body = { invoice, maxFee: msats(out.limit) }
  const sent = await persistently(stage, () => stage.client.sendPayment(body, { idempotencyKey: key }))
  if (sent === undefined) return false
  const moved = credit === undefined ? () => paidFor(lightning, judge.offers.onNetwork(invoice)) : undefined
  if (!(await follow(stage, sent.data.id, out, moved))) return false
  if (credit === undefined) return true
  judge.paidInside.add(invoice)
  credit(amount, model)
  return true
}

/**
 * Waits for a payment's end, and checks its fee. `moved` returns the network's record of the payment; it is left out if
 * the payment never leaves the service, which is free. Resolves to whether the payment was made.
 */
async function follow(
  stage: Stage,
  id: string,
  out: SentOut,
  moved?: () => NetworkPayment | undefined,
): Promise<boolean> {
  const { amount, limit } = out
  for (;;) {
    const { data } = await surely(stage, () => stage.client.retrievePayment({ id }))
    const progress = progressOf(data.status)
    if (progress === 'failed') return false
    if (progress === 'completed') {
      out.shownPaid = true
      if (data.amount !== amount) throw new Bug(`a payment of ${amount} msats came to ${data.amount}`)
      const paid = moved?.()
      const right = paid === undefined ? 0n : within(limit, paid.fee)
      const arrived = moved === undefined || paid?.amount === amount
      if (!arrived || data.fee !== right)
        throw new Bug(
          `a payment of ${amount} msats cost ${data.fee}, at most ${limit}; the network moved ${paid?.amount} and took ${paid?.fee}`,
        )
      stage.world.model.stranger -= amount + right
      return true
    }
    await stage.pause(60_000)
  }
}

/** Requests an invoice for a payable from its owner. Resolves to the invoice; undefined if there is none just now. */
export async function invoiceOf(stage: Stage, { code, amount }: PayableRequest) {
  if (!looksLikeLnurl(code)) {
    const [row] = stage.world.serviceBook.rows<{ amount: bigint }>(
      'SELECT "amount" FROM "Invoice" WHERE "request" = ?',
      code,
    )
    return row && { request: code, amount: row.amount }
  }
  try {
    const offer = await askToPay(stage.fetch, decodeLnurl(code))
    const request = { amount: msats(amount ?? offer.min), network: undefined, now: stage.world.timeline.now() }
    const { invoice } = await requestInvoice(stage.fetch, offer, request)
    return { request: invoice.text, amount: request.amount }
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}
