import { type Event, verifyEvent } from 'nostr-tools/pure'
import { z } from 'zod'
import { decodeLnurl, InvalidLnurl } from '../../../lib/lightning/lnurl.ts'
import { parseJson } from '../../../lib/lightning/lnurl-messages.ts'
import type { Msats } from '../../../lib/money/amount.ts'
import { isRelayUrl } from '../../../lib/nostr/relay-url.ts'

/** The kind of Nostr event that requests a zap (NIP-57). */
const ZAP_REQUEST = 9_734
/** The most characters in a request: a URL carries it, and an invoice commits to it. */
export const MAX_ZAP_REQUEST_LENGTH = 4_000
/** The most relays to which a receipt goes: the first ones that the request names. */
export const MAX_RELAYS = 5

const hex64 = z.string().regex(/^[0-9a-f]{64}$/)
const zapEvent = z.object({
  id: hex64,
  pubkey: hex64,
  kind: z.literal(ZAP_REQUEST),
  created_at: z.int().min(0),
  content: z.string(),
  tags: z.array(z.array(z.string())),
  sig: z.string().regex(/^[0-9a-f]{128}$/),
})
const COORDINATE = /^\d{1,5}:[0-9a-f]{64}:/

/** A zap request that may be paid. */
export interface ZapRequest {
  readonly event: Event
  /** The relays that get the zap's receipt. */
  readonly relays: readonly string[]
}

/** What a zap request must match. */
export interface ZapTarget {
  readonly amount: Msats
  /**
   * The addresses by which wallets identify the receiver. A request that names another address is not for this
   * receiver.
   */
  readonly lnurls: readonly string[]
  /** Our own Nostr key, hex. */
  readonly pubkey: string
  /** Which relays may get receipts. */
  readonly relays: 'public' | 'loopback'
}

/** Reads a zap request (NIP-57, appendix D). If the request breaks a rule, returns a sentence for the payer. */
export function readZapRequest(text: string, target: ZapTarget): ZapRequest | string {
  const read = zapEvent.safeParse(text.length > MAX_ZAP_REQUEST_LENGTH ? undefined : parseJson(text))
  if (!read.success) return `must be an event of kind ${ZAP_REQUEST}, of at most ${MAX_ZAP_REQUEST_LENGTH} characters`
  const event: Event = read.data
  const values = (name: string) => event.tags.flatMap(([tag, value = '']) => (tag === name ? [value] : []))
  const [receivers, events, payees] = [values('p'), values('e'), values('P')]
  if (receivers.length !== 1 || !hex64.safeParse(receivers[0]).success) return 'must name one receiver in a p tag'
  if (events.length > 1 || events.some((id) => !hex64.safeParse(id).success)) return 'may name one event in an e tag'
  if (values('a').some((coordinate) => !COORDINATE.test(coordinate))) return 'names no event in its a tag'
  if (payees.length > 1 || payees.some((key) => key !== target.pubkey)) return 'names another service in its P tag'
  if (values('amount').some((amount) => amount !== target.amount.toString())) return 'is for another amount'
  if (values('lnurl').some((lnurl) => !leadsTo(lnurl, target))) return 'is for another receiver'
  const relays = relaysOf(event, target)
  if (relays.length === 0)
    return `must name a relay on the ${target.relays === 'public' ? 'public Internet (wss)' : 'loopback'}`
  return verifyEvent(event) ? { event, relays } : 'has a signature that does not match'
}

function leadsTo(lnurl: string, { lnurls, relays }: ZapTarget): boolean {
  try {
    return lnurls.includes(decodeLnurl(lnurl, { allowLoopbackHttp: relays === 'loopback' }).href)
  } catch (error) {
    if (error instanceof InvalidLnurl) return false
    throw error
  }
}

function relaysOf(event: Event, { relays }: ZapTarget): string[] {
  const named = event.tags.flatMap(([tag, ...values]) => (tag === 'relays' ? values : []))
  const isAllowed = (url: string) => isRelayUrl(url, relays === 'loopback') && (relays === 'public' || isHere(url))
  return [...new Set(named)].filter((url) => url.length <= 200 && isAllowed(url)).slice(0, MAX_RELAYS)
}

/**
 * Whether a relay is on this machine. Receipts of test sats never leave this machine, because elsewhere they would pass
 * for money.
 */
function isHere(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}
