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
    const answer = await stage.insist<Answer>(what, async (tipping) => {
      const tip = await tipping.askTip({ from, to, amount, split, origin })
      return 'asked' in tip ? tip : { id: tip.id, tip }
    })
    if (!('done' in answer)) return
    const { asked, tip } = answer.done
    if (tip !== undefined) note(stage, tip, amount, split)
    else if (asked !== undefined && stage.chance.happens(0.8)) await confirm(stage, asked, from, amount, split)
  },
}

/** A tip, or what its giver must confirm. */
export interface Answer {
  readonly id?: string
  readonly tip?: TipView
  readonly asked?: string
}

/** The second word for a large tip: by whoever gave it, or by somebody who has seen the button. */
export async function confirm(
  stage: Stage,
  asked: string,
  from: string,
  amount: string,
  split: boolean,
): Promise<void> {
  const member = stage.chance.happens(0.1) ? stage.member() : from
  const command = { asked, member, origin: stage.origin() }
  const tip = await stage.insist(`${member} confirms a tip of ${amount}`, (tipping) => tipping.confirmTip(command))
  if (!('done' in tip)) return
  if (member !== from) throw new Bug(`${member} has confirmed the tip of ${from}`)
  note(stage, tip.done, amount, split)
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
