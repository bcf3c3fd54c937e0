import type { Event } from 'nostr-tools/pure'
import { WebSocket } from 'ws'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { createResolver, type Resolve } from '../http/resolve-name.ts'
import { USER_AGENT } from '../http/user-agent.ts'
import { readRelayUrl, relayLookup } from './relay-url.ts'

/** A relay's time limit for everything: connecting, and answering each event. */
const TIMEOUT_MS = 10_000
/** The longest message that is read. A relay has little to say here. */
const MAX_MESSAGE_BYTES = 64 * 1024

export interface PublishOptions {
  readonly clock: Clock
  /** For development on one machine: permits `ws:` and this machine, too. */
  readonly allowLoopback: boolean
  readonly resolve?: Resolve
}

/** A relay's answer to an event. `silent`: it could not be reached, or did not answer in time. */
export type RelayAnswer =
  | { readonly said: 'accepted' }
  | { readonly said: 'refused' | 'silent'; readonly reason: string }

const okMessage = z.tuple([z.literal('OK'), z.string(), z.boolean()]).rest(z.unknown())

/** Publishes signed events to Nostr relays that strangers name (NIP-01). */
export type PublishEvents = (relay: string, events: readonly Event[]) => Promise<ReadonlyMap<string, RelayAnswer>>

/**
 * Publishes events to one relay over one connection, and resolves to its answers by event id. Connects only to
 * addresses on the public Internet, over TLS, by the rules for strangers. Never throws.
 */
export function createPublisher(options: PublishOptions): PublishEvents {
  const resolve = options.resolve ?? createResolver()
  return async (relay, events) => {
    const answers = new Map<string, RelayAnswer>()
    const reason = await converse({ ...options, resolve }, relay, events, answers).catch((error: unknown) => error)
    const silent = { said: 'silent', reason: reason instanceof Error ? reason.message : String(reason) } as const
    return new Map(events.map(({ id }) => [id, answers.get(id) ?? silent]))
  }
}

/** Resolves to the reason why the connection ended. */
async function converse(
  { clock, allowLoopback, resolve }: Required<PublishOptions>,
  relay: string,
  events: readonly Event[],
  answers: Map<string, RelayAnswer>,
): Promise<string> {
  const url = readRelayUrl(relay, allowLoopback)
  const lookup = relayLookup(url, resolve, allowLoopback)
  const socket = new WebSocket(url.href.replace(/^http/, 'ws'), {
    headers: { 'user-agent': USER_AGENT },
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    lookup,
  })
  return new Promise((end) => {
    const cancel = clock.after(TIMEOUT_MS, () => stop(`it said nothing in ${TIMEOUT_MS} ms`))
    const stop = (reason: string) => {
      cancel()
      socket.terminate()
      end(reason)
    }
    socket.on('error', (error) => stop(error.message))
    socket.on('close', () => stop('it ended the connection'))
    socket.on('open', () => {
      for (const event of events) socket.send(JSON.stringify(['EVENT', event]))
    })
    socket.on('message', (data) => {
      const answer = readAnswer(String(data))
      if (answer !== undefined) answers.set(answer.id, answer.answer)
      if (events.every(({ id }) => answers.has(id))) stop('it has answered')
    })
  })
}

function readAnswer(text: string): { readonly id: string; readonly answer: RelayAnswer } | undefined {
  try {
    const [, id, accepted, why] = okMessage.parse(JSON.parse(text))
    const reason = String(why ?? '').slice(0, 200)
    // A duplicate means that the relay already has the event.
    const has = accepted || reason.startsWith('duplicate:')
    return { id, answer: has ? { said: 'accepted' } : { said: 'refused', reason } }
  } catch {
    return undefined
  }
}
