import { sats } from '../../src/lib/money/amount.ts'
import type { Tipping } from '../../src/tipping/tipping.ts'
import type { ServerLimits } from '../judge/limits.ts'
import { NOT_YOUNG_DAYS } from './drops.ts'
import type { Actor, Stage } from './people.ts'

/** Members and moderators who change their settings at any time. */
export const settings: Actor = {
  name: 'settings',
  weight: 3,
  async act(stage) {
    const { chance } = stage
    const member = stage.member()
    if (chance.happens(0.5)) {
      const change = { receipts: chance.happens(0.5), hidden: chance.happens(0.2) }
      await stage.insist(`${member} chooses`, ({ preferences }) => preferences.change({ member, change }).then(nothing))
      return
    }
    const change = {
      smallestTip: chance.one([undefined, sats(3)]),
      largestTip: chance.one([undefined, undefined, sats(1_500)]),
      approvalAbove: chance.one([undefined, sats(100)]),
      perDay: chance.one([undefined, sats(2_000), sats(20_000)]),
      newAccountPerDay: chance.one([undefined, sats(100), sats(1_000)]),
      newAccountDays: NOT_YOUNG_DAYS,
      coolDownSeconds: chance.one([undefined, undefined, undefined, 3]),
    }
    await choose(stage, member, change)
  },
}

type Choice = ServerLimits & Parameters<Tipping['preferences']['changeServer']>[0]['change']

/** A server's settings with nothing chosen. */
export const NO_CHOICE: Choice = {
  smallestTip: undefined,
  largestTip: undefined,
  approvalAbove: undefined,
  perDay: undefined,
  newAccountPerDay: undefined,
  newAccountDays: undefined,
  coolDownSeconds: undefined,
}

/** Lets a moderator make all of these choices for their server. */
export async function choose(stage: Stage, member: string, change: Choice): Promise<void> {
  const command = { guild: 'guild', member, change }
  const { judge } = stage.world
  const chosen = judge.limits.chooses(judge.now())
  const ending = await stage.insist('a server chooses', ({ preferences }) =>
    preferences.changeServer(command).then(nothing),
  )
  chosen('done' in ending || ending.span.again ? change : undefined, ending.span)
}

function nothing(): object {
  return {}
}
