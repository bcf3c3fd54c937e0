import { setTimeout as pause } from 'node:timers/promises'
import type { Phone } from '../../../src/playground/world.ts'
import type { Chance } from '../../world/chance.ts'
import type { Reported } from '../reported.ts'
import { type Asked, agreed, askUntilAnswered, type HttpAnswer, said } from './asking.ts'

const A_SAT = 1_000
const PAUSE_MS = [200, 900] as const
const LATEST = 20
const PAYS = 0.7
/** The lifetime of a charge in seconds, so long that no charge expires while it is checked. */
const EXPIRES_IN = 86_400
const ASKS_AGAIN = 0.4

export interface ShopOptions {
  readonly chance: Chance
  readonly serviceUrl: string
  readonly apiKey: string
  readonly callbackUrl: string
  readonly phone: Pick<Phone, 'pay'>
}

/** A program that uses the payments service: it lets buyers pay charges, and learns of payments by callback. */
export class Shop {
  readonly told: Reported[] = []
  readonly faults: string[] = []
  /** The number of charges that a buyer was told are paid. */
  paid = 0
  again = 0
  readonly #options: ShopOptions
  readonly #orders: { readonly asked: Asked; readonly answer: HttpAnswer }[] = []
  #count = 0

  constructor(options: ShopOptions) {
    this.#options = options
  }

  /** Sells until `signal` is aborted. Resolves when every request has its answer. */
  async run(signal: AbortSignal): Promise<void> {
    const { chance } = this.#options
    while (!signal.aborted) {
      await this.#sell()
      if (chance.happens(ASKS_AGAIN)) await this.#askAgain()
      await pause(chance.between(...PAUSE_MS))
    }
  }

  async #sell(): Promise<void> {
    const { chance, serviceUrl, apiKey, callbackUrl, phone } = this.#options
    this.#count += 1
    const order = `order-${this.#count}`
    const amount = String(chance.between(1, 500) * A_SAT)
    const asked = {
      url: `${serviceUrl}/v0/charges`,
      authorization: { apikey: apiKey },
      idempotencyKey: order,
      body: { amount, description: 'A poster', internalId: order, callbackUrl, expiresIn: EXPIRES_IN },
    }
    const answer = agreed(await askUntilAnswered(asked, chance), order, this.faults)
    const { id, invoice } = (answer?.body.data ?? {}) as { id?: string; invoice?: { request: string } }
    if (answer === undefined || id === undefined || invoice === undefined) {
      this.faults.push(`${order} was answered with ${said(answer)}`)
      return
    }
    this.#orders.push({ asked, answer })
    this.told.push({ kind: 'charge', key: order, what: `${id} ${amount}` })
    if (!chance.happens(PAYS)) return
    // A buyer whose wallet does not answer, since the node was killed, does not pay twice.
    this.paid += await phone.pay(invoice.request).then(
      () => 1,
      () => 0,
    )
  }

  /** Checks that a repeated request gets the first answer byte for byte, whatever has become of the charge. */
  async #askAgain(): Promise<void> {
    const { chance } = this.#options
    const order = this.#orders.at(-chance.between(1, LATEST))
    if (order === undefined) return
    const name = `${order.asked.idempotencyKey}, sent again,`
    const answer = agreed(await askUntilAnswered(order.asked, chance), name, this.faults)
    this.again += 1
    if (JSON.stringify(answer) !== JSON.stringify(order.answer))
      this.faults.push(`${name} was answered with ${said(answer)}, and first with ${said(order.answer)}`)
  }
}
