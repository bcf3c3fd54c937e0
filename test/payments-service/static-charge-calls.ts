import { decodeLnurl } from '../../src/lib/lightning/lnurl.ts'
import { sats } from '../../src/lib/money/amount.ts'
import type { RawAnswer, ServiceWorld, TestProject } from './harness.ts'

const PATH = '/v0/static-charges'
/** A static charge of 5 sats. */
const FIXED = { minAmount: '5000', maxAmount: '5000', description: 'a coffee' }

/** A project's calls of the static-charge operations, and wallets' uses of the code. */
export class StaticChargeCalls {
  readonly #world: ServiceWorld
  readonly #project: TestProject

  constructor(world: ServiceWorld, project: TestProject) {
    this.#world = world
    this.#project = project
  }

  create(body: object = {}): Promise<RawAnswer> {
    return this.#world.raw('POST', PATH, { apiKey: this.#project.apiKey, body: { ...FIXED, ...body } })
  }

  update(id: string, body: object, { apiKey }: { apiKey: string } = this.#project): Promise<RawAnswer> {
    return this.#world.raw('PATCH', `${PATH}/${id}`, { apiKey, body })
  }

  get(id: string, { apiKey }: { apiKey: string } = this.#project): Promise<RawAnswer> {
    return this.#world.raw('GET', `${PATH}/${id}`, { apiKey })
  }

  /** Pays a code or address from the outside wallet; the amount is in sats. */
  pay(request: string, amount?: number, comment?: string) {
    return this.#world.sandbox.outside.pay(request, amount === undefined ? undefined : sats(amount), comment)
  }

  /** Returns the answer that a wallet receives at the second step of LNURL-pay; the amount is in msats. */
  async ask(request: string, amount = '5000', more = '') {
    const { pathname } = decodeLnurl(request, { allowLoopbackHttp: true })
    return (await this.#world.raw('GET', `${pathname}/callback?amount=${amount}${more}`)).json
  }

  slotsTaken(id: string, slots: number): Promise<void> {
    return this.#world.until(async () => (await this.get(id)).json.data.slots === slots)
  }
}
