import type { OptionValues } from '../../src/playground/emulator/people/option-values.ts'
import type { MessageView } from '../../src/playground/emulator/views.ts'
import type { Chance } from '../simulation/chance.ts'
import type { Evidence } from '../simulation/world.ts'
import type { Stage } from './stage.ts'

const PEOPLE = ['alice', 'bob', 'carol', 'dave', 'mod'] as const
const EVERY_MS = 40
/** People in a chat wait for answers, too. */
const MOST_AT_ONCE = 30
const PATIENCE_MS = 1_500

type Deed = (storm: Storm) => Promise<unknown>

const WEIGHTS = { tip: 10, deposit: 3, pay: 4, withdraw: 3, drop: 1.5, claim: 5, voucher: 1 }

/** People who do everything at once, and go on whatever falls down around them. */
export class Storm {
  readonly stage: Stage
  readonly chance: Chance
  readonly evidence: Evidence
  deeds = 0
  opensDrops = true
  /** Answers that people got. */
  answers = 0
  #under = new Set<Promise<unknown>>()
  #timer: NodeJS.Timeout | undefined

  constructor(stage: Stage, chance: Chance, evidence: Evidence) {
    this.stage = stage
    this.chance = chance
    this.evidence = evidence
  }

  begin(): void {
    this.#timer = setInterval(() => {
      if (this.#under.size >= MOST_AT_ONCE) return
      const weights = this.opensDrops ? WEIGHTS : { ...WEIGHTS, drop: 0 }
      const deed = DEEDS[this.chance.weighted(weights)](this).catch(() => undefined)
      this.#under.add(deed)
      void deed.finally(() => this.#under.delete(deed))
      this.deeds += 1
    }, EVERY_MS)
  }

  /** Nobody begins anything any more; resolves when everybody has an answer, or knows that there is none. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#under)
  }

  /** Types a command and waits for the answer. What goes wrong is for people to see; the books tell what it came to. */
  async command(who: string, path: string, values: OptionValues): Promise<MessageView[]> {
    const { emulator, seeded } = this.stage
    const handle = emulator.as(this.id(who)).run(seeded.channels.tips, path, values)
    await this.#patiently(handle.answered())
    this.answers += 1
    return handle.messages()
  }

  async press(who: string, message: MessageView, verb: string): Promise<void> {
    const button = buttonsOf(message).find((customId) => customId.startsWith(`${verb}:`))
    if (button === undefined) return
    const handle = this.stage.emulator.as(this.id(who)).press(message.channelId, message.id, button)
    await this.#patiently(handle.answered())
    this.answers += 1
  }

  /** A bot that was killed over a command may never answer it; then people turn to something else. */
  async #patiently(answer: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('nobody answers')), PATIENCE_MS)
    })
    await Promise.race([answer, patience]).finally(() => clearTimeout(timer))
  }

  id(who: string): string {
    const people: Readonly<Record<string, string>> = this.stage.seeded.people
    return people[who] ?? ''
  }

  somebody(): string {
    return this.chance.one(PEOPLE)
  }
}

const DEEDS: Readonly<Record<keyof typeof WEIGHTS, Deed>> = {
  tip: (storm) =>
    storm.command(storm.somebody(), 'tip', {
      to: storm.id(storm.somebody()),
      amount: `${storm.chance.between(1, 200)}`,
    }),
  deposit: (storm) => storm.command(storm.somebody(), 'deposit', { amount: `${storm.chance.between(100, 3_000)}` }),
  async pay({ stage, evidence, chance }) {
    const open = evidence.botBook.rows<{ request: string }>(
      `SELECT "request" FROM "Deposit" WHERE "state" = 'open' ORDER BY "createdAt" DESC LIMIT 5`,
    )
    if (open.length > 0) await stage.phone.pay(chance.one(open).request)
  },
  async withdraw(storm) {
    const who = storm.somebody()
    const amount = storm.chance.between(1, 300)
    const { invoice } = await storm.stage.phone.invoice(BigInt(amount) * 1_000n)
    const [question] = await storm.command(who, 'withdraw', { amount: `${amount}`, to: invoice })
    if (question) await storm.press(who, question, 'withdraw-confirm')
  },
  drop: (storm) => storm.command(storm.somebody(), 'voucher drop', { amount: '60', shares: 3, minutes: 1 }),
  async claim(storm) {
    const who = storm.somebody()
    const { emulator, seeded } = storm.stage
    const drops = emulator
      .as(storm.id(who))
      .conversation(seeded.channels.tips, { limit: 30 })
      .filter((message) => buttonsOf(message).some((customId) => customId.startsWith('drop-take:')))
    if (drops.length > 0) await storm.press(who, storm.chance.one(drops), 'drop-take')
  },
  voucher: (storm) => storm.command(storm.somebody(), 'voucher create', { amount: `${storm.chance.between(10, 100)}` }),
}

function buttonsOf(message: MessageView): string[] {
  const rows = message.components as readonly { components?: readonly { custom_id?: string }[] }[]
  return rows.flatMap((row) => row.components ?? []).flatMap(({ custom_id }) => (custom_id ? [custom_id] : []))
}
