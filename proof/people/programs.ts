import { sats as satsOf } from '../../src/lib/money/amount.ts'
import { type PeopleOfServer, type RewardView, TippingRefusal } from '../../src/tipping/tipping.ts'
import { Bug } from '../world/world.ts'
import { readEvents } from './event-readers.ts'
import { pay } from './payers.ts'
import type { Actor, Stage } from './people.ts'
import { noteReward } from './pool-gifts.ts'
import { fund, give, setBudget } from './pools.ts'

const GUILD = 'guild'
const SCOPES = ['rewards', 'members', 'events'] as const
/** The most bursts of rewards in a match, if the key's budget lasts that long. */
const MAX_BURSTS = 4

/** A community's programs, which give rewards with moderators' keys, look members up, and receive events. */
export const programs: Actor = {
  name: 'programs',
  weight: 12,
  async act(stage) {
    const { chance, keys } = stage
    if (keys.length === 0) await create(stage)
    switch (chance.weighted({ create: 0.8, revoke: 0.2, match: 5, again: 2, look: 0.3, read: 3 })) {
      case 'create':
        return await create(stage)
      case 'revoke':
        return await revoke(stage)
      case 'match':
        return await match(stage)
      case 'again':
        return await again(stage)
      case 'look':
        return await look(stage)
      case 'read':
        return await readEvents(stage)
    }
  },
}

async function create(stage: Stage): Promise<void> {
  const { chance, world } = stage
  const member = stage.member()
  // Less than one burst may request.
  const budget = chance.between(20, 120)
  const { interaction } = stage.origin()
  const about = { guild: GUILD, channel: 'channel', member, name: `arena ${stage.count()}`, scopes: SCOPES }
  const made = await stage.insist(`${member} makes a key`, async ({ apiKeys }) => {
    const { key } = await apiKeys.create({
      ...about,
      budget: String(budget),
      days: chance.one([1, 30, 90]),
      interaction,
    })
    await apiKeys.list(GUILD)
    return key
  })
  if (!('done' in made)) return
  world.judge.programs.made(made.done.id, BigInt(budget) * 1_000n)
  stage.keys.push({ id: made.done.id, owner: member })
}

async function revoke(stage: Stage): Promise<void> {
  const key = stage.keys.at(-stage.chance.between(1, 4))
  if (key === undefined) return
  const decision = { key: key.id, guild: GUILD, member: stage.member() }
  await stage.insist('a key is revoked', ({ apiKeys }) => apiKeys.revoke(decision))
}

/**
 * Gives several rewards simultaneously, as after a match. The rewards compete for the rest of the key's budget until it
 * is spent.
 */
async function match(stage: Stage): Promise<void> {
  const { chance, keys } = stage
  const key = keys.at(-chance.between(1, 3)) ?? keys.at(-1)
  if (key === undefined) return
  for (let burst = 0; burst < MAX_BURSTS; burst += 1) {
    const burstOf = Array.from({ length: chance.between(3, 6) }, () => reward(stage, key))
    const refused = new Set(await Promise.all(burstOf))
    if (refused.has('api-key-budget-spent') || refused.has('api-key-not-found')) return
    if (refused.has('pool-insufficient')) await fill(stage)
    if (refused.has('budget-none') || refused.has('budget-exhausted')) await setBudget(stage, stage.member(), '100000')
  }
}

/** Fills the pool with sats that programs need, from a balance or else from an external wallet. */
async function fill(stage: Stage): Promise<void> {
  if (await give(stage, stage.member(), '500')) return
  const payable = await fund(stage, stage.member(), 1_000)
  if (payable === undefined) return
  await pay(stage, payable)
  await stage.pause(10_000)
}

/**
 * Rewards somebody, and often sends the same request twice simultaneously. Resolves to the reason for a refusal;
 * undefined if the reward is given.
 */
async function reward(stage: Stage, key: Stage['keys'][number]): Promise<string | undefined> {
  const { chance, world } = stage
  const [to, sats, event] = [stage.member(), chance.between(1, 40), `event-${stage.count()}`]
  const amount = satsOf(sats)
  const people = peopleWho(chance.happens(0.97), chance.happens(0.97))
  const times = chance.happens(0.3) ? 2 : 1
  const given = await stage.insist(`the key of ${key.owner} rewards ${to}`, async ({ apiKeys }) => {
    const command = { key: key.id, idempotencyKey: event, to, amount, reason: 'for a match', people }
    const { id } = once(
      event,
      await Promise.allSettled(Array.from({ length: times }, async () => await apiKeys.reward(command))),
    )
    return await apiKeys.rewardOf(GUILD, id)
  })
  if ('refused' in given) {
    const { refused } = given
    if (isOf(refused, 'api-key-budget-spent') && refused.facts.left >= amount)
      throw new Bug(`a key may give ${refused.facts.left} msats more, and gives no ${amount}`)
    return refused.code
  }
  const { done, span } = given
  if (done.recipient !== to || done.amount !== amount)
    throw new Bug(`a reward of ${sats} by a key for ${to} is one of ${done.amount} for ${done.recipient}`)
  noteReward(stage, done, span)
  world.judge.limits.rewarded(done, key.owner, span)
  stage.rewards.push(done.id)
  stage.keyRewards.push({ id: done.id, key: key.id, event, to, sats })
  return undefined
}

/** Repeats an answered request much later, or by mistake with another sum, although everybody has left meanwhile. */
async function again(stage: Stage): Promise<void> {
  const { chance } = stage
  const before = stage.keyRewards.at(-chance.between(1, 8))
  if (before === undefined) return
  const { id, key, event, to, sats } = before
  const isOther = chance.happens(0.2)
  const command = { key, idempotencyKey: event, to, amount: satsOf(isOther ? sats + 1 : sats), reason: 'for a match' }
  const people = peopleWho(false, false)
  const asked = await stage.insist(`a program asks again for ${event}`, ({ apiKeys }) =>
    apiKeys.reward({ ...command, people }),
  )
  const answer = 'refused' in asked ? asked.refused.code : asked.done.id
  const right = isOther ? 'already-done' : id
  if (answer !== right) throw new Bug(`${event} was answered with ${id}, and asked for again, with ${answer}`)
}

/** Returns Discord's answers as to whether the key's owner still moderates, and whether the recipient is a member. */
function peopleWho(moderates: boolean, isMember: boolean): PeopleOfServer {
  return {
    localeOf: () => 'en',
    moderator: async () => (moderates ? ['moderators'] : undefined),
    person: async () => (isMember ? { bot: false, roles: [] } : undefined),
  }
}

/** Returns the outcome of a request that was sent several times: it must be one reward, or a refusal each time. */
function once(event: string, outcomes: readonly PromiseSettledResult<RewardView>[]): RewardView {
  const errors: unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  const [first, ...others] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const broken = errors.find((error) => !(error instanceof TippingRefusal))
  if (broken !== undefined || first === undefined) throw broken ?? errors[0]
  if (others.some(({ id }) => id !== first.id)) throw new Bug(`${event} was rewarded twice`)
  return first
}

function isOf<Code extends TippingRefusal['code']>(
  refusal: TippingRefusal,
  code: Code,
): refusal is TippingRefusal<Code> {
  return refusal.code === code
}

async function look(stage: Stage): Promise<void> {
  const member = stage.member()
  await stage.insist(`a program asks for ${member}`, async ({ apiKeys }) => {
    await apiKeys.isLinked(member)
    if ((await apiKeys.find('satchel_none')) !== undefined) throw new Bug('a key that nobody made works')
    return {}
  })
}
