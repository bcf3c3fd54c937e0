import { pause } from '../../../src/lib/clock.ts'
import { deposit } from '../deposits.ts'
import { link, unlink } from '../members.ts'
import { pay } from '../payers.ts'
import type { Stage } from '../people.ts'

/** A situation that chance alone would bring about too rarely: a few people act one after another. */
export type Chapter = (stage: Stage) => Promise<void>

const TRIES = 12
const BETWEEN_TRIES_MS = 5_000

/** Lets this much of the world's time pass. */
export function wait(stage: Stage, ms: number): Promise<void> {
  return pause(stage.world.timeline, ms)
}

/** Picks this many different members. */
export function members(stage: Stage, count: number): string[] {
  const chosen = new Set<string>()
  while (chosen.size < count) chosen.add(`member-${stage.chance.between(0, 9)}`)
  return [...chosen]
}

/** Returns somebody who has never used the bot. */
export function newcomer(stage: Stage): string {
  return `newcomer-${stage.count()}`
}

/**
 * Fills a member's balance from outside until it has this many sats, or gives up after a while. Resolves to whether the
 * balance has them.
 */
export async function fund(stage: Stage, member: string, sats: number): Promise<boolean> {
  const payable = await deposit(stage, member, sats)
  if (payable !== undefined) await pay(stage, payable)
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { bot } = stage.world
    const has = await bot.running?.balances.available(member).catch(() => undefined)
    if (has !== undefined && has >= BigInt(sats) * 1_000n) return true
    await wait(stage, BETWEEN_TRIES_MS)
  }
  return false
}

/**
 * Unlinks a member's wallet, and links it to another member. Resolves to whether the wallet is linked to the other
 * member.
 */
export async function handOver(stage: Stage, from: string, to: string, user: string): Promise<boolean> {
  await unlink(stage, from)
  const [named] = stage.world.serviceBook.rows<{ gamertag: string }>(
    'SELECT "gamertag" FROM "User" WHERE "id" = ?',
    user,
  )
  return named !== undefined && (await link(stage, to, named.gamertag)) === user
}

/**
 * Links a member to any wallet, after unlinking everybody else from it. Resolves to the wallet's user; undefined if the
 * link is refused.
 */
export async function linkSomewhere(stage: Stage, member: string, besides?: string): Promise<string | undefined> {
  const { botBook, serviceBook, users } = stage.world
  const names = serviceBook.rows<{ id: string; gamertag: string }>('SELECT "id", "gamertag" FROM "User"')
  const { id, gamertag } = stage.chance.one(names.filter(({ id }) => users.includes(id) && id !== besides))
  const holders = botBook.rows<{ member: string }>(
    'SELECT "member" FROM "Link" WHERE "lightningId" = ? AND "endedAt" IS NULL',
    id,
  )
  for (const holder of holders) if (holder.member !== member) await unlink(stage, holder.member)
  return await link(stage, member, gamertag)
}
