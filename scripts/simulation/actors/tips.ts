import type { TipView } from '../../../src/tipping/tipping.ts'
import type { Actor, Stage } from '../people.ts'
import { Bug } from '../world.ts'

/** Members tip one or several others, in full or split. */
export const tips: Actor = {
  name: 'tips',
  weight: 30,
  async act(stage) {
    const from = stage.member()
    const amount = stage.amount()
    const count = stage.chance.happens(0.8) ? 1 : stage.chance.between(2, 5)
    const split = stage.chance.happens(0.3)
    const to = Array.from({ length: count }, () => ({ id: stage.member(), bot: false }))
    const origin = stage.origin()
    const what = `${from} tips ${to.map(({ id }) => id)} ${amount}${split ? ' split' : ''}`
    const ending = await stage.insist(what, (tipping) => tipping.tip({ from, to, amount, split, origin }))
    if ('done' in ending) note(stage, ending.done, amount, split)
  },
}

/** What the giver was shown is what must have happened. */
export function note(stage: Stage, view: TipView, typed: string, split: boolean): void {
  const { model } = stage.world
  const each = BigInt(/^\d+$/.test(typed) ? typed : 0) * 1_000n
  for (const share of view.shares) {
    const expected = split ? (each / BigInt(view.shares.length) / 1_000n) * 1_000n : each
    if (each > 0n && share.amount !== expected)
      throw new Bug(`a share of ${typed} is ${share.amount} msats, not ${expected}`)
    model.give(view.from, -share.amount)
    // Who has not used the bot may take it, or not; how it stands at the end is read then.
    if (['parked', 'claimed', 'returned'].includes(share.state)) {
      model.parked.push({
        tip: view.id,
        sender: view.from,
        recipient: share.recipient,
        amount: share.amount,
      })
    } else model.give(share.recipient, share.amount)
  }
}
