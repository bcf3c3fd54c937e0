import { SnowflakeUtil } from 'discord.js'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { createTurns } from '../../lib/turns.ts'
import type { Card, CardKind, ForeseenTip, Origin, Tipping } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Acknowledged, AnsweringBoard } from '../interactions/router-options.ts'
import type { Message } from '../messages/message.ts'
import { mention, small } from '../messages/panel.ts'
import type { Links } from '../pay-pages/links.ts'
import type { Messenger } from '../transport/messenger.ts'
import { type ReplyToken, readReplyToken } from '../transport/reply-token.ts'
import { withAsked } from './asked-in-fiat.ts'
import { Asleep } from './asleep.ts'
import type { CardRenderer, Drawable } from './card-renderer.ts'
import { deliver, parseMessageRef, tellLost } from './delivery.ts'
import { asGuest, claims } from './guest-card.ts'

/**
 * Shows every card whose record has changed since the card was last shown, even after a restart. Stores no state:
 * whatever a restart loses is found again at the next reading of the pending cards.
 */
export interface CardBoard extends AnsweringBoard {
  /** Starts showing changed cards, beginning with those already pending. */
  start(): void
  /** Resolves when everything that can be shown now is shown. */
  settled(): Promise<void>
  /** Shows the cards that waited for this channel, because a message was posted there or the thread was reopened. */
  wake(channel: string): void
  close(): Promise<void>
}

interface CardBoardOptions {
  readonly tipping: Tipping
  readonly messenger: Messenger
  readonly clock: Clock
  readonly log: Logger
  readonly translatorFor: (locale: string) => Translator
  /** Returns the language of the bot's texts for a server. */
  readonly serverLocale: (guild: string | null) => string | undefined
  readonly links: Links
  /** The renderer of each kind of card. */
  readonly cardRenderers: Readonly<Record<CardKind, CardRenderer>>
  /** Draws a tip that has not been given yet. */
  readonly drawForeseen: (
    tip: ForeseenTip,
    origin: Origin,
    t: Translator,
  ) => { readonly message: Message; readonly isWhole: boolean }
}

const FIRST_PAUSE_MS = 2_000
const MAX_PAUSE_MS = 5 * 60_000
const BATCH_SIZE = 50
const HOUR_MS = 3_600_000
/** The number of cards that are read in one turn of the event loop. Each card takes one or two milliseconds. */
const CARDS_A_TURN = 8
/**
 * The rest of a message older than an hour: Discord reportedly permits three edits in twenty seconds to such messages
 * in a channel. https://docs.discord.com/developers/topics/opcodes-and-status-codes#json (30046)
 */
const OLD_REST_MS = 12_000
/**
 * The most undelivered cards that are shown below an answer where the bot is a guest: Discord permits five messages
 * there.
 */
const MAX_TOLD_GUESTS = 3
/** The time for which a card can still be changed after its claim button is removed, where the bot is a guest. */
const BEFORE_END_MS = 30_000
/** The most earlier answers that are remembered for one card, and the most cards for which any are remembered. */
const MAX_FORMER = 5
const MAX_MOVED = 1_000
/** The most people who are told that a channel cannot show a card, because a tip may go to a whole role. */
const MAX_TOLD_LOST = 20

export function createCardBoard(options: CardBoardOptions): CardBoard {
  return new Board(options)
}

class Board implements CardBoard {
  readonly #options: CardBoardOptions
  /** The cards that are being shown now, so that none is drawn twice at the same time. */
  readonly #showing = new Map<string, Promise<void>>()
  readonly #reserved = new Set<string>()
  readonly #turn = createTurns(CARDS_A_TURN)
  /** Cards that Discord refused, with the pause before the next attempt. */
  readonly #paused = new Map<string, { pauseMs: number; cancel: (() => void) | undefined }>()
  /** Cards that were just drawn and rest before the next drawing, with a function that ends the rest. */
  readonly #resting = new Map<string, () => void>()
  readonly #asleep: Asleep
  /** Cards whose claim button will be removed before they become unchangeable, with a function that cancels that. */
  readonly #ending = new Map<string, () => void>()
  /**
   * The earlier answers to each moved card, which still show the card while they can be edited. Stored only in memory.
   */
  readonly #former = new Map<string, readonly ReplyToken[]>()
  /** The number of callers that wait until everything is shown. While there are any, no card rests. */
  #hurrying = 0
  #looking: Promise<void> | undefined
  #lookAgain = false
  #open = false
  #unsubscribe: () => void = () => {}

