import { note } from '../people/tips.ts'
import type { Fault, Strike } from './fault.ts'

const MINUTE_MS = 60_000
const TIPS = 4

/** Bitcoin's price moves, or its source falls silent, while members type dollars. */
export const movingPrices: Fault = {
  name: 'prices that move and vanish',
  setup: { prices: true },
  async strike(strike) {
    const { world, stage, chance, happened } = strike
    const { prices } = world
    prices.price = Math.max(1_000, Math.floor((prices.price * chance.between(50, 200)) / 100))
    prices.mood = chance.one(['well', 'well', 'nonsense', 'away'] as const)
    await stage.pause(chance.one([1_000, 90_000]))
    // An earlier price is too old by then.
    if (prices.mood !== 'well' && chance.happens(0.7)) await world.passing(chance.between(9, 14) * MINUTE_MS)
    for (let tips = 0; tips < TIPS; tips += 1) await tipDollars(strike)
    prices.mood = 'well'
    happened()
  },
}

/** Lets a member, who may have nothing, tip another member some cents. */
async function tipDollars({ world, stage, chance }: Strike): Promise<void> {
  const cents = chance.between(1, 30)
  const [from, to] = [`member-${chance.between(0, 9)}`, `member-${chance.between(0, 9)}`]
  const amount = `$${(cents / 100).toFixed(2)}`
  const origin = stage.origin()
  const answer = await stage.insist(`${from} tips ${to} ${amount}`, (tipping) =>
    tipping.tips.send({ from, to: [{ id: to, bot: false }], amount, origin }),
  )
  if (!('done' in answer)) return
  const { done: tip, span } = answer
  world.judge.prices.became(cents, tip.total, span)
  note(stage, tip, { from, typed: amount, split: false, to: [to], span })
}
