import type { SplitPreview } from '../../src/tipping/tipping.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'
import { noteGiven, noteReward, person } from './pool-gifts.ts'

const GUILD = 'guild'
/** The sum of all shares, in hundredths of a percent. */
const WHOLE = 10_000

/** Moderators who save a split of two people, change it, pay it from the pool, and delete it. */
export const splitMakers: Actor = {
  name: 'splits',
  weight: 2,
  async act(stage) {
    const [member, split] = [stage.member(), `split ${stage.count()}`]
    const to = [stage.member(), stage.member()] as const
    const share = stage.chance.between(1, WHOLE - 1)
    if (await save(stage, { member, split, to, share })) await pay(stage, { member, split, to, share })
    await stage.insist('a split is deleted', async ({ splits }) => {
      await splits.list(GUILD)
      await splits.delete({ guild: GUILD, member, split })
      return {}
    })
  },
}

interface Plan {
  readonly member: string
  readonly split: string
  readonly to: readonly [string, string]
  /** The first person's share, in hundredths of a percent; the second gets the rest. */
  readonly share: number
}

const memberIn = (word: string) => (/^(?:member|guest)-\d+$/.test(word) ? word : undefined)

/** Saves a split with equal parts, and changes it twice. Resolves to whether the split has the intended parts. */
async function save(stage: Stage, { member, split, to, share }: Plan): Promise<boolean> {
  const shared = { guild: GUILD, member, memberIn, person }
  const made = { ...shared, name: split, parts: partsOf(to, WHOLE / 2), interaction: stage.origin().interaction }
  const created = await stage.insist('a split is saved', ({ splits }) => splits.create(made))
  const change = (part: number) => {
    const changed = { ...shared, split, parts: partsOf(to, part), interaction: stage.origin().interaction }
    return stage.insist('a split is changed', ({ splits }) => splits.edit(changed))
  }
  await change(WHOLE - share)
  const edited = await change(share)
  if (!('done' in created && 'done' in edited)) return false
  const shares = edited.done.parts.map((part) => part.share)
  if (shares[0] !== share || shares[1] !== WHOLE - share) throw new Bug(`a split of ${share} has the parts ${shares}`)
  return true
}

function partsOf([one, other]: Plan['to'], share: number): string {
  return `${one} ${share / 100} ${other} ${(WHOLE - share) / 100}`
}

async function pay(stage: Stage, { member, split, to, share }: Plan): Promise<void> {
  const [sats, origin] = [BigInt(stage.chance.between(2, 500)), stage.origin()]
  const sum = { guild: GUILD, member, split, amount: String(sats), reason: 'for all', person, origin }
  const asked = await stage.insist<{ readonly id?: string; readonly preview: SplitPreview }>(
    'a split is asked about',
    async ({ splits }) => ({ preview: await splits.pay(sum) }),
  )
  if (!('done' in asked)) return
  const second = (sats * BigInt(WHOLE - share)) / BigInt(WHOLE)
  const promised = new Map([
    [to[0], (sats - second) * 1_000n],
    [to[1], second * 1_000n],
  ])
  for (const { recipient, amount } of asked.done.preview.lines) {
    if (promised.get(recipient) !== amount) throw new Bug(`of ${sats} sats ${recipient} gets ${amount} msats`)
  }
  const word = { asked: asked.done.preview.asked, member, roles: ['moderators'], person, origin }
  const given = await stage.insist<{ readonly id?: string; readonly reward: string }>(
    `${member} pays a split of ${sats}`,
    async ({ rewards }) => ({ reward: (await rewards.confirmList(word)).reward }),
  )
  if (!('done' in given)) return
  const { reward: id } = given.done
  const shown = await stage.insist('a paid split is looked at', ({ rewards }) => rewards.view(id))
  if (!('done' in shown)) throw new Bug('a split was paid, and is no reward')
  const reward = shown.done
  if (reward.kind !== 'list' || reward.amount !== sats * 1_000n)
    throw new Bug(`a split of ${sats} sats is a ${reward.kind} of ${reward.amount} msats`)
  stage.promised.set(id, promised)
  noteReward(stage, reward, given.span)
  stage.world.judge.limits.rewarded({ ...reward, recipient: `nobody of ${id}` }, member, given.span)
  stage.rewards.push(id)
  await noteGiven(stage, reward, member, given.span)
}
