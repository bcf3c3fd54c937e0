import type { GiveawayView, NamedWinner, PendingTip, PlannedEdit, Tipping } from '../../src/tipping/tipping.ts'
import type { Span } from '../judge/moments.ts'
import { typedMsats } from '../judge/promises.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'

type StartGiveaway = Parameters<Tipping['giveaways']['start']>[0]

/** Members who start, enter, edit, end and cancel giveaways, claim prizes, and draw again. */
export const giveaways: Actor = {
  name: 'giveaways',
  weight: 6,
  async act(stage) {
    const { chance } = stage
    const member = stage.member()
    const latest = stage.giveaways.at(-chance.between(1, 3))
    if (latest === undefined || chance.happens(0.25)) {
      await start(stage, member, stage.amount(), chance.between(1, 3), chance.between(1, 5))
      return
    }
    const { id: giveaway } = latest
    switch (chance.weighted({ enter: 8, edit: 1, end: 1, cancel: 0.5, claim: 4, redraw: 0.5, reroll: 1 })) {
      case 'enter':
        await enter(stage, giveaway, member)
        return
      case 'edit':
        await edit(stage, latest)
        return
      case 'end':
        await endEarly(stage, latest)
        return
      case 'cancel':
        await callOff(stage, latest)
        return
      case 'claim':
        await claim(stage, giveaway)
        return
      case 'redraw':
        await redraw(stage, latest)
        return
      case 'reroll':
        await drawAgain(stage, latest)
    }
  },
}

export type OpenGiveaway = Stage['giveaways'][number]

/** Starts a giveaway, and notes it. Resolves to the giveaway; undefined if it is refused. */
export async function start(
  stage: Stage,
  member: string,
  amount: string,
  winners: number,
  minutes: number,
  minAgeDays?: number,
): Promise<OpenGiveaway | undefined> {
  const { model, judge } = stage.world
  const about = { accountSince: stage.accountSince(member), origin: stage.origin() }
  const age = minAgeDays === undefined ? {} : { minAgeDays }
  const bonus = stage.chance.happens(0.3) ? { bonus: { role: 'regulars', chances: stage.chance.between(2, 4) } } : {}
  const claims = stage.chance.happens(0.4) ? { claimTime: `${stage.chance.between(10, 30)}m` } : {}
  const command = { member, prize: amount, winners, duration: `${minutes}m`, ...age, ...bonus, ...claims, ...about }
  const started = await starting(stage, command)
  if (started === undefined) return undefined
  const { view, span } = started
  const { id, prize, commitment } = view
  const typed = typedMsats(amount)
  if (typed !== undefined && prize !== typed) throw new Bug(`a giveaway of ${amount} is one of ${prize} msats`)
  model.giveaways.set(id, { starter: member, prize, winners: BigInt(winners) })
  judge.limits.gave(`the giveaway ${id}`, member, prize * BigInt(winners), span)
  judge.giveaways.starts({ id, minutes, commitment, minAgeDays, span })
  const giveaway = { id, owner: member }
  stage.giveaways.push(giveaway)
  return giveaway
}

/** Presses the button of a giveaway to enter it. */
export async function enter(stage: Stage, giveaway: string, member: string): Promise<void> {
  const { model, judge } = stage.world
  const roles = stage.chance.happens(0.4) ? ['regulars'] : []
  const entrant = { accountSince: stage.accountSince(member), roles }
  const command = { giveaway, member, entrant, interaction: stage.origin().interaction }
  const entered = await stage.insist<{ readonly id?: string; readonly already: boolean }>(
    `${member} enters`,
    (tipping) => tipping.giveaways.enter(command).then(({ already }) => ({ already })),
  )
  if (!('done' in entered)) return
  model.entered.add(`${giveaway} ${member}`)
  // A member who is asked again after a death may already have entered.
  const young = judge.limits.young.has(member)
  if (!entered.done.already) judge.giveaways.entered(giveaway, { member, young }, entered.span)
}

/** Lets a drawn winner, or anybody, press the button that claims a prize, often twice. */
export async function claim(stage: Stage, giveaway: string): Promise<void> {
  const { chance } = stage
  const { model, judge } = stage.world
  const looked = await stage.insist<{ readonly id?: string; readonly named: readonly NamedWinner[] }>(
    'a giveaway is looked at',
    async ({ giveaways }) => ({ named: (await giveaways.view(giveaway)).claim?.named ?? [] }),
  )
  if (!('done' in looked)) return
  const { named } = looked.done
  const one = named.length === 0 || chance.happens(0.2) ? undefined : chance.one(named)
  const member = one?.member ?? stage.member()
  const presses = chance.happens(0.3) ? 2 : 1
  const claimed = await Promise.all(
    Array.from({ length: presses }, () => {
      const command = { giveaway, member, interaction: stage.origin().interaction }
      return stage.insist<{ readonly id?: string; readonly already: boolean }>(`${member} claims`, ({ giveaways }) =>
        giveaways.claim(command).then(({ already }) => ({ already })),
      )
    }),
  )
  for (const answer of claimed) {
    if (!('done' in answer)) continue
    model.claimedPrizes.add(`${giveaway} ${member}`)
    if (one !== undefined && !answer.done.already) judge.giveaways.claimed(giveaway, one, answer.span)
  }
}

