import { note } from '../actors/tips.ts'
import { Bug } from '../world.ts'
import type { Fault } from './fault.ts'

const MSATS_PER_BTC = 100_000_000_000n
const SAT = 1_000n

/** What a bitcoin costs moves, or nobody says so any more, while members type dollars. */
export const movingPrices: Fault = {
  name: 'prices that move and vanish',
  setup: { prices: true },
  async strike({ world, stage, chance, happened }) {
    const { prices, judge } = world
    prices.price = Math.max(1_000, Math.floor((prices.price * chance.between(50, 200)) / 100))
    prices.mood = chance.one(['well', 'well', 'nonsense', 'away'] as const)
    await stage.pause(chance.one([1_000, 90_000]))
    const cents = chance.between(1, 30)
    const [from, to] = [`member-${chance.between(0, 9)}`, `member-${chance.between(0, 9)}`]
    const amount = `$${(cents / 100).toFixed(2)}`
    const origin = stage.origin()
    const answer = await stage.insist(`${from} tips ${to} ${amount}`, (tipping) =>
      tipping.tips.send({ from, to: [{ id: to, bot: false }], amount, origin }),
    )
    prices.mood = 'well'
    happened()
    if (!('done' in answer)) return
    const { done: tip, span } = answer
    // Any price that was said, since the bot's clock may be wrong; never one that was not.
    const right = [...prices.said].map((price) => sats(cents, price))
    if (!right.includes(tip.total)) throw new Bug(`${amount} became ${tip.total} msats, which no price makes: ${right}`)
    note(stage, tip, { typed: amount, split: false, to: [to], span })
    judge.faults.expect(tip.total % SAT === 0n, () => `${amount} became ${tip.total} msats, which are no whole sats`)
  },
}

/** So many cents at so many dollars a bitcoin, in msats: whole sats, rounded down. */
function sats(cents: number, price: number): bigint {
  return ((BigInt(cents) * MSATS_PER_BTC) / (BigInt(price) * 100n) / SAT) * SAT
}
