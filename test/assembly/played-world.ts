import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createWorld } from '../../src/playground/create-world.ts'
import { Stage, silentTeller } from '../../src/playground/flows/stage.ts'
import { openWarm } from '../support/warm-databases.ts'

/**
 * A data folder with records of many kinds: a deposit, a tip to a linked member, an unclaimed tip, a live voucher, an
 * open drop, and a withdrawal code that nobody has scanned. Tests may damage copies of it.
 */
export interface PlayedWorld {
  readonly folder: string
  readonly stage: Stage
  copy(): string
  /** Stops the bot and the service; the files stay. */
  stop(): Promise<void>
  remove(): Promise<void>
}

export async function playWorld(): Promise<PlayedWorld> {
  const above = mkdtempSync(join(tmpdir(), 'satchel-played-'))
  const folder = join(above, 'data')
  const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const world = await createWorld({
    ...runtime,
    folder,
    discordRequestsPerSecond: 100_000,
    openDatabases: openWarm,
  })
  const stage = new Stage(world, silentTeller)
  const [deposit] = await stage.command('alice', 'deposit', { amount: '10000' })
  if (deposit === undefined) throw new Error('alice was shown nothing')
  await stage.pay(await stage.scan(deposit, 'deposit'))
  await stage.until('alice is funded', async () => (await stage.holds('bot', 'member', 'alice')) === 10_000)
  await stage.command('bob', 'link', { wallet: 'bob' })
  await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '500' })
  await stage.command('alice', 'tip', { to: stage.id('carol'), amount: '250' })
  await stage.command('alice', 'voucher create', { amount: '1000' })
  await stage.command('alice', 'drop', { amount: '300', shares: 3 })
  const [asked] = await stage.command('alice', 'withdraw', { amount: '400' })
  if (asked === undefined) throw new Error('alice was asked nothing')
  await stage.press('alice', asked, 'Show the code')
  await world.settled()
  let copies = 0
  let stopped = false
  const stop = async () => {
    if (!stopped) await world.close()
    stopped = true
  }
  return {
    folder,
    stage,
    copy() {
      copies += 1
      const copy = join(above, `copy-${copies}`)
      cpSync(folder, copy, { recursive: true })
      return copy
    },
    stop,
    async remove() {
      await stop()
      rmSync(above, { recursive: true, force: true })
    },
  }
}
