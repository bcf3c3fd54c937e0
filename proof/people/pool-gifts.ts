import type { AwaitedReward, FromPool, Origin, RewardView, Tipping } from '../../src/tipping/tipping.ts'
import { POOL } from '../judge/model.ts'
import type { Span } from '../judge/moments.ts'
import { evenShare } from '../judge/promises.ts'
import { Bug } from '../world/world.ts'
import { enter } from './giveaways.ts'
import type { Actor, Stage } from './people.ts'

const GUILD = 'guild'
/** The number of shares of each drop or giveaway from the pool, fixed so that its cost is known beforehand. */
export const SHARES = 2
export const MINUTES = 3

/** Resolves to the same data for everybody: a member of the server whom nothing excludes. */
export const person = async () => ({ bot: false, roles: [] })

type Kind = 'tip' | 'rain' | 'drop' | 'giveaway' | 'list'
type Given = AwaitedReward | { readonly id: string }

/** Moderators who tip, let it rain, start drops and giveaways, and pay lists from the server's pool. */
export const poolGifts: Actor = {
  name: 'pool gifts',
  weight: 3,
  async act(stage) {
    const { chance } = stage
    const kind = chance.one(['tip', 'rain', 'drop', 'drop', 'giveaway', 'list', 'list'] as const)
    await give(stage, kind, stage.member(), chance.between(1, 250) * SHARES)
  },
}

/** Lets a moderator give this many sats in all from the pool, as a gift of this kind. */
async function give(stage: Stage, kind: Kind, member: string, sats: number): Promise<void> {
  const pool = { guild: GUILD, roles: ['moderators'], reason: 'for all' }
  const shared = { pool, origin: stage.origin() }
  const [amount, codes] = [String(sats), stage.chance.happens(0.25)]
  const to = [stage.member(), stage.member()].map((id) => ({ id, bot: false }))
  if (kind === 'rain') for (const { rain } of stage.world.bot.allRunning) for (const { id } of to) rain.heard(GUILD, id)
  const given = await stage.insist<{ readonly id?: string; readonly given: Given }>(
    `${member} gives a ${kind} of ${amount} from the pool`,
    async ({ tips, rain, drops, giveaways, rewards }) => {
      const verbs = {
        list: () => payList(rewards, member, to, sats, shared),
        tip: () => tips.sendFromPool({ from: member, to, amount, split: true, ...shared }),
        rain: () => rain.fallFromPool({ from: member, guild: GUILD, amount, activeWithinMinutes: 30, ...shared }),
        drop: () => drops.openFromPool({ member, amount, shares: SHARES, minutes: MINUTES, codes, ...shared }),
        giveaway: () =>
          giveaways.startFromPool({
            ...{ member, prize: String(sats / SHARES), winners: SHARES, duration: `${MINUTES}m`, ...shared },
          }),
      }
      return { given: await verbs[kind]() }
    },
  )
  if (!('done' in given)) return
  const { given: gift } = given.done
  const id = 'reward' in gift ? gift.reward : gift.id
  const reward = await stage.insist('a reward is looked at', ({ rewards }) => rewards.view(id))
  if (!('done' in reward)) throw new Bug(`a ${kind} of ${amount} from the pool is no reward`)
  const asked = reward.done
  // A list never pays anybody twice, or its own moderator.
  const listed = new Set(to.map(({ id }) => id)).difference(new Set([member])).size
  const least = kind === 'rain' ? 1 : kind === 'list' ? (sats / SHARES) * listed : sats
  if (asked.kind !== kind || asked.amount < BigInt(least) * 1_000n)
    throw new Bug(`a ${kind} of ${amount} from the pool is a ${asked.kind} of ${asked.amount} msats`)
  noteReward(stage, asked, given.span)
  stage.world.judge.limits.rewarded({ ...asked, recipient: `nobody of ${id}` }, member, given.span)
  stage.rewards.push(id)
  await noteGiven(stage, asked, member, given.span)
}

/** Notes a reward as shown; an end that somebody was shown must be final. */
export function noteReward(stage: Stage, { id, kind, recipient, amount, state }: RewardView, span: Span): void {
  const { model, judge } = stage.world
  const { rewards } = model
  if (judge.shown.rewards.get(id) === undefined) judge.shown.rewards.set(id, state === 'paid' ? span : undefined)
  const isGift = kind !== 'reward'
  if (state === 'paid' && !isGift) judge.unclaimed.given(id, span)
  const before = rewards.get(id)
  if (before !== undefined && before.state !== 'asked' && before.state !== state && state !== 'asked')
    throw new Bug(`the reward ${id} was shown as ${before.state}, and then as ${state}`)
  if (before === undefined || before.state === 'asked') rewards.set(id, { recipient, amount, state, isGift })
}

