import type { Event } from 'nostr-tools/pure'
import { WebSocket } from 'ws'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { createResolver, type Resolve } from '../http/resolve-name.ts'
import { USER_AGENT } from '../http/user-agent.ts'
import { readRelayUrl, relayLookup } from './relay-url.ts'

/** How long a relay has for everything: for the connection, and for its answers to all events. */
const TIMEOUT_MS = 10_000
/** The longest message from a relay that is accepted. Relays' answers to events are short. */
const MAX_MESSAGE_BYTES = 64 * 1024

export interface PublishOptions {
  readonly clock: Clock
  /** Whether `ws:` and this machine are permitted, too, for development on one machine. */
  readonly allowLoopback: boolean
  readonly resolve?: Resolve
}

/** A relay's answer to an event; `silent` if the relay could not be reached or did not answer in time. */
export type RelayAnswer =
  | { readonly said: 'accepted' }
  | { readonly said: 'refused' | 'silent'; readonly reason: string }

const okMessage = z.tuple([z.literal('OK'), z.string(), z.boolean()]).rest(z.unknown())

/**
 * Publishes signed events to a Nostr relay that a stranger has named (NIP-01). Resolves to the relay's answers by event
 * id.
 */
export type PublishEvents = (relay: string, events: readonly Event[]) => Promise<ReadonlyMap<string, RelayAnswer>>

/**
 * Returns a function that publishes events to a relay through one connection. It connects only to addresses on the
 * public Internet and only with TLS, as the rules for strangers' addresses require. It never throws.
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

/** Sends the events, and notes the relay's answers in `answers`. Resolves to why the connection ended. */
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
