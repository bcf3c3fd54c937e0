import { sats as satsOf } from '../../src/lib/money/amount.ts'
import type { PeopleOfServer } from '../../src/tipping/tipping.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'
import { noteReward } from './pool-gifts.ts'

const GUILD = 'guild'
const SCOPES = ['rewards', 'members', 'events'] as const
/** So many events of the book a reader takes at a time: it was killed, or its connection broke, before the next. */
const MAX_PAGE = 40
const READERS = 3

/** Programs of a community: they reward with keys that moderators made, look members up, and hear what happens. */
export const programs: Actor = {
  name: 'programs',
  weight: 8,
  async act(stage) {
    const { chance, keys } = stage
    switch (chance.weighted({ create: keys.length === 0 ? 20 : 0.6, revoke: 0.2, reward: 5, look: 0.5, read: 3 })) {
      case 'create':
        return await create(stage)
      case 'revoke':
        return await revoke(stage)
      case 'reward':
        // As after a match: several at once, which race for what is left of the budget.
        return void (await Promise.all(Array.from({ length: chance.between(1, 4) }, () => reward(stage))))
      case 'look':
        return await look(stage)
      case 'read':
        return await read(stage)
    }
  },
}

async function create(stage: Stage): Promise<void> {
  const { chance, world } = stage
  const member = stage.member()
  const budget = chance.between(50, 600)
  const { interaction } = stage.origin()
  const about = { guild: GUILD, channel: 'channel', member, name: 'arena', scopes: SCOPES, budget: String(budget) }
  const made = await stage.insist(`${member} makes a key`, async ({ apiKeys }) => {
    const { key } = await apiKeys.create({ ...about, days: chance.one([1, 30, 90]), interaction })
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

/** A program rewards somebody, and often sends the same request again, as after a timeout. */
async function reward(stage: Stage): Promise<void> {
  const { chance, world } = stage
  const key = stage.keys.at(-chance.between(1, 3))
  if (key === undefined) return
  const [to, sats, event] = [stage.member(), chance.between(1, 400), `event-${stage.count()}`]
  const people: PeopleOfServer = {
    localeOf: () => 'en',
    moderator: async () => (chance.happens(0.97) ? ['moderators'] : undefined),
    person: async () => (chance.happens(0.97) ? { bot: false, roles: [] } : undefined),
  }
  const times = chance.happens(0.3) ? 2 : 1
  const given = await stage.insist(`the key of ${key.owner} rewards ${to}`, async ({ apiKeys }) => {
    const command = { key: key.id, idempotencyKey: event, to, amount: satsOf(sats), reason: 'for a match', people }
    const [first, ...again] = await Promise.all(Array.from({ length: times }, () => apiKeys.reward(command)))
    if (first === undefined || again.some(({ id }) => id !== first.id)) throw new Bug(`${event} was rewarded twice`)
    return await apiKeys.rewardOf(GUILD, first.id)
  })
  if (!('done' in given)) return
  const { done, span } = given
  if (done.recipient !== to || done.amount !== BigInt(sats) * 1_000n)
    throw new Bug(`a reward of ${sats} by a key for ${to} is one of ${done.amount} for ${done.recipient}`)
  noteReward(stage, done, span)
  world.judge.limits.rewarded(done, key.owner, span)
  stage.rewards.push(done.id)
}

async function look(stage: Stage): Promise<void> {
  const member = stage.member()
  await stage.insist(`a program asks for ${member}`, async ({ apiKeys }) => {
    await apiKeys.isLinked(member)
    if ((await apiKeys.find('satchel_none')) !== undefined) throw new Bug('a key that nobody made works')
    return {}
  })
}

/** A reader goes on behind what it has, in steps, and may be told the same page again before it has noted it. */
async function read(stage: Stage): Promise<void> {
  const { chance, world } = stage
  const { programs } = world.judge
  if (stage.readers.length < READERS) {
    const begun = await stage.insist<{ readonly id?: string; readonly from: number }>(
      'a program begins to read',
      async ({ serverEvents }) => ({
        from: await serverEvents.latest(),
      }),
      'once',
    )
    if ('done' in begun) stage.readers.push(programs.begins(begun.done.from))
    return
  }
  const reader = chance.one(stage.readers)
  const page = await stage.insist<{ readonly id?: string; readonly ids: readonly number[]; readonly cursor: number }>(
    'a program reads on',
    async ({ serverEvents }) => {
      const { events, cursor } = await serverEvents.after(programs.cursorOf(reader), MAX_PAGE)
      return { ids: events.map(({ id: event }) => event), cursor }
    },
    'once',
  )
  if ('done' in page) programs.told(reader, page.done.ids, page.done.cursor)
}
