import { randomUUID } from 'node:crypto'
import { ok, refusal, type ScriptedAnswer } from './scripted-answer.ts'
import type { Route, ScriptedProvider } from './scripted-provider.ts'

interface Voucher {
  readonly id: string
  readonly code: string
  readonly amount: bigint
  readonly description: string
  redeemedBy: string | null
  revoked: boolean
}

/** The scripted provider's vouchers, of our project and of others. */
export class ScriptedVouchers {
  /** The cost of the next voucher, in msats. */
  fee = 1_000n
  /**
   * The part of the next voucher that any wallet receives, in msats, or undefined if the provider does not report it.
   */
  toWallets: bigint | undefined
  readonly all: Voucher[] = []
  readonly #provider: ScriptedProvider

  constructor(provider: ScriptedProvider) {
    this.#provider = provider
  }

  readonly routes: readonly Route[] = [
    ['createVoucher', 'POST', /^\/v1\/create-voucher$/, (_, body) => this.#create(body)],
    ['retrieveVoucher', 'GET', /^\/v0\/vouchers\/([^/]+)$/, (id) => this.#retrieve(id)],
    ['revokeVoucher', 'POST', /^\/v0\/revoke-voucher$/, (_, body) => this.#revoke(body.code ?? '')],
    ['redeemVoucher', 'POST', /^\/v0\/redeem-voucher$/, (_, body) => this.#redeem(body.code ?? '')],
  ]

  /** Creates somebody else's voucher. */
  foreign(amount: bigint): Voucher {
    return this.#add(amount, '')
  }

  /** Redeems a voucher as somebody elsewhere. */
  redeem(code: string): void {
    const voucher = this.all.find((each) => each.code === code)
    if (voucher) voucher.redeemedBy = 'somebody'
  }

  /** Revokes a voucher at the provider itself. */
  takeBack(code: string): void {
    this.#revoke(code)
  }

  #add(amount: bigint, description: string): Voucher {
    const code = `C${String(this.all.length).padStart(7, '0')}`
    const voucher = { id: randomUUID(), code, amount, description, redeemedBy: null, revoked: false }
    this.all.push(voucher)
    return voucher
  }

  #create(body: Record<string, string>): ScriptedAnswer {
    const amount = BigInt(body.amount ?? '')
    if (amount + this.fee > this.#provider.wallet) {
      return refusal(400, 'The wallet cannot cover this.', 'insufficient_funds')
    }
    this.#provider.wallet -= amount + this.fee
    const voucher = this.#add(amount, body.description ?? '')
    return ok({
      ...show(voucher),
      createTransactionId: randomUUID(),
      walletId: 'ours',
      fee: this.fee.toString(),
      ...this.#withdraw(),
    })
  }

  #withdraw() {
    if (this.toWallets === undefined) return {}
    return { withdraw: { amount: this.toWallets.toString(), request: 'LNURL1VOUCHER', uri: 'lightning:LNURL1VOUCHER' } }
  }

  #retrieve(id: string): ScriptedAnswer {
    const voucher = this.all.find((each) => each.id === id)
    if (!voucher) return refusal(404, 'There is no such voucher.', 'voucher_not_found')
    return ok({ ...show(voucher), createTransactionId: randomUUID(), walletId: 'ours', updatedAt: null })
  }

  #revoke(code: string): ScriptedAnswer {
    return this.#end(code, (voucher) => {
      voucher.revoked = true
    })
  }

  #redeem(code: string): ScriptedAnswer {
    return this.#end(code, (voucher) => {
      voucher.redeemedBy = 'ours'
    })
  }

  #end(code: string, how: (voucher: Voucher) => void): ScriptedAnswer {
    const voucher = this.all.find((each) => each.code === code)
    if (!voucher) return refusal(404, 'There is no such voucher.', 'voucher_not_found')
    if (voucher.redeemedBy !== null) return refusal(409, 'It has been redeemed.', 'voucher_redeemed')
    if (voucher.revoked) return refusal(409, 'It has been revoked.', 'voucher_revoked')
    how(voucher)
    this.#provider.wallet += voucher.amount
    return ok(show(voucher))
  }
}

function show({ id, code, amount, description, redeemedBy, revoked }: Voucher) {
  const at = new Date(0).toISOString()
  return {
    ...{ id, code, amount: amount.toString(), description, unit: 'msats', createdAt: at },
    ...{ redeemedAt: redeemedBy === null ? null : at, redeemedById: redeemedBy, redeemedTransactionId: redeemedBy },
    ...{ revokedAt: revoked ? at : null, revokedById: null, revokedTransactionId: null },
  }
}
