import type { DropCommand, DropView, PendingTip } from '../../src/tipping/tipping.ts'
import type { Span } from '../judge/moments.ts'
import { evenShare, typedMsats } from '../judge/promises.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'
import { confirm, note, type TipAnswer } from './tips.ts'

/** Members who open drops, crowds who press the button, and owners and moderators who end drops early. */
export const drops: Actor = {
  name: 'drops',
  weight: 9,
  async act(stage) {
    const doing = stage.chance.weighted({ open: 3, claim: 9, close: 1 })
    if (doing === 'open') await open(stage)
    else if (doing === 'claim') await claim(stage)
    else await close(stage)
  },
}

async function open(stage: Stage): Promise<void> {
  const { chance } = stage
  await openDrop(stage, {
    member: stage.member(),
    amount: stage.amount(),
    shares: chance.between(1, 5),
    minutes: chance.between(1, 6),
    draw: chance.happens(0.3),
    codes: chance.happens(0.25),
    ...(chance.happens(0.3) ? { puzzle: chance.one(['sum', 'phrase'] as const) } : {}),
    ...(chance.happens(0.1) ? { role: REGULARS } : {}),
    ...(chance.happens(0.1) ? { accountDays: NOT_YOUNG_DAYS } : {}),
  })
}

const REGULARS = 'regulars'
/** An age in days that no new account reaches in a world, even by a wrong clock. */
export const NOT_YOUNG_DAYS = 30

export type OpenDrop = Stage['drops'][number]

/** Opens a drop, and notes it. Resolves to the drop; undefined if it is refused. */
export async function openDrop(
  stage: Stage,
  wanted: Omit<DropCommand, 'origin' | 'minutes'> & { readonly minutes: number },
): Promise<OpenDrop | undefined> {
  const { member, minutes, role, accountDays } = wanted
  const about = { accountSince: stage.accountSince(member), origin: stage.origin() }
  const command = { draw: false, codes: false, ...wanted, ...about }
  const opening = await askToOpen(stage, command)
  if (opening === undefined) return undefined
  const { view, span } = opening
  const { id, puzzle, share, shares, draw, codes } = view
  const typed = typedMsats(command.amount)
  if (typed !== undefined && share !== evenShare(typed, command.shares))
    throw new Bug(`a drop of ${command.amount} for ${command.shares} gives ${share} msats`)
  // A code that cannot be made costs a share; by the time of a late answer there may be none left.
  const asAsked = codes ? shares <= command.shares : shares === command.shares
  if (!asAsked || draw !== command.draw || codes !== command.codes)
    throw new Bug(`the drop ${id} is not what was asked for`)
  const answer = puzzle && answerTo(puzzle.question)
  stage.world.judge.limits.gave(`the drop ${id}`, member, share * BigInt(shares), span)
  stage.world.model.drops.set(id, { owner: member, share, shares: BigInt(shares), draw, codes })
  stage.world.judge.drops.opened({ id, owner: member, minutes, role, accountDays, answer, span })
  const drop = { id, owner: member, answer }
  stage.drops.push(drop)
  return drop
}

/** Opens a drop, and confirms it if necessary. Resolves to its view; undefined if it is refused. */
async function askToOpen(
  stage: Stage,
  command: DropCommand,
): Promise<{ readonly view: DropView; readonly span: Span } | undefined> {
  const { member, amount } = command
  const { judge } = stage.world
  const what = `${member} opens a drop of ${amount}`
  const asks = judge.balances.asks(stage.world.botBook, member)
  const first = await stage.insist<{ id?: string; asked?: PendingTip; view?: DropView }>(what, async ({ drops }) => {
    const answer = await drops.ask(command)
    return 'asked' in answer ? { asked: answer } : { id: answer.id, view: answer }
  })
  if (!('done' in first)) return undefined
  const { asked, view } = first.done
  if (asked === undefined) {
    if (view !== undefined && view.shares === command.shares) {
      const total = view.share * BigInt(view.shares)
      judge.gave(what, amount, total, false, asks(total))
    }
    return view && { view, span: first.span }
  }
  const word = { asked: asked.asked, member, origin: stage.origin() }
  const second = await stage.insist(`${member} confirms a drop`, ({ drops }) => drops.confirm(word))
  if (!('done' in second)) return undefined
  if (second.done.share * BigInt(command.shares) !== asked.total)
    throw new Bug(`a drop of ${asked.total} msats was confirmed, and has shares of ${second.done.share}`)
  judge.gave(what, amount, asked.total, true)
  return { view: second.done, span: second.span }
}

