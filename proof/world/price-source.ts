import type { Reply } from './network.ts'
import type { Server } from './simulated-http.ts'

export const PRICES_HOST = 'prices.example'

/** A source of bitcoin's price that sometimes fails. */
export class PriceSource {
  /** The price, in whole dollars. */
  price = 60_000
  mood: 'well' | 'nonsense' | 'away' = 'well'

  readonly #onSaid: (price: number) => void

  constructor(onSaid: (price: number) => void) {
    this.#onSaid = onSaid
  }

  readonly server: Server = async (): Promise<Reply> => {
    const headers = { 'content-type': 'application/json' }
    if (this.mood === 'away') return { status: 503, headers, body: '' }
    if (this.mood === 'nonsense') return { status: 200, headers, body: '<html>{"USD": "a lot"}</html>' }
    this.#onSaid(this.price)
    return { status: 200, headers, body: JSON.stringify({ USD: this.price }) }
  }
}
