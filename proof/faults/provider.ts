import { PROBE } from '../judge/wire.ts'
import type { Complaint } from '../world/watchful-log.ts'
import type { Fault } from './fault.ts'

const SAT = 1_000n
/** A silence longer than anything in flight can take to arrive. */
const SILENCE_MS = 70_000

/** The most requests that a starting bot sends to learn what its provider remembers. */
const QUESTIONS_OF_A_START = 12

/** A provider loses its stored answers to keys while the bot is down. */
export const forgetfulProvider: Fault = {
  name: 'a provider that forgets keys',
  async strike({ world, chance, stage, happened }) {
    const { bot, network, provider, trace } = world
    // The bot would send a key again for an operation whose answer was lost.
    provider.loseAnswers(chance.between(1, 3))
    await stage.pause(20_000)
    bot.held = true
    bot.kill()
    await world.passing(SILENCE_MS)
    provider.forget()
    trace.note('the provider has forgotten all keys')
    // A repeated delivery gets the answer to its own first delivery.
    const twice = { what: `POST ${PROBE}`, within: '', fate: 'twice' } as const
    const doubled = Array.from({ length: chance.one([0, QUESTIONS_OF_A_START]) }, () => network.expect({ ...twice }))
    bot.held = false
    await stage.pause(20_000)
    for (const over of doubled) over()
    happened()
  },
  excuses: { bot: saysForgotten },
}

/** A provider does not replay keys for a while, as some providers never do, and then begins to. */
export const learningProvider: Fault = {
  name: 'a provider that learns to replay keys',
  async strike({ world, chance, stage, later, happened }) {
    const { bot, provider, trace } = world
    const change = async (replays: boolean) => {
      provider.loseAnswers(chance.between(1, 3))
      await stage.pause(20_000)
      bot.held = true
      bot.kill()
      await world.passing(SILENCE_MS)
      provider.replays = replays
      trace.note(`the provider replays ${replays ? 'keys again' : 'no keys'}`)
      bot.held = false
    }
    await change(false)
    later(chance.between(20, 120), async () => {
      await change(true)
      happened()
    })
  },
  excuses: { bot: saysForgotten },
}

/** Whether a complaint reports that the bot's provider has forgotten its keys or no longer replays them. */
export function saysForgotten({ msg }: Complaint): boolean {
  return /^the provider (has forgotten|no longer replays) idempotency keys/.test(msg)
}

/** A provider answers with an amount other than the requested one. */
export const otherAmounts: Fault = {
  name: 'answers with other amounts',
  async strike({ world, chance, happened }) {
    // A little more, much more, or less.
    const lie = (amount: bigint) =>
      amount + chance.one([1n, SAT, amount, amount > SAT ? -SAT : 1n, amount > 1n ? -1n : 1n])
    world.provider.lieAboutAmounts(chance.between(1, 3), lie, happened)
  },
  excuses: { bot: ({ alert }) => alert === 'other-amount' },
}

/** A provider does not at first report what a payment has cost. */
export const untoldFees: Fault = {
  name: 'fees that are told later',
  async strike({ world, chance, happened }) {
    world.provider.withholdFees(chance.between(1, 4), happened)
  },
}
