import type { BookView, OwnWalletsView, WaitingView, WireLine } from '../../world.ts'
import { computed, signal } from '../html.ts'
import { ask } from './api.ts'

/** A value as the page server sends it, with each amount as text. */
type Written<T> = T extends bigint
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Written<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Written<T[Key]> }
      : T

export type Book = Written<BookView>
export type Entry = Book['entries'][number]
type OwnWallets = Written<OwnWalletsView>
export type OwnWallet = OwnWallets['wallets'][number]
export type Gift = OwnWallets['gifts'][number]

const maxLines = 300

export const books = signal<readonly Book[]>([])
export const waiting = signal<readonly WaitingView[]>([])
/** People's own wallets, and the newest gifts. */
export const ownWallets = signal<OwnWallets>({ wallets: [], gifts: [] })
export const wire = signal<readonly WireLine[]>([])
/** The exchanges between bot and service that may have changed something: all except look-ups. */
export const changes = computed(() => wire.value.filter(({ reads }) => !reads))
export const booksProblem = signal<string | null>(null)
export const proven = computed(() => books.value.length > 0 && books.value.every(({ holds }) => holds))

let timer: ReturnType<typeof setTimeout> | undefined
let loading = false

/**
 * Schedules another read of the books after an event that may have moved money. Events in quick succession cause only
 * one read.
 */
export function stirBooks(): void {
  if (timer !== undefined) return
  timer = setTimeout(() => {
    timer = undefined
    if (loading) stirBooks()
    else void loadBooks()
  }, 350)
}

const GLANCE_MS = 1_500

/**
 * Reads the books repeatedly, for changes outside of Discord and the wire, such as a connected wallet. Returns a
 * function that stops the reading.
 */
export function watchBooks(): () => void {
  const watching = setInterval(stirBooks, GLANCE_MS)
  return () => clearInterval(watching)
}

export async function loadBooks(): Promise<void> {
  loading = true
  try {
    const read = await ask<{ books: Book[]; waiting: WaitingView[]; ownWallets: OwnWallets }>('GET', '/api/books')
    books.value = read.books
    waiting.value = read.waiting
    ownWallets.value = read.ownWallets
    booksProblem.value = null
  } catch (error) {
    booksProblem.value = error instanceof Error ? error.message : String(error)
  } finally {
    loading = false
  }
}

export async function loadWire(): Promise<void> {
  wire.value = await ask<WireLine[]>('GET', '/api/wire')
}

export function keepWireLine(line: WireLine): void {
  if (wire.value.some(({ id }) => id === line.id)) return
  wire.value = [...wire.value, line].slice(-maxLines)
}
