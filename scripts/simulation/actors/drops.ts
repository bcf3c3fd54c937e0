import type { DropCommand, DropView, PendingTip } from '../../../src/tipping/tipping.ts'
import type { Actor, Stage } from '../people.ts'
import { Bug } from '../world.ts'
import { confirm, note, type TipAnswer } from './tips.ts'

const LONG_AGO = new Date(Date.UTC(2020, 0, 1))

/** Members open drops, crowds press the button, owners and moderators close them early. */
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
  const member = stage.member()
  const command = {
    member,
    amount: stage.amount(),
    shares: chance.between(1, 5),
    minutes: chance.between(1, 6),
    draw: chance.happens(0.3),
    codes: chance.happens(0.25),
    ...(chance.happens(0.3) ? { puzzle: chance.one(['sum', 'phrase'] as const) } : {}),
    ...(chance.happens(0.1) ? { role: 'regulars' } : {}),
    origin: stage.origin(),
  }
  const opened = await opening(stage, command)
  if (opened === undefined) return
  const { id, puzzle, share, shares, draw, codes } = opened
  const typed = /^\d+$/.test(command.amount) ? BigInt(command.amount) : undefined
  if (typed !== undefined && share !== (typed / BigInt(command.shares)) * 1_000n)
    throw new Bug(`a drop of ${typed} for ${command.shares} gives ${share} msats`)
  // A code that cannot be made is a share less; by the time of a late answer there may be none left.
  const asAsked = codes ? shares <= command.shares : shares === command.shares
  if (!asAsked || draw !== command.draw || codes !== command.codes)
    throw new Bug(`the drop ${id} is not what was asked for`)
  stage.world.model.drops.set(id, { owner: member, share, shares: BigInt(shares), draw, codes })
  stage.drops.push({ id, owner: member, answer: puzzle && answerTo(puzzle.question) })
}

/** Opens a drop, with a confirmation where it takes one; undefined where it is refused. */
async function opening(stage: Stage, command: DropCommand): Promise<DropView | undefined> {
  const { member, amount } = command
  const { judge } = stage.world
  const what = `${member} opens a drop of ${amount}`
  const first = await stage.insist<{ id?: string; asked?: PendingTip; view?: DropView }>(what, async ({ drops }) => {
    const answer = await drops.ask(command)
    return 'asked' in answer ? { asked: answer } : { id: answer.id, view: answer }
  })
  if (!('done' in first)) return undefined
  const { asked, view } = first.done
  if (asked === undefined) {
    if (view !== undefined && view.shares === command.shares)
      judge.gave(what, amount, view.share * BigInt(view.shares), false)
    return view
  }
  const word = { asked: asked.asked, member, origin: stage.origin() }
  const second = await stage.insist(`${member} confirms a drop`, ({ drops }) => drops.confirm(word))
  if (!('done' in second)) return undefined
  if (second.done.share * BigInt(command.shares) !== asked.total)
    throw new Bug(`a drop of ${asked.total} msats was confirmed, and has shares of ${second.done.share}`)
  judge.gave(what, amount, asked.total, true)
  return second.done
}

/** A phrase is typed as it stands. */
function answerTo(question: string): string {
  const [one, other] = question.split(' + ').map(Number)
  return one !== undefined && other !== undefined ? String(one + other) : question
}

/** Several at once, some of them twice. */
async function claim(stage: Stage): Promise<void> {
  if (stage.drops.length === 0) return
  const { id: drop, answer: right } = stage.chance.one(stage.drops.slice(-3))
  const pressing = Array.from({ length: stage.chance.between(1, 4) }, async () => {
    const member = stage.member()
    const roles = stage.chance.happens(0.6) ? ['regulars'] : []
    const claimant = { id: member, accountSince: LONG_AGO, memberSince: LONG_AGO, roles }
    const answer = stage.chance.happens(0.9) ? right : 'no idea'
    const command = { drop, claimant, origin: stage.origin(), ...(answer === undefined ? {} : { answer }) }
    const got = await stage.insist(`${member} claims a share`, ({ drops }) => drops.claim(command))
    if (!('done' in got)) return
    const { dropClaims } = stage.world.judge.shown
    if (!dropClaims.has(got.done.id)) dropClaims.set(got.done.id, got.span)
    const { given, entered } = stage.world.model
    if (got.done.chance === 'given') given.set(`${drop} ${member}`, got.done.amount)
    if (got.done.chance === 'entered') entered.add(`${drop} ${member}`)
    const code = got.done.voucher?.code
    if (code === undefined) return
    stage.world.judge.codes.set(code, got.done.amount)
    stage.codes.push(code)
  })
  await Promise.all(pressing)
}

async function close(stage: Stage): Promise<void> {
  if (stage.drops.length === 0) return
  const { id: drop, owner } = stage.chance.one(stage.drops.slice(-4))
  const moderator = stage.chance.happens(0.3)
  const command = { drop, member: moderator ? 'moderator' : owner, moderator, origin: stage.origin() }
  await stage.insist(`${command.member} closes a drop`, ({ drops }) => drops.close(command))
}

/** Members let it rain on whoever was heard of. */
export const rain: Actor = {
  name: 'rain',
  weight: 2,
  async act(stage) {
    const from = stage.member()
    const amount = String(stage.chance.between(1, stage.chance.one([300, 300, 3_000])))
    for (let n = 0; n < 4; n += 1) stage.world.bot.running?.rain.heard('guild', stage.member())
    const command = { from, guild: 'guild', amount, activeWithinMinutes: 30, origin: stage.origin() }
    const answer = await stage.insist<TipAnswer>(`${from} lets ${amount} rain`, async ({ rain }) => {
      const tip = await rain.ask(command)
      return 'asked' in tip ? tip : { id: tip.id, tip }
    })
    if (!('done' in answer)) return
    const { asked, tip } = answer.done
    const typed = { typed: amount, split: true, to: undefined, total: answer.done.total }
    if (asked !== undefined) return confirm(stage, asked, from, typed)
    if (tip === undefined) return
    stage.world.judge.gave(`a rain of ${amount}`, amount, tip.total, false)
    if (tip.total > BigInt(amount) * 1_000n) throw new Bug(`a rain of ${amount} came to ${tip.total} msats`)
    note(stage, tip, { ...typed, span: answer.span })
  },
}