/** Lets the starter request the next draw of unclaimed prizes. */
export async function redraw(stage: Stage, { id: giveaway, owner }: OpenGiveaway): Promise<void> {
  const decision = { giveaway, member: owner, moderator: false, guild: 'guild' }
  await stage.insist(`${owner} has unclaimed prizes drawn again`, ({ giveaways }) => giveaways.redraw(decision))
}

/** Lets the starter change the prize or the number of winners, or postpone the giveaway's end. */
export async function edit(stage: Stage, { id: giveaway, owner }: OpenGiveaway): Promise<void> {
  const { chance } = stage
  const { model, judge } = stage.world
  const decision = { giveaway, member: owner, moderator: false, guild: 'guild' }
  const minutes = chance.between(1, 5)
  const change = {
    prize: () => ({ prize: stage.amount() }),
    winners: () => ({ winners: chance.between(1, 5) }),
    longer: () => ({ longer: `${minutes}m` }),
  }[chance.weighted({ prize: 1, winners: 1, longer: 1 })]()
  const planned = await stage.insist<{ readonly id?: string; readonly plan: PlannedEdit }>(
    `${owner} would change a giveaway`,
    async ({ giveaways }) => ({ plan: await giveaways.planEdit({ ...decision, ...change }) }),
  )
  if (!('done' in planned)) return
  const { cost, prize, winners, endsAt, revision } = planned.done.plan
  const about = { accountSince: stage.accountSince(owner), origin: stage.origin() }
  const terms = { prize, winners, endsAt, revision }
  const changed = await stage.insist(`${owner} changes a giveaway`, ({ giveaways }) =>
    giveaways.edit({ ...decision, ...terms, ...about }),
  )
  if (!('done' in changed)) return
  if (cost > 0n) judge.limits.gave(`the change of the giveaway ${giveaway}`, owner, cost, changed.span)
  if (endsAt !== undefined) judge.giveaways.endsLater(giveaway, minutes)
  const before = model.giveaways.get(giveaway)
  if (before === undefined) return
  // It only grows, and the answers to two changes may come in reverse order.
  const largest = (one: bigint, other: bigint) => (one > other ? one : other)
  model.giveaways.set(giveaway, {
    ...before,
    prize: largest(before.prize, prize),
    winners: largest(before.winners, BigInt(winners)),
  })
}

/** Lets the starter end a giveaway early. */
export async function endEarly(stage: Stage, { id: giveaway, owner }: OpenGiveaway): Promise<void> {
  const decision = { giveaway, member: owner, moderator: false, guild: 'guild' }
  const { giveaways } = stage.world.judge
  const ended = await stage.insist(`${owner} ends a giveaway`, (tipping) => tipping.giveaways.end(decision))
  if ('done' in ended) giveaways.ends(giveaway, ended.span)
}

/** Lets the starter cancel a giveaway. */
export async function callOff(stage: Stage, { id: giveaway, owner }: OpenGiveaway): Promise<void> {
  const decision = { giveaway, member: owner, moderator: false, guild: 'guild' }
  await stage.insist(`${owner} cancels a giveaway`, ({ giveaways }) => giveaways.cancel(decision))
}

/**
 * Lets the starter draw one more winner, whose prize the starter pays. Resolves to the reason for a refusal; undefined
 * if the draw succeeds.
 */
export async function drawAgain(stage: Stage, { id: giveaway, owner }: OpenGiveaway): Promise<string | undefined> {
  const { model } = stage.world
  const about = { accountSince: stage.accountSince(owner), origin: stage.origin() }
  const command = { giveaway, member: owner, moderator: false, guild: 'guild', ...about }
  const drawn = await stage.insist(`${owner} draws again`, ({ giveaways }) => giveaways.reroll(command))
  if (!('done' in drawn)) return drawn.refused.code
  model.redrawn.set(drawn.done.id, `${giveaway} ${drawn.done.member}`)
  return undefined
}

/** Starts a giveaway, and confirms it if necessary. Resolves to its view; undefined if it is refused. */
async function starting(
  stage: Stage,
  command: StartGiveaway,
): Promise<{ readonly view: GiveawayView; readonly span: Span } | undefined> {
  const { member, prize, winners } = command
  const { judge } = stage.world
  const what = `${member} starts a giveaway of ${prize}`
  const asks = judge.balances.asks(stage.world.botBook, member)
  const first = await stage.insist<{ id?: string; asked?: PendingTip; view?: GiveawayView }>(what, async (tipping) => {
    const answer = await tipping.giveaways.ask(command)
    return 'asked' in answer ? { asked: answer } : { id: answer.id, view: answer }
  })
  if (!('done' in first)) return undefined
  const { asked, view } = first.done
  if (view !== undefined) {
    const total = view.prize * BigInt(winners)
    judge.gave(what, prize, total, false, asks(total))
  }
  if (asked === undefined) return view && { view, span: first.span }
  const word = { asked: asked.asked, member, origin: stage.origin() }
  const second = await stage.insist(`${member} confirms a giveaway`, ({ giveaways }) => giveaways.confirm(word))
  if (!('done' in second)) return undefined
  const total = second.done.prize * BigInt(winners)
  if (total !== asked.total) throw new Bug(`a giveaway of ${asked.total} msats was confirmed, and is one of ${total}`)
  judge.gave(what, prize, total, true)
  return { view: second.done, span: second.span }
}
