import type { AddressInfo } from 'node:net'
import { type Filter, matchFilters } from 'nostr-tools/filter'
import { type Event, verifyEvent } from 'nostr-tools/pure'
import { type WebSocket, WebSocketServer } from 'ws'

/**
 * A Nostr relay (NIP-01) on loopback, with only what wallets need: it stores what wallets publish about themselves, and
 * forwards all other events.
 */
export interface Relay {
  readonly port: number
  /** Subscribes to every event that a client publishes. */
  onEvent(listener: (event: Event) => void): void
  publish(event: Event): void
  close(): Promise<void>
}

const INFO = 13_194
const MAX_MESSAGE_BYTES = 256 * 1024

/** Starts a relay on this port, or on any port if another program has it. */
export async function startRelay(port: number): Promise<Relay> {
  const server = await listen(port).catch(() => listen(0))
  const listeners: ((event: Event) => void)[] = []
  const infos: Event[] = []
  const subscriptions = new Map<WebSocket, Map<string, Filter[]>>()
  const publish = (event: Event) => {
    if (event.kind === INFO) infos.push(event)
    for (const [client, filters] of subscriptions) {
      for (const [id, wanted] of filters) if (matchFilters(wanted, event)) send(client, ['EVENT', id, event])
    }
  }
  server.on('connection', (client) => {
    const mine = new Map<string, Filter[]>()
    subscriptions.set(client, mine)
    client.on('close', () => subscriptions.delete(client))
    client.on('error', () => undefined)
    client.on('message', (data) => {
      const [type, ...rest] = parse(String(data))
      if (type === 'REQ') {
        const [id, ...filters] = rest as [string, ...Filter[]]
        mine.set(id, filters)
        for (const event of infos.filter((each) => matchFilters(filters, each))) send(client, ['EVENT', id, event])
        send(client, ['EOSE', id])
      } else if (type === 'CLOSE') mine.delete(String(rest[0]))
      else if (type === 'EVENT') {
        const event = rest[0] as Event
        const isSigned = verifyEvent(event)
        send(client, ['OK', event.id, isSigned, isSigned ? '' : 'invalid: the signature is wrong'])
        if (!isSigned) return
        publish(event)
        for (const listener of listeners) listener(event)
      }
    })
  })
  return {
    port: (server.address() as AddressInfo).port,
    onEvent: (listener) => void listeners.push(listener),
    publish,
    close: () => {
      for (const client of server.clients) client.terminate()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function listen(port: number): Promise<WebSocketServer> {
  return new Promise((resolve, reject) => {
    const server = new WebSocketServer({ host: '127.0.0.1', port, maxPayload: MAX_MESSAGE_BYTES })
    server.on('listening', () => resolve(server))
    server.on('error', reject)
  })
}

function send(client: WebSocket, message: unknown): void {
  client.send(JSON.stringify(message))
}

function parse(text: string): readonly unknown[] {
  try {
    const message: unknown = JSON.parse(text)
    return Array.isArray(message) ? message : []
  } catch {
    return []
  }
}
