import { computed, signal } from '../html.ts'
import { bareCode } from '../text/codes.ts'
import { ask } from './api.ts'
import { say } from './interactions.ts'
import { holdsSats, look } from './session.ts'

/** A line of the phone's history. Amounts are in msats, as text. */
export interface HistoryLine {
  readonly direction: 'in' | 'out'
  readonly amount: string
  readonly preimage: string
  readonly paymentHash: string
  /** The payment's purpose; empty if nobody gave one. */
  readonly description: string
  readonly at: string
}

export interface PhoneState {
  readonly balance: string
  readonly pubkey: string
  readonly history: readonly HistoryLine[]
}

/** What a scanned code asks for or offers. Amounts are in msats, as text. */
export interface PaymentCode {
  readonly does: 'pay' | 'claim'
  readonly kind: 'invoice' | 'pay-code' | 'address' | 'withdraw-code'
  readonly text: string
  readonly min: string
  readonly max: string
  readonly description: string
  readonly commentAllowed: number
  readonly expiresAt: string | null
}

export type Sheet =
  | { readonly step: 'reading' }
  | { readonly step: 'confirm'; readonly code: PaymentCode; readonly problem: string | null }
  | { readonly step: 'paying'; readonly code: PaymentCode }
  | { readonly step: 'done'; readonly code: PaymentCode; readonly preimage: string | null; readonly message: string }
  | { readonly step: 'problem'; readonly text: string }

export const phone = signal<PhoneState | null>(null)
export const sheet = signal<Sheet | null>(null)
/** The codes in the open conversation, by the id of their place. */
export const codesInSight = signal<ReadonlyMap<string, string>>(new Map())
export const newestCode = computed(() => [...codesInSight.value.entries()].sort(byPlace).at(-1)?.[1] ?? null)

/** The codes that this browser's phone has paid, which the page does not offer to pay again, even after a reload. */
export const paidCodes = signal<ReadonlySet<string>>(new Set(JSON.parse(localStorage.getItem('paid') ?? '[]')))
const mostPaid = 100

let timer: ReturnType<typeof setTimeout> | undefined

/** Schedules another read of the wallet. */
export function refreshPhone(): void {
  if (timer !== undefined) return
  timer = setTimeout(() => {
    timer = undefined
    void loadPhone()
  }, 250)
}

export async function loadPhone(): Promise<void> {
  if (!holdsSats.value) return
  try {
    phone.value = await ask<PhoneState>('GET', '/api/phone')
    look()
  } catch {
    // The last state stays, because the banner reports that the playground is away.
  }
}

/** Reads a code with the phone, and shows for confirmation what it asks for or offers. */
export async function scan(text: string): Promise<void> {
  sheet.value = { step: 'reading' }
  try {
    sheet.value = { step: 'confirm', code: await ask('POST', '/api/phone/read', { text }), problem: null }
  } catch (error) {
    sheet.value = { step: 'problem', text: wordsOf(error) }
  }
}

/** Pays or claims the sheet's code. `amount` is in msats. */
export async function confirm(code: PaymentCode, amount: string, comment: string): Promise<void> {
  sheet.value = { step: 'paying', code }
  try {
    if (code.does === 'claim') {
      await ask('POST', '/api/phone/claim', { text: code.text })
      sheet.value = { step: 'done', code, preimage: null, message: 'Asked for. It arrives when the payer has sent it.' }
    } else {
      const chosen = code.kind === 'invoice' && code.min === code.max ? {} : { amount }
      const body = { text: code.text, ...chosen, ...(comment === '' ? {} : { comment }) }
      const paid = await ask<{ preimage: string; message?: string }>('POST', '/api/phone/pay', body)
      sheet.value = { step: 'done', code, preimage: paid.preimage, message: paid.message ?? '' }
      if (code.min === code.max) notePaid(code.text)
    }
  } catch (error) {
    sheet.value = { step: 'confirm', code, problem: wordsOf(error) }
  }
  refreshPhone()
}

/** Pays an invoice from a wallet that nobody has connected, and reports the outcome. */
export async function payFromElsewhere(scanned: string): Promise<void> {
  try {
    const { text } = await ask<PaymentCode>('POST', '/api/phone/read', { text: scanned })
    await ask('POST', '/api/phone/pay', { text })
    notePaid(text)
    say('Paid from a wallet that nobody here has connected.')
  } catch (error) {
    say(wordsOf(error), 'failed')
  }
}

/** Ends the hanging payments, and reports the outcome. */
export async function release(outcome: 'settle' | 'fail'): Promise<void> {
  try {
    const { released } = await ask<{ released: number }>('POST', '/api/phone/release', { outcome })
    const what = released === 1 ? 'The payment that hung' : `The ${released} payments that hung`
    if (released === 0) say('Nothing hangs. Press “Next payment hangs” first, then pay something.', 'failed')
    else
      say(
        `${what} ${outcome === 'settle' ? (released === 1 ? 'is' : 'are') : released === 1 ? 'has' : 'have'} ${outcome === 'settle' ? 'paid' : 'failed'} now.`,
      )
  } catch (error) {
    say(wordsOf(error), 'failed')
  }
}

/** Operates a switch under "Misbehave", and shows `done` or the error. */
export async function misbehave(path: string, body: unknown, done: string): Promise<void> {
  try {
    await ask('POST', path, body)
    say(done)
  } catch (error) {
    say(wordsOf(error), 'failed')
  }
}

/** Stores which code a place shows; null if it shows none. */
export function noteCode(placeId: string, text: string | null): void {
  const all = new Map(codesInSight.value)
  if (text === null ? !all.delete(placeId) : all.get(placeId) === text) return
  if (text !== null) all.set(placeId, text)
  codesInSight.value = all
}

/** Stores that a code was paid, so that the page does not offer to pay it again. */
function notePaid(text: string): void {
  paidCodes.value = new Set([...paidCodes.value, bareCode(text)].slice(-mostPaid))
  localStorage.setItem('paid', JSON.stringify([...paidCodes.value]))
}

function byPlace([one]: [string, string], [other]: [string, string]): number {
  return one.length - other.length || (one < other ? -1 : 1)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
