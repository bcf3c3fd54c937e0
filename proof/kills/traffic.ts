import { setTimeout as pause } from 'node:timers/promises'
import type { InteractionHandle } from '../../src/discord-emulator/people/interaction-handle.ts'
import type { OptionValues } from '../../src/discord-emulator/people/option-values.ts'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import type { Evidence } from '../judge/evidence.ts'
import type { Chance } from '../world/chance.ts'
import type { Stage } from '../world/processes/stage.ts'
import { KINDS, type Kind, type Reported } from './reported.ts'

const PEOPLE = ['alice', 'bob', 'carol', 'dave', 'mod'] as const
const EVERY_MS = 40
/** The most actions at once; people in a chat also wait for answers. */
const MAX_CONCURRENT = 30
/** The time that people wait for an answer, in ms, a little longer than Discord itself waits for a first answer. */
const TIMEOUT_MS = 4_000
/** The probability that people use the bot although they see that it is offline. */
const ASKS_NOBODY = 0.1
const LATEST_MESSAGES = 30
const PEACE_LIMIT_MS = 300_000
const PEACE_LOOK_MS = 100
const A_SAT = 1_000

/** An action that resolves to what somebody was told is done. Throws the reason if they got no answer, or a refusal. */
type TrafficAction = (traffic: Traffic) => Promise<Omit<Reported, 'kind'>>

const WEIGHTS: Readonly<Record<Kind, number>> = {
  tip: 10,
  deposit: 3,
  payment: 4,
  withdrawal: 3,
  drop: 3,
  claim: 5,
  voucher: 1,
}

/** The counted outcomes of a kind of action. */
interface ActionCount {
  begun: number
  acknowledged: number
  /** The reason why the latest failed action was not done. */
  why: string
}

/** The stage on which people act. */
export type TrafficStage = Pick<Stage, 'emulator' | 'seeded' | 'phone'>

export interface TrafficOptions {
  /** Returns the codes of the latest open deposits in the book. */
  readonly openDeposits: () => readonly string[] | Promise<readonly string[]>
  /** The time between two actions, in ms. */
  readonly everyMs?: number
  /** The time that people wait for an answer before they try something else, in ms. */
  readonly timeoutMs?: number
  /** The frequency of each kind of action relative to the others. */
  readonly weights?: Readonly<Partial<Record<Kind, number>>>
}

/** Returns a function that reads the codes of the latest open deposits from a book in a file. */
export function openDepositsIn({ botBook }: Evidence): () => string[] {
  return () => botBook.rows<{ request: string }>(OPEN_DEPOSITS).map(({ request }) => request)
}

/** Selects the codes of the latest open deposits, as `request`. */
export const OPEN_DEPOSITS = `SELECT "request" FROM "Deposit" WHERE "state" = 'open' ORDER BY "createdAt" DESC LIMIT 5`

/** People who do everything simultaneously, and continue whatever fails around them. */
export class Traffic {
  readonly stage: TrafficStage
  readonly chance: Chance
  readonly openDeposits: TrafficOptions['openDeposits']
  /** Finished actions, as people were told about them. */
  readonly told: Reported[] = []
  readonly counts: Readonly<Record<Kind, ActionCount>>
  /** Whether people open drops; a drop is open for a minute, and the last drops should end with the traffic. */
  #wantsDrops = true
  /** The number of answers that people received. */
  answers = 0
  #under = new Set<Promise<unknown>>()
  #timer: NodeJS.Timeout | undefined

  readonly #everyMs: number
  readonly #timeoutMs: number
  readonly #weights: Readonly<Record<Kind, number>>

  constructor(stage: TrafficStage, chance: Chance, options: TrafficOptions) {
    this.#everyMs = options.everyMs ?? EVERY_MS
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    this.#weights = { ...WEIGHTS, ...options.weights }
    this.stage = stage
    this.chance = chance
    this.openDeposits = options.openDeposits
    const counts = KINDS.map((kind) => [kind, { begun: 0, acknowledged: 0, why: 'nobody tried' }] as const)
    this.counts = Object.fromEntries(counts) as Record<Kind, ActionCount>
  }

