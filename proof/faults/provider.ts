import { PROBE } from '../judge/wire.ts'
import type { Complaint } from '../world/watchful-log.ts'
import type { Fault } from './fault.ts'

const SAT = 1_000n
/** Longer than anything that is under way can take to arrive. */
const SILENCE_MS = 70_000

/** The most that a bot asks at its start to learn what its provider remembers. */
const QUESTIONS_OF_A_START = 12

/** A provider that loses the answers that it has stored for keys while the bot is down. */
export const forgetfulProvider: Fault = {
  name: 'a provider that forgets keys',
  async strike({ world, chance, stage, happened }) {
    const { bot, network, provider, trace } = world
    // Something whose answer is lost is what a key would be sent again for.
    provider.loseAnswers(chance.between(1, 3))
    await stage.pause(20_000)
    bot.held = true
    bot.kill()
    await world.passing(SILENCE_MS)
    provider.forget()
    trace.note('the provider has forgotten all keys')
    // A repeated delivery gets the answer of its own first delivery.
    const twice = { what: `POST ${PROBE}`, within: '', fate: 'twice' } as const
    const doubled = Array.from({ length: chance.one([0, QUESTIONS_OF_A_START]) }, () => network.expect({ ...twice }))
    bot.held = false
    await stage.pause(20_000)
    for (const over of doubled) over()
    happened()
  },
  excuses: { bot: saysForgotten },
}

/** A provider that replays no keys for a while, as others do at all times, and then begins to. */
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

/** The bot has noticed that its provider does not know a key any more. */
export function saysForgotten({ msg }: Complaint): boolean {
  return /^the provider (has forgotten|no longer replays) idempotency keys/.test(msg)
}

/** A provider that answers with another amount than it was asked for. */
export const otherAmounts: Fault = {
  name: 'answers with other amounts',
  async strike({ world, chance, happened }) {
    // A little or much more, or less.
    const lie = (amount: bigint) =>
      amount + chance.one([1n, SAT, amount, amount > SAT ? -SAT : 1n, amount > 1n ? -1n : 1n])
    world.provider.lieAboutAmounts(chance.between(1, 3), lie, happened)
  },
  excuses: { bot: ({ alert }) => alert === 'other-amount' },
}

/** A provider that does not say at first what a payment has cost. */
export const untoldFees: Fault = {
  name: 'fees that are told later',
  async strike({ world, chance, happened }) {
    world.provider.withholdFees(chance.between(1, 4), happened)
  },
}
