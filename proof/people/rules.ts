import type { RewardView, RuleEvent } from '../../src/tipping/tipping.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'
import { noteReward } from './pool-gifts.ts'

const GUILD = 'guild'
/** The number of messages and threads to react to, so few that most events repeat. */
const PLACES = 40
const RECIPES = [
  'role-welcome',
  'role-weekly',
  'first-week',
  'good-post',
  'bug-report',
  'solved',
  'daily-thanks',
] as const

/** Moderators who make, start and stop rules, and events in the server, each of which Discord reports several times. */
export const ruleMakers: Actor = {
  name: 'rules',
  weight: 6,
  async act(stage) {
    const { chance } = stage
    switch (chance.weighted({ create: stage.rules.length === 0 ? 20 : 1, switch: 0.7, list: 0.3, happens: 12 })) {
      case 'create':
        return await create(stage)
      case 'switch':
        return await change(stage)
      case 'list':
        await stage.insist('the rules are listed', async ({ rules }) => {
          await rules.list(GUILD)
          return {}
        })
        return
      case 'happens':
        return await happens(stage)
    }
  },
}

async function create(stage: Stage): Promise<void> {
  const { chance, world } = stage
  const member = stage.member()
  const [amount, budget] = [chance.between(1, 60), chance.between(60, 600)]
  const terms = { recipe: chance.one(RECIPES), role: 'regulars', amount: String(amount), budget: String(budget) }
  const { interaction } = stage.origin()
  const command = { guild: GUILD, member, ...terms, reason: 'by rule', trial: chance.happens(0.1), interaction }
  const made = await stage.insist(`${member} makes a rule`, ({ rules }) => rules.create(command))
  if (!('done' in made)) return
  const { id } = made.done
  stage.rules.push(id)
  world.judge.rules.made(id, { amount: BigInt(amount) * 1_000n, budget: BigInt(budget) * 1_000n })
}

async function change(stage: Stage): Promise<void> {
  const rule = stage.rules.at(-stage.chance.between(1, 4))
  if (rule === undefined) return
  const decision = { rule, guild: GUILD, member: stage.member() }
  const stops = stage.chance.happens(0.3)
  await stage.insist(`a rule is ${stops ? 'stopped' : 'started'}`, ({ rules }) =>
    stops ? rules.stop(decision) : rules.start(decision),
  )
}

/** Makes an event happen, and reports it several times simultaneously. */
async function happens(stage: Stage): Promise<void> {
  const { chance, world } = stage
  const place = chance.between(0, PLACES)
  const by = stage.member()
  const author = chance.happens(0.05) ? { id: 'bot-1', bot: true } : { id: `member-${place % 10}`, bot: false }
  const what = chance.one<RuleEvent['what']>([
    { kind: 'seen' },
    { kind: 'reaction', emoji: chance.one(['🏅', '🐛', '🙏']), message: `message ${place}`, by },
    { kind: 'solved', thread: `thread ${place}`, by },
  ])
  const accountSince = stage.accountSince(author.id)
  const facts = { accountSince, memberSince: accountSince, roles: chance.happens(0.8) ? ['regulars'] : [] }
  const owners = chance.happens(0.98) ? ['moderators'] : undefined
  const about = { guild: GUILD, channel: 'channel', locale: 'en', recipient: author, what }
  const event: RuleEvent = { ...about, facts: async () => facts, moderator: async () => owners }
  world.judge.rules.told(author.id)
  const told = await stage.insist<{ readonly id?: string; readonly rewards: readonly RewardView[] }>(
    `${what.kind} of ${author.id}`,
    async ({ rules }) => {
      rules.watches(GUILD, 'reaction')
      const answers = await Promise.all(Array.from({ length: 3 }, () => rules.heard(event)))
      return { rewards: answers.flat() }
    },
    'once',
  )
  if (!('done' in told)) return
  for (const reward of told.done.rewards) {
    const isOwn = reward.requester === author.id || (what.kind !== 'seen' && by === author.id)
    if (reward.recipient !== author.id || author.bot || isOwn)
      throw new Bug(`the rule ${reward.rule} paid ${reward.recipient} for what ${author.id} did`)
    if (world.model.rewards.has(reward.id)) continue
    noteReward(stage, reward, told.span)
    world.judge.limits.rewarded(reward, reward.requester, told.span)
    stage.rewards.push(reward.id)
  }
}