/** Returns the answer to a puzzle: the sum, or a phrase exactly as it is shown. */
function answerTo(question: string): string {
  const [one, other] = question.split(' + ').map(Number)
  return one !== undefined && other !== undefined ? String(one + other) : question
}

/** Lets several people press a drop's button together, some perhaps twice. */
async function claim(stage: Stage): Promise<void> {
  if (stage.drops.length === 0) return
  const drop = stage.chance.one(stage.drops.slice(-3))
  const pressing = Array.from({ length: stage.chance.between(1, 4) }, async () => {
    const member = stage.member()
    const roles = stage.chance.happens(0.6) ? [REGULARS] : []
    await pressDrop(stage, drop, member, { roles, answer: stage.chance.happens(0.9) ? drop.answer : 'no idea' })
  })
  await Promise.all(pressing)
}

/**
 * Presses a drop's button, by default with the right answer. Resolves to whether the person has a share or a chance.
 */
export async function pressDrop(
  stage: Stage,
  { id: drop, answer: right }: OpenDrop,
  member: string,
  { roles, answer }: { readonly roles: readonly string[]; readonly answer: string | undefined } = {
    roles: [],
    answer: right,
  },
): Promise<boolean> {
  const { judge, model } = stage.world
  const accountSince = stage.accountSince(member)
  const claimant = { id: member, accountSince, memberSince: accountSince, roles }
  const command = { drop, claimant, origin: stage.origin(), ...(answer === undefined ? {} : { answer }) }
  const young = judge.limits.young.has(member)
  const press = { drop, member, roles, young, answer, at: judge.now() }
  judge.drops.presses(press)
  const got = await stage.insist(`${member} claims a share`, ({ drops }) => drops.claim(command))
  if (!('done' in got)) {
    judge.drops.refused(press)
    return false
  }
  judge.drops.told(press, got.span.to)
  const { dropClaims } = judge.shown
  if (!dropClaims.has(got.done.id)) dropClaims.set(got.done.id, judge.drops.sharedIn(press, got.span))
  if (got.done.chance === 'given') model.given.set(`${drop} ${member}`, got.done.amount)
  if (got.done.chance === 'entered') model.entered.add(`${drop} ${member}`)
  const code = got.done.voucher?.code
  if (code !== undefined) {
    judge.codes.set(code, got.done.amount)
    stage.codes.push(code)
  }
  return true
}

async function close(stage: Stage): Promise<void> {
  if (stage.drops.length === 0) return
  await closeDrop(stage, stage.chance.one(stage.drops.slice(-4)), stage.chance.happens(0.3))
}

/** Lets a drop's owner or a moderator end it early. */
export async function closeDrop(stage: Stage, { id: drop, owner }: OpenDrop, moderator: boolean): Promise<void> {
  const command = { drop, member: moderator ? 'moderator' : owner, moderator, origin: stage.origin() }
  const { drops } = stage.world.judge
  drops.mayEnd(drop, command.member)
  const closed = await stage.insist(`${command.member} closes a drop`, ({ drops }) => drops.close(command))
  if ('done' in closed) drops.endedBy(drop, closed.done.closedBy)
}

/** Members who let it rain on active people. */
export const rain: Actor = {
  name: 'rain',
  weight: 2,
  async act(stage) {
    const from = stage.member()
    const amount = String(stage.chance.between(1, stage.chance.one([300, 300, 3_000])))
    const bots = stage.world.bot.allRunning
    for (let n = 0; n < 4 && bots.length > 0; n += 1) {
      const member = stage.member()
      for (const { rain } of bots) rain.heard('guild', member)
    }
    const about = { origin: stage.origin(), accountSince: stage.accountSince(from) }
    const inVoice = Array.from({ length: stage.chance.between(1, 4) }, () => stage.member())
    const among = stage.chance.happens(0.3) ? { inVoice } : { activeWithinMinutes: 30 }
    const command = { from, guild: 'guild', amount, ...among, ...about }
    const answer = await stage.insist<TipAnswer>(`${from} lets ${amount} rain`, async ({ rain }) => {
      const tip = await rain.ask(command)
      return 'asked' in tip ? tip : { id: tip.id, tip }
    })
    if (!('done' in answer)) return
    const { asked, tip } = answer.done
    const typed = { typed: amount, split: true, to: undefined, total: answer.done.total }
    if (asked !== undefined) {
      await confirm(stage, asked, from, typed)
      return
    }
    if (tip === undefined) return
    stage.world.judge.gave(`a rain of ${amount}`, amount, tip.total, false)
    if (tip.total > BigInt(amount) * 1_000n) throw new Bug(`a rain of ${amount} came to ${tip.total} msats`)
    note(stage, tip, { ...typed, from, span: answer.span })
  },
}
