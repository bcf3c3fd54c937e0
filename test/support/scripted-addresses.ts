import { randomUUID } from 'node:crypto'
import { encodeLnurl } from '../../src/lib/lightning/lnurl.ts'
import { ok, refusal, type ScriptedAnswer } from './scripted-answer.ts'
import type { Route, ScriptedProvider } from './scripted-provider.ts'

interface NamedCharge {
  readonly id: string
  readonly name: string
  readonly body: Record<string, string>
  readonly payments: { id: string; slot: number; amount: string; comment: string; settledAt: string; payer?: object }[]
}

/** The scripted provider's static charges that have a Lightning Address. */
export class ScriptedAddresses {
  readonly all: NamedCharge[] = []
  /** The names that are already taken by others. */
  readonly taken = new Set<string>()
  /** Whether past payments can be read. */
  listsPayments = true
  /** The offer that Get Static Charge reports. */
  offer: string | undefined
  readonly #provider: ScriptedProvider

  constructor(provider: ScriptedProvider) {
    this.#provider = provider
  }

  readonly routes: readonly Route[] = [
    [
      'listStaticChargePayments',
      'GET',
      /^\/v0\/static-charges\/([^/]+\/payments\/\d+)$/,
      (path) => this.#list(path.split('/')),
    ],
    ['validateLightningAddress', 'GET', /^\/v0\/ln-address\/validate\/([^/]+)$/, (address) => this.#validate(address)],
  ]

  create(body: Record<string, string>): ScriptedAnswer {
    const name = body.identifier ?? ''
    if (this.taken.has(name)) return refusal(409, 'This identifier is taken.', 'identifier_taken')
    this.taken.add(name)
    const charge: NamedCharge = { id: randomUUID(), name, body, payments: [] }
    this.all.push(charge)
    return this.#show(charge)
  }

  read(id: string): ScriptedAnswer {
    const charge = this.all.find((each) => each.id === id)
    if (charge === undefined) return refusal(404, 'There is no such charge.', 'not_found')
    return this.#show(charge, this.offer === undefined ? {} : { offer: this.offer })
  }

  #show(charge: NamedCharge, more: object = {}): ScriptedAnswer {
    const { minAmount, maxAmount, callbackUrl = '' } = charge.body
    return ok({
      ...{ id: charge.id, unit: 'msats', slots: 0, minAmount, maxAmount, callbackUrl, allowedSlots: 2147483647 },
      ...{ createdAt: new Date(0).toISOString(), expiresAt: null, internalId: '', description: '' },
      ...{ successMessage: '', status: 'active' },
      invoice: { request: encodeLnurl(`${this.#provider.baseUrl}/pay/${charge.id}`), uri: '' },
      ...more,
    })
  }

  /** Pays an address from outside; the amount is in sats. */
  pay(name: string, sats: number, comment = '', payer?: object): NamedCharge {
    const charge = this.all.findLast((each) => each.name === name)
    if (!charge) throw new Error(`nobody has the name ${name}`)
    const amount = `${Math.round(sats * 1_000)}`
    const payment = {
      id: randomUUID(),
      slot: charge.payments.length + 1,
      amount,
      comment,
      settledAt: this.#now(),
      ...(payer && { payer }),
    }
    charge.payments.push(payment)
    this.#provider.wallet += BigInt(amount)
    return charge
  }

  #now(): string {
    return new Date(this.#provider.now()).toISOString()
  }

  #list([id, , after]: string[]): ScriptedAnswer {
    const charge = this.all.find((each) => each.id === id)
    if (!charge || !this.listsPayments) return refusal(404, 'There is no such path.', 'unknown_route')
    return ok({ payments: charge.payments.filter(({ slot }) => slot > Number(after)).slice(0, 100) })
  }

  #validate(address: string): ScriptedAnswer {
    const charge = this.all.find(({ name }) => address.startsWith(`${name}@`))
    if (!charge) return ok({ valid: false })
    const { minAmount, maxAmount } = charge.body
    const bounds = { minSendable: Number(minAmount), maxSendable: Number(maxAmount), commentAllowed: 255 }
    return ok({ valid: true, metadata: { ...bounds, tag: 'payRequest', metadata: '[]', callback: '' } })
  }
}
