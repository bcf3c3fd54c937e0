import type { RuleEvent } from '../../src/tipping/tipping.ts'
import type { Chance } from '../world/chance.ts'

export const GUILD = 'guild'
const DAY_MS = 24 * 3_600_000
/** The age that a Discord account needs before any rule pays its owner. */
const MIN_ACCOUNT_MS = 7 * DAY_MS
const PEOPLE = 300
/** The probability that a reaction is to a new message. */
const NEW = 0.7
const EMOJI = ['🏅', '🐛', '🙏', '👍', '😂'] as const

export interface Person {
  readonly id: string
  readonly bot: boolean
  readonly accountSince: Date
  readonly memberSince: Date
  readonly roles: readonly string[]
}

/** An event, however often it is reported. */
export interface Happening {
  readonly person: Person
  readonly what: RuleEvent['what']
}

/** A server's people and their actions. Some are bots, some have new accounts, and some have an excluded role. */
export class Community {
  readonly people: readonly Person[]
  readonly authors = new Map<string, Person>()
  readonly #chance: Chance
  readonly #messages: string[] = []
  #count = 0

  constructor(chance: Chance, atMs: number) {
    this.#chance = chance
    this.people = Array.from({ length: PEOPLE }, (_, i) => ({
      id: `person-${i}`,
      bot: i % 20 === 0,
      accountSince: new Date(atMs - (i % 20 === 1 ? 2 : 400) * DAY_MS),
      memberSince: new Date(atMs - (i % 10) * DAY_MS),
      roles: [...(i % 3 === 0 ? [] : ['regulars']), ...(i % 20 === 2 ? ['banned'] : [])],
    }))
  }

  /** Returns the next event; most events in a server are messages. */
  happens(): Happening {
    const chance = this.#chance
    const kind = chance.weighted({ seen: 80, reaction: 17, solved: 3 })
    if (kind === 'seen') return { person: chance.one(this.people), what: { kind } }
    const message = this.#message()
    const person = this.authors.get(message) as Person
    const by = chance.happens(0.02) ? person.id : chance.one(['second', 'third'])
    if (kind === 'solved') return { person, what: { kind, thread: message, by } }
    return { person, what: { kind, emoji: chance.one(EMOJI), message, by } }
  }

  #message(): string {
    if (!this.#chance.happens(NEW) && this.#messages.length > 0) return this.#chance.one(this.#messages)
    this.#count += 1
    const message = `message-${this.#count}`
    this.authors.set(message, this.#chance.one(this.people))
    this.#messages.push(message)
    // Old messages get no more reactions.
    if (this.#messages.length > 2_000) this.#messages.splice(0, 1_000)
    return message
  }
}

export function mayBePaid({ bot, accountSince, roles }: Person, atMs: number): boolean {
  return !bot && !roles.includes('banned') && atMs - accountSince.getTime() >= MIN_ACCOUNT_MS
}
