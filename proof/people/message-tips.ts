import { sats } from '../../src/lib/money/amount.ts'
import type { MessageTipsView } from '../../src/tipping/tipping.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Ending, Stage } from './people.ts'
import { confirm, type TipAnswer } from './tips.ts'

const REACTION_TIPS = [1, 7, 30]
const EMOJI = ['🔥', '💯', '🎉']
const CEILINGS = [20, 60, undefined]

/** Members who tip messages from the menu, by their own reaction, or by a server's emoji. */
export const messageTips: Actor = {
  name: 'message tips',
  weight: 6,
  async act(stage) {
    const { chance } = stage
    const from = stage.member()
    const number = chance.between(0, 60)
    const message = `message-${number}`
    const author = { id: number % 5 === 4 ? `guest-${number}` : `member-${number % 10}`, bot: false }
    const about = { from, message, author }
    if (chance.happens(0.5)) await fromMenu(stage, about)
    else if (chance.happens(0.6)) await byReaction(stage, about)
    else await byEmoji(stage, about)
  },
}

interface About {
  readonly from: string
  readonly message: string
  readonly author: { readonly id: string; readonly bot: boolean }
}

async function fromMenu(stage: Stage, about: About): Promise<void> {
  const sats = stage.chance.between(1, stage.chance.one([300, 300, 2_000]))
  const origin = { ...stage.origin(), guild: 'guild' }
  const command = { ...about, amount: String(sats), origin, accountSince: stage.accountSince(about.from) }
  const what = `${about.from} tips ${about.message} ${sats}`
  const answer = await stage.insist<TipAnswer>(what, async ({ messageTips }) => {
    const tip = await messageTips.ask(command)
    return 'asked' in tip ? tip : counted(tip)
  })
  if ('done' in answer && answer.done.asked !== undefined) {
    const { asked, total } = answer.done
    await confirm(stage, asked, about.from, { typed: String(sats), split: false, to: [about.author.id], total })
    return
  }
  note(stage, about, origin.interaction, [sats], answer)
}

/**
 * Reacts to a message, for which each member tips only once however often they react; the member's amount may change in
 * between.
 */
async function byReaction(stage: Stage, about: About): Promise<void> {
  const { from, message } = about
  const { reactionTips } = stage.world.judge
  if (stage.chance.happens(0.4)) {
    const chosen = stage.chance.one(REACTION_TIPS)
    reactionTips.set(from, [...(reactionTips.get(from) ?? []), chosen])
    const change = { reactionTip: sats(chosen) }
    await stage.insist(`${from} chooses`, ({ preferences }) =>
      preferences.change({ member: from, change }).then(nothing),
    )
  }
  const origin = { ...stage.origin(), interaction: `reaction ${message} ${from}`, guild: 'guild' }
  const command = { ...about, origin, accountSince: stage.accountSince(from) }
  const answer = await stage.insist<TipAnswer>(`${from} reacts to ${message}`, ({ messageTips }) =>
    messageTips.react(command).then(counted),
  )
  note(stage, about, origin.interaction, reactionTips.get(from) ?? [], answer)
}

/**
 * Reacts to a message with one of the server's emoji; just before, a moderator may change the emoji's amount, and the
 * member their own limit.
 */
async function byEmoji(stage: Stage, about: About): Promise<void> {
  const { chance, world } = stage
  const { emojiTips, emojiCeilings } = world.judge
  const { from, message } = about
  const emoji = chance.one(EMOJI)
  if (chance.happens(0.4)) {
    const chosen = chance.one(REACTION_TIPS)
    emojiTips.set(emoji, [...(emojiTips.get(emoji) ?? []), chosen])
    const text = `${emoji} ${chosen}`
    await stage.insist('a server chooses its emoji', ({ preferences }) =>
      preferences.changeEmojiTips({ guild: 'guild', member: 'moderator', text }).then(nothing),
    )
  }
  if (chance.happens(0.4)) {
    const chosen = chance.one(CEILINGS)
    emojiCeilings.set(from, Math.max(emojiCeilings.get(from) ?? 0, chosen ?? 0))
    const change = { emojiCeiling: chosen === undefined ? undefined : sats(chosen) }
    await stage.insist(`${from} allows emoji`, ({ preferences }) =>
      preferences.change({ member: from, change }).then(nothing),
    )
  }
  const origin = { ...stage.origin(), interaction: `reaction ${message} ${from} ${emoji}`, guild: 'guild' }
  const command = { ...about, emoji, origin, accountSince: stage.accountSince(from) }
  const answer = await stage.insist<TipAnswer>(`${from} reacts to ${message} with ${emoji}`, ({ messageTips }) =>
    messageTips.react(command).then(counted),
  )
  note(stage, about, origin.interaction, emojiTips.get(emoji) ?? [], answer)
  withinCeiling(stage, from, emojiCeilings.get(from) ?? 0)
}

/** Checks that a member never gave more by emoji in a day than the largest limit that they ever set. */
function withinCeiling({ world }: Stage, from: string, most: number): void {
  const days = world.botBook.rows<{ day: string; sum: bigint }>(
    `SELECT substr(CAST(t."createdAt" AS TEXT), 1, 10) AS day, CAST(SUM(t."total") AS BIGINT) AS sum
      FROM "Tip" t JOIN "Operation" o ON o."record" = t."id"
      WHERE t."sender" = ? AND (${EMOJI.map(() => `o."interaction" LIKE ?`).join(' OR ')}) GROUP BY 1`,
    from,
    ...EMOJI.map((emoji) => `reaction % ${emoji}`),
  )
  for (const { day, sum } of days) {
    if (BigInt(sum) > sats(most))
      throw new Bug(`${from} gave ${sum} msats by emoji on ${day}, and allowed ${most} sats`)
  }
}

function counted(view: MessageTipsView | undefined): { readonly id?: string } {
  return view === undefined ? {} : { id: view.message }
}

function nothing(): object {
  return {}
}

/**
 * Notes a tip for a message. The message's card shows only sums, so that the share is found by the press, and its end
 * is read at the end of the world.
 */
function note(
  stage: Stage,
  { from, author }: About,
  interaction: string,
  allowed: readonly number[],
  answer: Ending<TipAnswer>,
): void {
  const { model, judge, botBook } = stage.world
  const shown = 'done' in answer && answer.done.id !== undefined
  if (model.pressed.has(interaction)) return
  const rows = botBook.rows<{ tip: string; sender: string; recipient: string; amount: bigint }>(
    `SELECT t."id" AS tip, t."sender", s."recipient", s."amount" FROM "Operation" o
      JOIN "TipShare" s ON s."id" = o."id" JOIN "Tip" t ON t."id" = s."tipId" WHERE o."interaction" = ?`,
    interaction,
  )
  if (shown && rows.length === 0) throw new Bug(`${interaction}: ${from} was shown a tip that is not there`)
  for (const { tip, sender, recipient, amount } of rows) {
    if (sender !== from || recipient !== author.id || !allowed.some((each) => sats(each) === amount))
      throw new Bug(`${interaction}: ${amount} msats went from ${sender} to ${recipient}`)
    model.pressed.add(interaction)
    judge.shown.tips.set(tip, answer.span)
    judge.unclaimed.given(tip, answer.span)
    judge.limits.gave(`the tip ${tip}`, sender, amount, answer.span, amount)
    judge.gave(`the tip ${tip} for a message`, String(amount / 1_000n), amount, false)
    model.give(sender, -amount)
    model.unclaimed.push({ tip, sender, recipient, amount })
  }
}
