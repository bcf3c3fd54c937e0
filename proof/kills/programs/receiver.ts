import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { verifyWebhook } from '../../../clients/typescript/src/index.ts'
import type { Chance } from '../../world/chance.ts'

/** An event that was delivered to an address. */
export interface Delivery {
  readonly id: string
  readonly body: string
}

interface Address {
  secret: string
  readonly deliveries: Delivery[]
}

/** The possible fates of a delivery, with their weights. */
const WEATHER = { accepts: 84, breaksBefore: 3, breaksAfter: 4, refuses: 4, slow: 4, hangs: 1 } as const
const SLOW_MS = 400
/** The delay of an answer that hangs, in ms, longer than a sender waits. */
const HANGS_MS = 15_000

/**
 * Programs that receive events and check each signature. In a storm they often fail, before or after they have received
 * an event.
 */
export class Receiver {
  readonly faults: string[] = []
  /** Whether the programs sometimes fail. */
  isStormy = true
  readonly #chance: Chance
  readonly #server: Server
  readonly #addresses = new Map<string, Address>()

  constructor(chance: Chance) {
    this.#chance = chance
    this.#server = createServer((request, response) => {
      void this.#hear(request, response).catch(() => response.destroy())
    })
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  /** Returns a new address. The address's secret is set once its key has been made. */
  address(name: string, secret = ''): { readonly url: string; readonly address: Address } {
    const address: Address = { secret, deliveries: [] }
    this.#addresses.set(`/${name}`, address)
    const { port } = this.#server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/${name}`, address }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const weather = this.isStormy ? this.#chance.weighted(WEATHER) : 'accepts'
    if (weather === 'breaksBefore') return void response.destroy()
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const [path, body] = [request.url ?? '', Buffer.concat(parts).toString()]
    const address = this.#addresses.get(path)
    const verified = address && verifyWebhook({ headers: request.headers, body, secret: address.secret })
    if (address === undefined || verified === undefined) {
      this.faults.push(`what came to ${path} is not signed as it should be: ${body}`)
      return void response.writeHead(401).end()
    }
    address.deliveries.push({ id: verified.id, body })
    if (weather === 'breaksAfter') return void response.destroy()
    if (weather === 'slow') await pause(SLOW_MS)
    if (weather === 'hangs') await pause(HANGS_MS, undefined, { ref: false })
    response.writeHead(weather === 'refuses' ? 500 : 204).end()
  }
}