/** Judges a reward like any gift of its kind, with the pool as its giver. */
export async function noteGiven(stage: Stage, reward: RewardView, member: string, span: Span): Promise<void> {
  const { kind, record, requester, lines } = reward
  if (record === undefined || stage.world.model.rewards.get(reward.id)?.state !== 'paid') return
  // Payments to external addresses are judged as outgoing.
  if (lines?.some(({ address }) => address !== undefined)) return
  if (kind === 'drop') await noteDrop(stage, record, requester, span)
  else if (kind === 'giveaway') await noteGiveaway(stage, record, span)
  else await noteTip(stage, record, { member, span, promised: stage.promised.get(reward.id) })
}

/**
 * Pays a list that has a line with the same share for each person, and reads the outcomes of its lines as a moderator
 * does.
 */
async function payList(
  rewards: Tipping['rewards'],
  member: string,
  to: readonly { readonly id: string }[],
  sats: number,
  { pool, origin }: { readonly pool: FromPool; readonly origin: Origin },
): Promise<Given> {
  const file = Buffer.from(to.map(({ id }) => `${id},${sats / SHARES}`).join('\n'))
  const { asked = '' } = await rewards.readList({
    ...{ guild: GUILD, member, file, memberIn: (cell) => cell, reason: pool.reason, origin },
  })
  const given = await rewards.confirmList({ asked, member, roles: pool.roles, origin })
  await rewards.listOutcomes(given.reward)
  return given
}

async function noteDrop(stage: Stage, id: string, owner: string, span: Span): Promise<void> {
  const { model, judge } = stage.world
  if (model.drops.has(id)) return
  const { share, draw, codes } = await look(stage, ({ drops }) => drops.view(id))
  if (model.drops.has(id)) return
  // A code that cannot be made costs a share; this many were requested.
  model.drops.set(id, { owner: POOL, share, shares: BigInt(SHARES), draw, codes })
  judge.drops.opened({ id, owner, minutes: MINUTES, role: undefined, accountDays: undefined, answer: undefined, span })
  stage.drops.push({ id, owner, answer: undefined })
}

async function noteGiveaway(stage: Stage, id: string, span: Span): Promise<void> {
  const { model, judge } = stage.world
  if (model.giveaways.has(id)) return
  const { prize, commitment } = await look(stage, ({ giveaways }) => giveaways.view(id))
  if (model.giveaways.has(id)) return
  model.giveaways.set(id, { starter: POOL, prize, winners: BigInt(SHARES) })
  judge.giveaways.starts({ id, minutes: MINUTES, commitment, minAgeDays: undefined, span })
  for (let people = 0; people < 2; people += 1) await enter(stage, id, stage.member())
}

/** Notes a tip, whose shares are read at the end. */
async function noteTip(
  stage: Stage,
  tip: string,
  { member, span, promised }: { member: string; span: Span; promised: ReadonlyMap<string, bigint> | undefined },
): Promise<void> {
  const { model, judge } = stage.world
  if (judge.shown.tips.has(tip)) return
  const { shares, total } = await look(stage, ({ tips }) => tips.view(tip))
  if (judge.shown.tips.has(tip)) return
  judge.shown.tips.set(tip, span)
  judge.unclaimed.given(tip, span)
  for (const { recipient, amount } of shares) {
    const right = promised === undefined ? evenShare(total, shares.length) : promised.get(recipient)
    if (amount !== right) throw new Bug(`a share of ${total} from the pool is of ${amount}`)
    model.give(POOL, -amount)
    model.unclaimed.push({ tip, sender: POOL, recipient, amount })
  }
  if (shares.length === 0) throw new Bug(`${member} was shown a tip from the pool for nobody`)
}

async function look<View extends { readonly id: string }>(
  stage: Stage,
  view: Parameters<typeof stage.insist<View>>[1],
): Promise<View> {
  const seen = await stage.insist('a gift from the pool is looked at', view)
  if (!('done' in seen)) throw new Bug('a gift from the pool is not there')
  return seen.done
}
