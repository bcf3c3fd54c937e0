import type { Row } from '../../../ledger/ledger.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { CoreContext } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import type { TippingOwnership } from '../../core/ownership.ts'
import type { Card as StoredCard } from '../../generated/client.ts'
import type { Card, CardKind, Cards, Origin, ReadCard } from './cards.ts'
import { CardsToShow } from './cards-to-show.ts'

export interface NewCard {
  readonly id: string
  readonly kind: CardKind
  readonly record: string
  readonly audience: { readonly channel: string } | { readonly member: string }
  readonly origin?: Origin
}

type Commit = CoreContext['commit']

interface CardBookParts {
  readonly database: CoreContext['database']
  readonly commit: Commit
  readonly ownership: () => TippingOwnership
  readonly clock: Clock
  readonly logger: Logger
}

/** Stores the cards that verbs raise, and offers them to the front. */
export class CardBook implements Cards {
  readonly #read: () => CoreContext['database']['read']
  readonly #commit: Commit
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #toShow: CardsToShow
  readonly #listeners = new Set<() => void>()
  #announcing = false

  constructor(parts: CardBookParts) {
    this.#toShow = new CardsToShow(parts.clock, parts.ownership)
    this.#read = () => parts.database.read
    this.#commit = parts.commit
    this.#clock = parts.clock
    this.#logger = parts.logger
  }

  /** Returns the row of a new card, which must be written together with the record that the card shows. */
  row(card: NewCard): Row {
    return { table: 'Card', values: this.values(card) }
  }

  values({ id, kind, record, audience, origin }: NewCard) {
    this.#toShow.raised([id])
    return {
      id,
      kind,
      record,
      channel: 'channel' in audience ? audience.channel : null,
      member: 'member' in audience ? audience.member : null,
      interaction: origin?.interaction ?? null,
      guild: origin?.guild ?? null,
      from: origin?.channel ?? null,
      reply: origin?.reply ?? null,
      locale: origin?.locale ?? null,
      asked: origin?.asked ?? null,
      message: null,
      revision: 1,
      shown: 0,
      pending: true,
      untold: false,
      createdAt: new Date(this.#clock.now()),
    }
  }

  /** Marks cards to be drawn again, in the transaction that changes their records. */
  async raise(tx: Tx, ids: readonly string[]): Promise<void> {
    this.#toShow.raised(ids)
    await tx.card.updateMany({
      where: { id: { in: [...new Set(ids)] } },
      data: { revision: { increment: 1 }, pending: true },
    })
  }

  /** Notifies the listeners soon. Several changes that have just become durable cause only one notification. */
  announce(): void {
    if (this.#announcing) return
    this.#announcing = true
    setImmediate(() => {
      this.#announcing = false
      for (const listener of this.#listeners) {
        try {
          listener()
        } catch (error) {
          this.#logger.error({ err: error }, 'a listener for cards failed')
        }
      }
    })
  }

  async get(id: string): Promise<Card | undefined> {
    const card = await this.#read().card.findUnique({ where: { id } })
    return card === null ? undefined : read(card)
  }

  async pending(limit: number): Promise<Card[]> {
    const id = this.#toShow.lookAt
    const cards = await this.#read().card.findMany({
      where: { pending: true, untold: false, ...(id !== undefined && { id }) },
      orderBy: { createdAt: 'asc' },
      take: limit,
    })
    return this.#toShow.choose(cards).map(read)
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async move(id: string, { interaction, guild, channel, reply, locale }: Origin): Promise<string | undefined> {
    this.#toShow.raised([id])
    return await this.#commit({
      write: async (tx) => {
        const where = { id, member: { not: null } }
        const card = await tx.card.findFirst({ where })
        // Discord may deliver a command twice.
        if (card === null || card.interaction === interaction) return undefined
        const answer = { interaction, guild, from: channel, reply, locale, message: null }
        await tx.card.update({
          where: { id },
          data: { ...answer, revision: { increment: 1 }, pending: true, untold: false },
        })
        return card.reply ?? undefined
      },
    })
  }

  async shown({ id, revision, origin }: ReadCard, message?: string): Promise<void> {
    await this.#commit({
      write: async (tx) => {
        const card = await tx.card.findUnique({ where: { id } })
        if (card === null || revision > card.revision) throw new RangeError(`card ${id} has no revision ${revision}`)
        // A delivery that began before the card moved would bring back the message that the card has left.
        const isThere = read(card).origin?.interaction === origin?.interaction
        await tx.card.update({
          where: { id },
          data: {
            message: isThere ? (message ?? card.message) : card.message,
            shown: Math.max(card.shown, revision),
            ...(revision === card.revision ? { pending: false, untold: false } : {}),
          },
        })
      },
    })
  }

  async undeliverable(id: string, revision: number): Promise<void> {
    await this.#commit({
      write: async (tx) => {
        const card = await tx.card.findUnique({ where: { id } })
        if (card === null || revision !== card.revision) return
        const isPrivate = card.member !== null
        await tx.card.update({
          where: { id },
          data: isPrivate ? { untold: true } : { pending: false, shown: revision },
        })
      },
    })
  }

  async untold(member: string): Promise<Card[]> {
    const cards = await this.#read().card.findMany({
      where: { member, untold: true },
      orderBy: { createdAt: 'asc' },
    })
    return cards.map(read)
  }
}

function read(card: StoredCard): Card {
  const { interaction, from, reply, locale, asked } = card
  return {
    id: card.id,
    kind: card.kind as CardKind,
    record: card.record,
    audience: card.channel === null ? { member: card.member ?? '' } : { channel: card.channel },
    origin:
      interaction === null || from === null || reply === null || locale === null
        ? undefined
        : { interaction, guild: card.guild, channel: from, reply, locale, asked: asked ?? undefined },
    message: card.message ?? undefined,
    revision: card.revision,
    shown: card.shown,
    createdAt: card.createdAt,
  }
}
