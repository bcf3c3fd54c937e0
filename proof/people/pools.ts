import type { Credit } from '../judge/holdings.ts'
import type { Span } from '../judge/moments.ts'
import { typedMsats } from '../judge/promises.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Ending, PayableRequest, Stage } from './people.ts'
import { noteGiven, noteReward, person } from './pool-gifts.ts'

const GUILD = 'guild'
/** The amount that a fundraiser requests from each giver. */
const A_GIFT = '100'

/** Members and strangers who fill the server's pool, and moderators who give from it within a budget. */
export const pools: Actor = {
  name: 'pools',
  weight: 5,
  async act(stage) {
    await DOINGS[stage.chance.weighted(WEIGHTS)](stage, stage.member())
  },
}

const WEIGHTS = { fund: 1, fundraise: 1, give: 2, giveTo: 1, budget: 1, reward: 4, decide: 2, close: 0.5, look: 0.3 }

const DOINGS = {
  async fund(stage: Stage, member: string) {
    await fund(stage, member, stage.chance.between(1, 2_000))
  },
  async fundraise(stage: Stage, member: string) {
    await fundraise(stage, member)
  },
  give: (stage: Stage, member: string) => give(stage, member, stage.amount()),
  async giveTo(stage: Stage, member: string) {
    const fundraiser = stage.fundraisers.at(-stage.chance.between(1, 3))
    if (fundraiser !== undefined) await giveTo(stage, fundraiser, member)
  },
  budget: (stage: Stage, member: string) =>
    setBudget(stage, member, stage.chance.one(['100000', '100000', '2000', 'none'])),
  reward: (stage: Stage, member: string) => reward(stage, member, stage.member(), stage.chance.between(1, 500)),
  /** Lets somebody decide about a waiting reward: a second moderator, or a person who must not. */
  async decide(stage: Stage, member: string) {
    const asked = stage.rewards.at(-stage.chance.between(1, 6))
    if (asked !== undefined) await decide(stage, asked, member, stage.chance.one(['approve', 'approve', 'deny']))
  },
  async look(stage: Stage, member: string) {
    await stage.insist('the pool is looked into', async ({ pools }) => {
      await pools.view(GUILD)
      await pools.history(GUILD, new Date(0))
      await pools.export({ guild: GUILD, member })
      return {}
    })
  },
  async close(stage: Stage) {
    const last = stage.fundraisers.at(-1)
    if (last !== undefined) await closeFundraiser(stage, last)
  },
} as const

/** Requests an invoice that fills the pool. Resolves to the payable; undefined if the request is refused. */
export async function fund(stage: Stage, member: string, sats: number): Promise<PayableRequest | undefined> {
  const command = { guild: GUILD, member, amount: String(sats), origin: stage.origin() }
  const opened = await stage.insist(`${member} funds the pool`, ({ pools }) => pools.fund(command))
  if (!('done' in opened)) return undefined
  const { amount } = opened.done
  if (amount !== typedMsats(command.amount)) throw new Bug(`${command.amount} for the pool are ${amount} msats`)
  return offer(stage, opened.done)
}

export type OpenFundraiser = Stage['fundraisers'][number]

/** Starts a fundraiser with gifts of `A_GIFT`. Resolves to the fundraiser; undefined if it is refused. */
export async function fundraise(stage: Stage, member: string): Promise<OpenFundraiser | undefined> {
  const command = { guild: GUILD, member, amount: A_GIFT, goal: '400', origin: stage.origin() }
  const opened = await stage.insist(`${member} raises funds`, ({ pools }) => pools.fundraise(command))
  if (!('done' in opened)) return undefined
  if (opened.done.amount !== typedMsats(A_GIFT)) throw new Bug(`gifts of ${A_GIFT} are of ${opened.done.amount} msats`)
  const fundraiser = { id: opened.done.id, owner: member }
  stage.fundraisers.push(fundraiser)
  offer(stage, opened.done)
  return fundraiser
}

export async function closeFundraiser(stage: Stage, { id, owner: member }: OpenFundraiser): Promise<void> {
  const command = { fundraiser: id, member }
  const closed = await stage.insist('a fundraiser is closed', ({ pools }) => pools.closeFundraiser(command))
  if ('done' in closed) stage.world.judge.fundraisers.closed(id, closed.span)
}

/** Gives from a member's balance to the pool. Resolves to whether the amount was given. */
export async function give(stage: Stage, member: string, amount: string): Promise<boolean> {
  const command = { guild: GUILD, member, amount, origin: stage.origin() }
  const asks = stage.world.judge.balances.asks(stage.world.botBook, member)
  const given = await stage.insist<Gift>(`${member} gives to the pool`, async ({ pools }) =>
    asked(await pools.ask(command)),
  )
  return (await noteGift(stage, member, given, amount, asks)) !== undefined
}

