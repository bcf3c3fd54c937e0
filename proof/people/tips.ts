import type { TipView } from '../../src/tipping/tipping.ts'
import type { Span } from '../judge/moments.ts'
import { evenShare, typedMsats } from '../judge/promises.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'

/** Members who tip one or several others, each with the full amount or with a share of it. */
export const tips: Actor = {
  name: 'tips',
  weight: 30,
  async act(stage) {
    const from = stage.member()
    const amount = stage.amount()
    const count = stage.chance.happens(0.8) ? 1 : stage.chance.between(2, 5)
    const split = stage.chance.happens(0.3)
    await tip(stage, from, { typed: amount, split, to: Array.from({ length: count }, () => stage.member()) })
  },
}

/** Tips one or several people, and usually confirms the tip if necessary. Resolves to whether it was given. */
export async function tip(
  stage: Stage,
  from: string,
  typed: Typed & { readonly to: readonly string[] },
): Promise<boolean> {
  const { typed: amount, split } = typed
  const to = typed.to.map((id) => ({ id, bot: false }))
  const origin = stage.origin()
  const accountSince = stage.accountSince(from)
  // Derived from the text, so that no other random choice depends on it.
  const anonymous = stage.chance.child(`${from} ${typed.to} ${amount}`).happens(0.2)
  const what = `${from} tips ${typed.to} ${amount}${split ? ' split' : ''}`
  const { judge, botBook } = stage.world
  const asks = judge.balances.asks(botBook, from)
  // The bot notes an answer that announces the tip as done; a process that dies in between leaves the note.
  const announces = stage.chance.child(what).happens(0.3)
  const answer = await stage.insist<TipAnswer>(what, async (tipping) => {
    const note = announces ? await tipping.announcements.note(origin) : undefined
    const tip = await tipping.tips.ask({ from, to, amount, split, anonymous, origin, accountSince })
    if (note !== undefined) await tipping.announcements.end(note)
    return 'asked' in tip ? tip : { id: tip.id, tip }
  })
  if (!('done' in answer)) return false
  const { asked, tip: given, total } = answer.done
  const had = asks(given?.total ?? 0n)
  const people = new Set(typed.to.filter((id) => id !== from)).size
  judge.balances.shares(what, amount, given?.total ?? total ?? 0n, people, had)
  if (given !== undefined) {
    judge.gave(what, amount, given.total, false, had)
    note(stage, given, { ...typed, from, anonymous, span: answer.span })
    return true
  }
  if (asked === undefined || !stage.chance.happens(0.8)) return false
  return await confirm(stage, asked, from, { ...typed, anonymous, total })
}

/** A tip, or the question that its giver must confirm. */
export interface TipAnswer {
  readonly id?: string
  readonly tip?: TipView
  readonly asked?: string
  /** The total in the question; absent if there was none. */
  readonly total?: bigint
}

/** A giver's typed command. */
export interface Typed {
  readonly typed: string
  readonly split: boolean
  /** The people in the command; undefined if the recipients are chosen at random. */
  readonly to: readonly string[] | undefined
  readonly anonymous?: boolean
  /** The total in the question, if there was one. */
  readonly total?: bigint | undefined
}

/**
 * Presses the confirmation of a large tip as its giver, or as somebody else who has seen the button, now and then
 * twice. Resolves to whether the tip was given.
 */
export async function confirm(stage: Stage, asked: string, from: string, typed: Typed): Promise<boolean> {
  const member = stage.chance.happens(0.1) ? stage.member() : from
  const press = () => {
    const command = { asked, member, origin: stage.origin() }
    return stage.insist(`${member} confirms a tip of ${typed.typed}`, (tipping) => tipping.tips.confirm(command))
  }
  const tip = await press()
  if (!('done' in tip)) return false
  const again = stage.chance.happens(0.3) ? await press() : tip
  if ('done' in again && again.done.id !== tip.done.id)
    throw new Bug(`the confirmation of ${tip.done.id} was pressed again, and gave ${again.done.id} as well`)
  if (member !== from) throw new Bug(`${member} has confirmed the tip of ${from}`)
  stage.world.judge.gave(`the tip ${tip.done.id}`, typed.typed, tip.done.total, true)
  note(stage, tip.done, { ...typed, from, span: tip.span })
  return true
}

/** Checks that a tip is shown as its giver typed it, and notes its shares. */
export function note(stage: Stage, view: TipView, about: Typed & { readonly from: string; readonly span: Span }): void {
  const { model, judge } = stage.world
  const { from, anonymous = false, total, span } = about
  if (view.from !== (anonymous ? undefined : from))
    throw new Bug(`the tip ${view.id} of ${from} is shown as ${view.from}'s`)
  checkShares(view, about)
  if (total !== undefined && view.total !== total)
    throw new Bug(`a tip of ${view.total} msats was sent, and ${total} were confirmed`)
  judge.shown.tips.set(view.id, span)
  judge.limits.gave(`the tip ${view.id}`, from, view.total, span, view.shares[0]?.amount)
  judge.unclaimed.given(view.id, span)
  for (const share of view.shares) {
    model.give(from, -share.amount)
    // A newcomer may or may not claim it; its state is read at the end.
    if (['parked', 'claimed', 'returned'].includes(share.state)) {
      model.unclaimed.push({
        tip: view.id,
        sender: from,
        recipient: share.recipient,
        amount: share.amount,
      })
    } else model.give(share.recipient, share.amount)
  }
}

/**
 * Checks that everybody in the command has one share of the right amount, and that the shares sum to the shown total.
 */
function checkShares(view: TipView, { from, typed, split, to }: Typed & { readonly from: string }): void {
  const named = new Set(to?.filter((id) => id !== from))
  const recipients = view.shares.map(({ recipient }) => recipient)
  const right = to === undefined || (recipients.length === named.size && recipients.every((id) => named.has(id)))
  if (!right || new Set(recipients).size !== recipients.length || recipients.includes(from))
    throw new Bug(`a tip for ${[...named]} went to ${recipients}`)
  const amount = typedMsats(typed)
  const each = amount === undefined ? view.shares[0]?.amount : split ? evenShare(amount, recipients.length) : amount
  for (const share of view.shares)
    if (share.amount !== each) throw new Bug(`a share of ${typed} is ${share.amount} msats, not ${each}`)
  const sum = view.shares.reduce((all, { amount }) => all + amount, 0n)
  if (view.total !== sum) throw new Bug(`a tip is shown as ${view.total} msats, and its shares come to ${sum}`)
}
