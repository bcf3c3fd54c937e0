import type { DropClaimView, DropView, TipView } from '../../src/tipping/tipping.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'
import { connectOwner } from './wallet-owners.ts'

const OWNERS = 5
/** A server in which everybody has a wallet. */
const GUILD = 'guild-of-owners'

/**
 * Drops and rain from members' own wallets: the bot's book never has any of the sats, and each share is paid at most
 * once.
 */
export const walletGifts: Actor = {
  name: 'gifts to many from wallets',
  weight: 5,
  async act(stage) {
    const owner = nameOf(stage)
    const what = stage.chance.weighted({ open: 25, take: 50, close: 5, rain: 20 })
    if (what === 'close') return await close(stage)
    await connectOwner(stage, owner)
    if (what === 'open') await open(stage, owner)
    else if (what === 'take') await take(stage, owner)
    else await rain(stage, owner)
  },
}

function nameOf({ chance }: Stage): string {
  return `owner-${chance.between(0, OWNERS - 1)}`
}

function originIn(stage: Stage) {
  return { ...stage.origin(), guild: GUILD }
}

async function open(stage: Stage, member: string): Promise<void> {
  const { chance } = stage
  const [shares, draw] = [chance.between(1, 3), chance.happens(0.2)]
  const size = { amount: String(chance.between(3, 600)), shares, minutes: chance.between(1, 6), draw }
  const command = { member, ...size, source: 'wallet', origin: originIn(stage) } as const
  const opened = await stage.insist<DropView>(`${member} opens a drop from a wallet`, ({ drops }) =>
    drops.open(command),
  )
  if (!('done' in opened)) return
  const { id, share, payments } = opened.done
  if (payments === undefined) throw new Bug(`the drop ${id} is not paid from a wallet`)
  stage.walletDrops.push({ id, owner: member, share })
}

async function take(stage: Stage, member: string): Promise<void> {
  const drop = stage.walletDrops.at(-stage.chance.between(1, 3))
  if (drop === undefined) return
  const claimant = { id: member, accountSince: new Date(0), memberSince: new Date(0), roles: [] }
  const command = { drop: drop.id, claimant, origin: originIn(stage) }
  const taken = await stage.insist<DropClaimView>(`${member} takes a share of a wallet's drop`, ({ drops }) =>
    drops.claim(command),
  )
  if (!('done' in taken) || taken.done.chance !== 'given') return
  stage.world.judge.ownWallets.took(taken.done.id, { from: drop.owner, to: member, amount: drop.share })
}

async function close(stage: Stage): Promise<void> {
  const drop = stage.walletDrops.at(-stage.chance.between(1, 3))
  if (drop === undefined) return
  const command = { drop: drop.id, member: drop.owner, moderator: false, origin: originIn(stage) }
  await stage.insist(`${drop.owner} closes a wallet's drop`, ({ drops }) => drops.close(command))
}

async function rain(stage: Stage, from: string): Promise<void> {
  for (const { rain } of stage.world.bot.allRunning) for (let i = 0; i < OWNERS; i += 1) rain.heard(GUILD, `owner-${i}`)
  const about = { from, guild: GUILD, amount: String(stage.chance.between(3, 600)), activeWithinMinutes: 60 }
  const command = { ...about, people: stage.chance.between(1, 3), source: 'wallet', origin: originIn(stage) } as const
  const fallen = await stage.insist<TipView>(`${from} lets it rain from a wallet`, ({ rain }) => rain.fall(command))
  if (!('done' in fallen)) return
  const { id, shares } = fallen.done
  stage.world.judge.ownWallets.rained(
    id,
    shares.map(({ recipient: to, amount }) => ({ from, to, amount })),
  )
}