/** Gives from a member's balance to a fundraiser. */
export async function giveTo(stage: Stage, { id }: OpenFundraiser, member: string): Promise<void> {
  const command = { fundraiser: id, member, origin: stage.origin() }
  const given = await stage.insist<Gift>(`${member} gives to a fundraiser`, async ({ pools }) =>
    asked(await pools.askTo(command)),
  )
  const span = await noteGift(stage, member, given, A_GIFT)
  if (span !== undefined) stage.world.judge.fundraisers.took(id, member, span)
}

/** Sets the daily budget of moderators to an amount as typed. */
export async function setBudget(stage: Stage, member: string, amount: string): Promise<void> {
  const command = { guild: GUILD, member, role: 'moderators', amount, period: 'day' } as const
  const { judge } = stage.world
  const set = judge.limits.setsBudget(judge.now())
  const { span } = await stage.insist('a budget is set', ({ pools }) => pools.budget(command).then(() => ({})))
  set(typedMsats(amount), span)
}

/** Rewards somebody with sats from the pool. Resolves to the reward's view; undefined if it is refused. */
export async function reward(stage: Stage, member: string, recipient: string, sats: number) {
  const to = { id: recipient, bot: false }
  const about = { guild: GUILD, member, roles: ['moderators'], to, amount: String(sats), reason: 'for help' }
  const command = { ...about, origin: stage.origin() }
  const given = await stage.insist(`${member} rewards ${to.id}`, ({ rewards }) => rewards.give(command))
  if (!('done' in given)) return undefined
  noteReward(stage, given.done, given.span)
  if (given.done.recipient !== to.id || given.done.amount !== BigInt(sats) * 1_000n)
    throw new Bug(`a reward of ${sats} for ${to.id} is one of ${given.done.amount} for ${given.done.recipient}`)
  stage.world.judge.limits.rewarded(given.done, member, given.span)
  stage.rewards.push(given.done.id)
  return given.done
}

/** Approves or denies a waiting reward. */
export async function decide(stage: Stage, id: string, member: string, verb: 'approve' | 'deny'): Promise<void> {
  if (verb === 'deny') stage.world.judge.limits.mayBeDenied(id)
  const word = { reward: id, member, person }
  const decided = await stage.insist(`${member} wants to ${verb} a reward`, ({ rewards }) =>
    verb === 'approve' ? rewards.approve(word) : rewards.deny(word),
  )
  if (!('done' in decided)) return
  if (verb === 'approve' && decided.done.state === 'paid') stage.world.judge.limits.approved(id, member)
  noteReward(stage, decided.done, decided.span)
  await noteGiven(stage, decided.done, member, decided.span)
}

interface Gift {
  readonly id?: string
  /** The gift; absent if it was not given. */
  readonly given?: { readonly amount: bigint }
  /** The question to the giver; absent if the gift needs no confirmation. */
  readonly asked?: { readonly asked: string; readonly total: bigint }
}

function asked(answer: { readonly amount: bigint } | { readonly asked: string; readonly total: bigint }): Gift {
  return 'asked' in answer ? { asked: answer } : { given: answer }
}

/**
 * Confirms a gift if necessary, and checks that it is what the giver was shown. Resolves to its span; undefined if
 * nothing was given.
 */
async function noteGift(
  stage: Stage,
  member: string,
  gift: Ending<Gift>,
  typed: string,
  asks: (gave: bigint) => bigint | undefined = () => undefined,
): Promise<Span | undefined> {
  if (!('done' in gift)) return undefined
  let { span } = gift
  const { model, judge } = stage.world
  let { given } = gift.done
  const { asked: question } = gift.done
  if (question !== undefined) {
    const word = { asked: question.asked, member, origin: stage.origin() }
    const confirmed = await stage.insist<Gift>(`${member} confirms a gift`, async ({ pools }) => ({
      given: await pools.confirm(word),
    }))
    if (!('done' in confirmed)) return undefined
    given = confirmed.done.given
    span = confirmed.span
    if (given?.amount !== question.total)
      throw new Bug(`${question.total} msats were confirmed, ${given?.amount} given`)
  }
  if (given === undefined) return undefined
  const { amount } = given
  const what = `a gift of ${typed} to the pool`
  const had = asks(amount)
  judge.gave(what, typed, amount, question !== undefined, had)
  judge.balances.shares(what, typed, amount, 1, had)
  const right = typedMsats(typed)
  if (right !== undefined && amount !== right) throw new Bug(`a gift of ${typed} to the pool is one of ${amount} msats`)
  model.give(member, -amount)
  model.pool += amount
  return span
}

function offer(
  stage: Stage,
  { request, amount }: { readonly request: string; readonly amount: bigint },
): PayableRequest {
  const credit: Credit = (arrived, holdings) => {
    holdings.pool += arrived
  }
  const payable: PayableRequest = { code: request, amount, credit, counted: true }
  stage.payables.push(payable)
  return payable
}
