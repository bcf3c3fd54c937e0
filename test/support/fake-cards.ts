import type { ReadCard } from '../../src/tipping/engine/cards/cards.ts'
import type { Card, CardKind, Cards, Origin } from '../../src/tipping/tipping.ts'

type Writable = { -readonly [Field in keyof Card]: Card[Field] } & { untold: boolean }

/** Cards in memory that behave as `cards.ts` promises. */
export class FakeCards implements Cards {
  readonly #cards = new Map<string, Writable>()
  readonly #listeners = new Set<() => void>()

  create(kind: CardKind, record: string, audience: Card['audience'], origin?: Origin): Card {
    const id = `0000000${this.#cards.size + 1}-0000-4000-8000-000000000000`
    const state = { message: undefined, revision: 1, shown: 0, createdAt: new Date(0), untold: false }
    this.#cards.set(id, { id, kind, record, audience, origin, ...state })
    this.#tell()
    return this.#need(id)
  }

  /** Returns all cards, oldest first. */
  all(): Promise<Card[]> {
    return Promise.resolve([...this.#cards.values()].flatMap((card) => this.#copy(card) ?? []))
  }

  raise(id: string): void {
    this.#need(id).revision += 1
    this.#tell()
  }

  get = (id: string) => Promise.resolve(this.#copy(this.#cards.get(id)))

  pending(limit: number): Promise<Card[]> {
    const pending = [...this.#cards.values()].filter((card) => card.revision > card.shown && !card.untold)
    return Promise.resolve(pending.slice(0, limit).flatMap((card) => this.#copy(card) ?? []))
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  move(id: string, origin: Origin): Promise<string | undefined> {
    const card = this.#need(id)
    const former = card.origin?.reply
    Object.assign(card, { origin, message: undefined, revision: card.revision + 1, untold: false })
    this.#tell()
    return Promise.resolve(former)
  }

  shown({ id, revision, origin }: ReadCard, shownIn?: string): Promise<void> {
    const card = this.#need(id)
    if (revision < card.shown) return Promise.resolve()
    const isThere = card.origin?.interaction === origin?.interaction
    const message = isThere ? shownIn : undefined
    Object.assign(card, { shown: revision, untold: false, message: message ?? card.message })
    return Promise.resolve()
  }

  undeliverable(id: string, revision: number): Promise<void> {
    const card = this.#need(id)
    if ('member' in card.audience) card.untold = true
    else card.shown = revision
    return Promise.resolve()
  }

  untold(member: string): Promise<Card[]> {
    const untold = [...this.#cards.values()].filter(
      ({ untold, audience }) => untold && 'member' in audience && audience.member === member,
    )
    return Promise.resolve(untold.flatMap((card) => this.#copy(card) ?? []))
  }

  #need(id: string): Writable {
    const card = this.#cards.get(id)
    if (card === undefined) throw new Error(`no card ${id}`)
    return card
  }

  #copy(card: Writable | undefined): Card | undefined {
    return card === undefined ? undefined : { ...card }
  }

  #tell(): void {
    setImmediate(() => {
      for (const listener of this.#listeners) listener()
    })
  }
}