  begin(): void {
    this.#timer = setInterval(() => {
      if (this.#under.size >= MAX_CONCURRENT) return
      const { botOnline, interactionsEndpoint } = this.stage.emulator
      if (!botOnline && interactionsEndpoint === null && !this.chance.happens(ASKS_NOBODY)) return
      const action = this.#do(this.chance.weighted(this.#weightsNow()))
      this.#under.add(action)
      void action.finally(() => this.#under.delete(action))
    }, this.#everyMs)
  }

  /** Stops people from opening drops, except while nobody has been told yet that a drop or a claim is done. */
  noMoreDrops(): void {
    this.#wantsDrops = false
  }

  /**
   * Continues in peace until each kind of action has succeeded once, since a few kills may leave no time for that;
   * gives up after five minutes. Calls `meanwhile` repeatedly during this time. Then nobody begins anything new.
   * Resolves when everybody has an answer, or has waited for one in vain.
   */
  async end(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    this.noMoreDrops()
    for (const began = performance.now(); performance.now() - began < PEACE_LIMIT_MS; await pause(PEACE_LOOK_MS)) {
      await meanwhile()
      if (this.#untold().length === 0) break
    }
    clearInterval(this.#timer)
    await Promise.all(this.#under)
  }

  /** Returns a sentence for each kind of action that never succeeded: for such a kind, there was no traffic. */
  calms(): string[] {
    return this.#untold().map((kind) => `nobody was ever told that a ${kind} is done: ${this.counts[kind].why}`)
  }

  #untold(): Kind[] {
    return KINDS.filter((kind) => this.#weights[kind] > 0 && this.counts[kind].acknowledged === 0)
  }

  /** Returns the present weights of the actions; as long as nobody has claimed a share, drops must be opened. */
  #weightsNow(): Readonly<Record<Kind, number>> {
    const opens = this.#wantsDrops || this.#untold().some((kind) => kind === 'drop' || kind === 'claim')
    return opens ? this.#weights : { ...this.#weights, drop: 0 }
  }

  async #do(kind: Kind): Promise<void> {
    const count = this.counts[kind]
    count.begun += 1
    try {
      this.told.push({ kind, ...(await ACTIONS[kind](this)) })
      count.acknowledged += 1
    } catch (error) {
      count.why = error instanceof Error ? error.message : String(error)
    }
  }

  /** Types a command and waits for the answer. Throws if no answer comes. */
  async command(
    who: string,
    path: string,
    values: OptionValues,
    channel: 'tips' | 'general' = 'tips',
  ): Promise<BotAnswer> {
    const { emulator, seeded } = this.stage
    return this.#answered(emulator.as(this.id(who)).run(seeded.channels[channel], path, values))
  }

  /** Presses a button and waits for the answer. Throws if no answer comes, or if the message has no such button. */
  async press(who: string, message: MessageView, verb: string): Promise<BotAnswer> {
    const button = buttonOf(message, verb)
    if (button === undefined) throw new Error(`there is no button "${verb}" under: ${textOf(message)}`)
    return this.#answered(this.stage.emulator.as(this.id(who)).press(message.channelId, message.id, button))
  }

  /** Returns the latest messages that somebody sees in the channel. */
  conversation(who: string): MessageView[] {
    const { emulator, seeded } = this.stage
    return emulator.as(this.id(who)).conversation(seeded.channels.tips, { limit: LATEST_MESSAGES })
  }

  /**
   * Waits for an answer. A bot that was killed during a command may never answer it; people then try something else.
   */
  async #answered(handle: InteractionHandle): Promise<BotAnswer> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('nobody answers')), this.#timeoutMs)
    })
    const view = await Promise.race([toldBy(handle, this.#timeoutMs), timeout]).finally(() => clearTimeout(timer))
    this.answers += 1
    if (view.failure !== null) throw new Error(view.failure)
    return { interaction: handle.id, messages: handle.messages(), messagesNow: () => handle.messages() }
  }

  id(who: string): string {
    const people: Readonly<Record<string, string>> = this.stage.seeded.people
    return people[who] ?? ''
  }

  somebody(): string {
    return this.chance.one(PEOPLE)
  }
}

/** Matches the acknowledgement of a tip, which contains its recipients, but not its outcome. */
const ACKNOWLEDGEMENT = /^⚡ [^\n]+ → [^\n]+ …$/
const LOOK_EVERY_MS = 20

/**
 * Resolves when an answer contains the outcome, into which an acknowledgement is edited later, or when the time is up.
 */
async function toldBy(handle: InteractionHandle, timeoutMs: number) {
  const view = await handle.answered()
  const deadline = AbortSignal.timeout(timeoutMs)
  while (handle.messages().some((message) => ACKNOWLEDGEMENT.test(textOf(message))) && !deadline.aborted) {
    await pause(LOOK_EVERY_MS)
  }
  return view
}

interface BotAnswer {
  /** Discord's id of the answered interaction. */
  readonly interaction: string
  /** The messages of the answer as first seen. */
  readonly messages: readonly MessageView[]
  readonly messagesNow: () => readonly MessageView[]
}

const ACTIONS: Readonly<Record<Kind, TrafficAction>> = {
  async tip(traffic) {
    const [from, to] = [traffic.somebody(), traffic.id(traffic.somebody())]
    const sats = traffic.chance.between(1, 200)
    const { interaction, messages, messagesNow } = await traffic.command(from, 'tip', { to, amount: `${sats}` })
    const { id } = mustShow(messages, (message) => !message.ephemeral && textOf(message).includes(' tipped '))
    const stands = () => messagesNow().some((message) => message.id === id)
    return { key: interaction, what: `${traffic.id(from)} ${to} ${sats * A_SAT}`, stands }
  },
  async deposit(traffic) {
    const who = traffic.somebody()
    const sats = traffic.chance.between(100, 3_000)
    const { interaction, messages } = await traffic.command(who, 'deposit', { amount: `${sats}` })
    // The answer shows its code.
    mustShow(messages, ({ attachments }) => attachments.length > 0)
    return { key: interaction, what: `${traffic.id(who)} ${sats * A_SAT}` }
  },
  async payment({ stage, openDeposits, chance }) {
    const open = await openDeposits()
    if (open.length === 0) throw new Error('no deposit is open')
    const { paymentHash } = await stage.phone.pay(chance.one(open))
    return { key: paymentHash, what: 'settled' }
  },
  async withdrawal(traffic) {
    const who = traffic.somebody()
    const sats = traffic.chance.between(1, 300)
    const { invoice } = await traffic.stage.phone.invoice(BigInt(sats * A_SAT))
    const { interaction, messages } = await traffic.command(who, 'withdraw', { amount: `${sats}`, to: invoice })
    const question = mustShow(messages, (message) => buttonOf(message, 'withdraw-confirm') !== undefined)
    await traffic.press(who, question, 'withdraw-confirm')
    // The card with the question later shows the progress.
    const now = traffic.conversation(who).filter(({ id }) => id === question.id)
    mustShow(now, (message) => buttonOf(message, 'withdraw-confirm') === undefined)
    return { key: interaction, what: `${traffic.id(who)} ${sats * A_SAT}` }
  },
  async drop(traffic) {
    const who = traffic.somebody()
    const { interaction, messages } = await traffic.command(who, 'voucher drop', {
      amount: '60',
      shares: 3,
      minutes: 1,
    })
    mustShow(messages, (message) => buttonOf(message, 'drop-take') !== undefined)
    return { key: interaction, what: `${traffic.id(who)} ${60 * A_SAT}` }
  },
  async claim(traffic) {
    const who = traffic.somebody()
    const drops = traffic.conversation(who).filter((message) => buttonOf(message, 'drop-take') !== undefined)
    if (drops.length === 0) throw new Error('no drop is in sight')
    const drop = traffic.chance.one(drops)
    const { messages } = await traffic.press(who, drop, 'drop-take')
    mustShow(messages, (message) => textOf(message).includes('A share of the drop'))
    return { key: `${buttonOf(drop, 'drop-take')?.split(':')[1]} ${traffic.id(who)}`, what: traffic.id(who) }
  },
  async voucher(traffic) {
    const who = traffic.somebody()
    const sats = traffic.chance.between(10, 100)
    const { interaction, messages } = await traffic.command(who, 'voucher create', { amount: `${sats}` })
    // The answer shows its code, or says that the code is being made.
    mustShow(messages, (message) => /^A voucher of (?!.*No code came about)/s.test(textOf(message)))
    return { key: interaction, what: `${traffic.id(who)} ${sats * A_SAT}` }
  },
}

/** Returns the message with the expected text. Throws an error with the actual texts if there is none. */
function mustShow(messages: readonly MessageView[], hoped: (message: MessageView) => boolean): MessageView {
  const found = messages.find(hoped)
  if (found === undefined) throw new Error(`the answer was: ${messages.map(textOf).join('\n') || 'nothing'}`)
  return found
}

/** Returns the custom id of a message's button for this action. */
export function buttonOf(message: MessageView, verb: string): string | undefined {
  const all = [...everyComponent(message.components)] as { custom_id?: string }[]
  const ids = all.flatMap(({ custom_id }) => (custom_id ? [custom_id] : []))
  return ids.find((id) => id.startsWith(`${verb}:`))
}