  constructor(options: CardBoardOptions) {
    this.#options = options
    this.#asleep = new Asleep(options.clock)
  }

  start(): void {
    this.#open = true
    this.#unsubscribe = this.#options.tipping.cards.subscribe(() => this.#look())
    this.#look()
  }

  reserve(interaction: string): () => void {
    this.#reserved.add(interaction)
    return () => {
      this.#reserved.delete(interaction)
      this.#look()
    }
  }

  show(id: string, acknowledged: Acknowledged = {}): Promise<void> {
    const before = this.#showing.get(id) ?? Promise.resolve()
    const showing = before
      .then(() => this.#showNow(id, acknowledged))
      .finally(() => {
        if (this.#showing.get(id) !== showing) return
        this.#showing.delete(id)
        this.#look()
      })
    this.#showing.set(id, showing)
    return showing
  }

  async tellUntold(member: string, reply: ReplyToken, t: Translator): Promise<void> {
    const { tipping, messenger } = this.#options
    const content = small(t('untold.title'))
    const untold = await tipping.cards.untold(member)
    const told = reply.guest ? untold.slice(0, MAX_TOLD_GUESTS) : untold
    for (const card of told) await this.#tell(card, { reply, t, content })
    const left = untold.length - told.length
    if (left > 0)
      await messenger.followUp(reply, { content: small(t('untold.more', { count: left })) }, { private: true })
  }

  async tell(id: string, reply: ReplyToken, t: Translator): Promise<void> {
    const card = await this.#options.tipping.cards.get(id)
    if (card !== undefined && card.message === undefined) await this.#tell(card, { reply, t })
  }

  async #tell(card: Card, { reply, t, content }: { reply: ReplyToken; t: Translator; content?: string }) {
    const { tipping, messenger, links } = this.#options
    const drawable = await this.#options.cardRenderers[card.kind].draw(tipping, card.record)
    const { message: drawn, after = [] } = await drawable.in(t, links)
    const message = withAsked(drawn, card.origin?.asked, t)
    const first = content === undefined ? message : { ...message, content }
    // Each of a guest's few messages is a card. The texts after it are available through its buttons.
    const said = reply.guest ? [first] : [first, ...after]
    for (const each of said) await messenger.followUp(reply, each, { private: true })
    await tipping.cards.shown(card)
  }

  async settled(): Promise<void> {
    this.#hurrying += 1
    this.#endRests()
    this.#look()
    while (this.#looking !== undefined || this.#showing.size > 0) {
      await this.#looking
      await Promise.all(this.#showing.values())
    }
    this.#hurrying -= 1
  }

  async close(): Promise<void> {
    this.#open = false
    this.#unsubscribe()
    for (const { cancel } of this.#paused.values()) cancel?.()
    this.#paused.clear()
    for (const cancel of this.#ending.values()) cancel()
    this.#ending.clear()
    await this.settled()
  }

  /** Reads the pending cards: now, or, if a reading is under way, again when that reading ends. */
  #look(): void {
    if (!this.#open) return
    if (this.#looking !== undefined) {
      this.#lookAgain = true
      return
    }
    this.#lookAgain = false
    this.#looking = this.#lookOnce().finally(() => {
      this.#looking = undefined
      if (this.#lookAgain) this.#look()
    })
  }

  async #lookOnce(): Promise<void> {
    const { tipping, log } = this.#options
    try {
      const limit =
        BATCH_SIZE +
        this.#showing.size +
        this.#paused.size +
        this.#resting.size +
        this.#reserved.size +
        this.#asleep.size
      for (const card of await tipping.cards.pending(limit)) {
        if (this.#showing.size >= BATCH_SIZE) break
        if (this.#open && !this.#isTaken(card)) void this.show(card.id)
      }
    } catch (error) {
      log.error({ err: error }, 'pending cards could not be read')
      this.#pause('', FIRST_PAUSE_MS)
    }
  }

  #isTaken({ id, origin }: Card): boolean {
    return (
      this.#showing.has(id) ||
      this.#resting.has(id) ||
      this.#asleep.has(id) ||
      this.#paused.get(id)?.cancel !== undefined ||
      (origin !== undefined && this.#reserved.has(origin.interaction))
    )
  }

  async #showNow(id: string, acknowledged: Acknowledged): Promise<void> {
    const { log, tipping } = this.#options
    if (acknowledged.former !== undefined) this.#noteFormer(id, acknowledged.former)
    try {
      await this.#turn()
      // Read the card first and its record after it, so the drawing is never older than the noted revision.
      const card = await tipping.cards.get(id)
      if (card === undefined) throw new Error(`there is no card ${id}`)
      if (acknowledged.again && card.message !== undefined && card.shown >= card.revision) return
      const delivered = await this.#deliver(card, acknowledged)
      if (delivered === 'asleep') return this.#asleep.put(id, card.message)
      if (delivered === 'gone') await tipping.cards.undeliverable(id, card.revision)
      else await tipping.cards.shown(card, delivered.message)
      this.#paused.delete(id)
      this.#rest(id, this.#restOf(card))
    } catch (error) {
      const pauseMs = Math.min((this.#paused.get(id)?.pauseMs ?? FIRST_PAUSE_MS / 2) * 2, MAX_PAUSE_MS)
      log.warn({ card: id, pauseMs, err: error }, 'a card could not be shown; it will be tried again')
      this.#pause(id, pauseMs)
    }
  }

  async #deliver(card: Card, { notified = false, written }: Acknowledged) {
    const { tipping, messenger, clock, log, links } = this.#options
    const renderCard = this.#options.cardRenderers[card.kind]
    const drawable = await renderCard.draw(tipping, card.record)
    const about = drawable.about === undefined ? undefined : await tipping.cards.get(drawable.about)
    const origin = card.origin ?? about?.origin
    const reply = origin === undefined ? undefined : readReplyToken(origin.reply)
    const t = this.#translatorOf(card, origin)
    const drawn = await drawable.in(t, links)
    const drawing = { ...drawn, message: withAsked(drawn.message, card.origin?.asked, t) }
    const now = clock.now()
    const isOpen = reply !== undefined && now < reply.expiresAt
    const endsInMs =
      isOpen && reply.guest && 'channel' in card.audience ? reply.expiresAt - BEFORE_END_MS - now : undefined
    if (endsInMs !== undefined && endsInMs > 0 && claims(drawing)) this.#takeOff(card.id, endsInMs)
    const delivered = await deliver(messenger, {
      ...{ card, notified, written, late: drawable.late },
      drawing: endsInMs === undefined ? drawing : asGuest(drawing, t, endsInMs <= 0),
      reply: isOpen ? reply : undefined,
      about: parseMessageRef(about?.message) ?? drawable.answers,
    })
    if (delivered === 'gone' && 'channel' in card.audience && card.message === undefined) {
      await this.#tellLost(card, drawable, origin)
    }
    await this.#showInFormer(card.id, drawing.message)
    log.debug({ card: card.id, kind: card.kind, revision: card.revision, delivered }, 'card')
    return delivered
  }

  #noteFormer(id: string, reply: string): void {
    const token = readReplyToken(reply)
    if (token === undefined) return
    this.#former.set(id, [...(this.#former.get(id) ?? []), token].slice(-MAX_FORMER))
    for (const oldest of this.#former.keys()) {
      if (this.#former.size <= MAX_MOVED) break
      this.#former.delete(oldest)
    }
  }

  /** Shows a moved card in its earlier answers, too. Answers that can no longer be edited are ignored. */
  async #showInFormer(id: string, message: Message): Promise<void> {
    const { messenger, clock } = this.#options
    const open = this.#former.get(id)?.filter(({ expiresAt }) => clock.now() < expiresAt) ?? []
    if (open.length === 0) this.#former.delete(id)
    await Promise.allSettled(open.map((reply) => messenger.answer(reply, message)))
  }

  /** Schedules the removal of a card's claim button. If the process ends first, the button stays and still works. */
  #takeOff(id: string, inMs: number): void {
    this.#ending.get(id)?.()
    const cancel = this.#options.clock.after(inMs, () => {
      this.#ending.delete(id)
      void this.show(id)
    })
    this.#ending.set(id, cancel)
  }

  /** Sends a card that its channel cannot show to the payer and the recipients, in private messages. */
  async #tellLost(card: Card, drawable: Drawable, origin: Origin | undefined): Promise<void> {
    const { messenger, tipping, translatorFor, links } = this.#options
    for (const member of drawable.people.slice(0, MAX_TOLD_LOST)) {
      const t = translatorFor(tipping.preferences.languageOf(member) ?? origin?.locale ?? 'en')
      const { message } = await drawable.in(t, links)
      const content = [small(t('untold.notShown')), message.content ?? ''].join('\n')
      await tellLost(messenger, card, member, { ...message, content })
    }
  }

  /**
   * Builds the first answer to a tipping command: the whole card if nothing will be pending, otherwise a line that
   * announces the tip without claiming a result. No sats have moved yet.
   */
  drawFirstAnswer(tip: ForeseenTip, origin: Origin): { message: Message; isWhole: boolean } {
    const t = this.#translatorOf({ audience: { channel: origin.channel } }, origin)
    const { message: drawn, isWhole } = this.#options.drawForeseen(tip, origin, t)
    const message = withAsked(drawn, origin.asked, t)
    return {
      isWhole,
      message: isWhole ? message : { content: unfinished(tip, message, t), notifies: message.notifies },
    }
  }

  wake(channel: string): void {
    if (this.#asleep.wake(channel)) this.#look()
  }

  /** Returns the translator for a card: in the server's language if the card is public, otherwise in the member's. */
  #translatorOf(card: Pick<Card, 'audience'>, origin: Origin | undefined): Translator {
    const { tipping, translatorFor, serverLocale } = this.#options
    const reader = 'member' in card.audience ? tipping.preferences.languageOf(card.audience.member) : undefined
    const own = reader ?? origin?.locale ?? 'en'
    return translatorFor('channel' in card.audience ? (serverLocale(origin?.guild ?? null) ?? own) : own)
  }

  /**
   * Returns a card's rest after a drawing, which is longer for messages older than an hour: Discord limits their edits.
   */
  #restOf({ kind, message }: Card): number {
    const { restMs } = this.#options.cardRenderers[kind]
    const ref = parseMessageRef(message)
    const isOld = ref !== undefined && this.#options.clock.now() - SnowflakeUtil.timestampFrom(ref.message) > HOUR_MS
    return isOld ? Math.max(restMs, OLD_REST_MS) : restMs
  }

  #rest(id: string, restMs: number): void {
    if (restMs === 0 || this.#hurrying > 0 || !this.#open) return
    this.#resting.get(id)?.()
    const cancel = this.#options.clock.after(restMs, () => {
      this.#resting.delete(id)
      this.#look()
    })
    this.#resting.set(id, cancel)
  }

  #endRests(): void {
    for (const cancel of this.#resting.values()) cancel()
    this.#resting.clear()
  }

  #pause(id: string, pauseMs: number): void {
    if (!this.#open) return
    const cancel = this.#options.clock.after(pauseMs, () => {
      // The pause is stored, so that the next one is longer.
      this.#paused.set(id, { pauseMs, cancel: undefined })
      this.#look()
    })
    this.#paused.set(id, { pauseMs, cancel })
  }
}

const MARKS = { tip: '⚡', rain: '🌧️', reward: '🏅' } as const

/** Returns a line about an intended gift, which does not claim that the gift was made: the process may end first. */
function unfinished({ kind, from, shares, total }: ForeseenTip, { notifies = [] }: Message, t: Translator): string {
  const amount = t.amount(shares[0]?.amount ?? total)
  return `${MARKS[kind]} ${mention(from)} → ${notifies.map(mention).join(' ')} **${amount}** …`
}
