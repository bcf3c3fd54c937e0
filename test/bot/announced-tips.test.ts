import { expect, onTestFinished, test } from 'vitest'
import { createBot } from '../../src/bot/bot.ts'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import type { Tipping } from '../../src/tipping/tipping.ts'
import { FakeTipping } from '../support/fake-tipping.ts'

/**
 * Starts a bot whose dry runs predict a tip of 500 sats that is credited immediately; `said` lists tipping's calls, in
 * order.
 */
async function startWorld() {
  const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy, requestsPerSecond: 100_000 })
  onTestFinished(() => emulator.close())
  const { people, channels } = seedWorld(emulator, systemClock.now())
  const said: string[] = []
  const shown = () =>
    emulator
      .as(people.carol)
      .conversation(channels.tips)
      .filter(({ ephemeral }) => !ephemeral)
  const tipping = Object.assign(new FakeTipping(), {
    dryRun: async (_run: unknown, _claims: unknown, foresee?: Parameters<Tipping['dryRun']>[2]) => {
      const share = { recipient: people.bob, amount: sats(500), state: 'credited' as const }
      const tip = {
        kind: 'tip' as const,
        from: people.alice,
        note: '',
        total: sats(500),
        shares: [share],
        fromPool: false,
      }
      foresee?.({ ...tip, createdAt: new Date(0) })
      return 'goes' as const
    },
    announcements: {
      note: async () => {
        said.push(`noted before ${shown().length} messages`)
        return 'note'
      },
      end: async (id: string) => void said.push(`${id} ended after ${shown().length} messages`),
    },
  })
  const api = { rest: emulator.restUrl, cdn: emulator.cdnUrl }
  const shared = { clock: systemClock, logger: silentLogger, callsPerSecond: 100_000 }
  const bot = createBot({ token: emulator.token, api, tipping, ...shared })
  onTestFinished(() => bot.close())
  await bot.ready
  const press = () => emulator.as(people.alice).run(channels.tips, 'tip', { to: people.bob, amount: '500' })
  const tip = async () => {
    await press().answered()
    await bot.settled()
  }
  const tips = () => tipping.asked.filter(({ verb }) => verb === 'tip')
  return { emulator, tipping, said, shown, press, tip, tips }
}

test('a tip’s announcement is recorded before it is sent; the record is removed later', async () => {
  const { said, tip } = await startWorld()
  await tip()
  expect(said).toEqual(['noted before 0 messages', 'note ended after 1 messages'])
})

test('a tip is announced even if its announcement cannot be recorded beforehand', async () => {
  const { tipping, tip, shown } = await startWorld()
  tipping.announcements.note = () => Promise.reject(new Error('disk full'))
  await tip()
  expect(shown().map(textOf).join()).toContain('500 sats')
})

test('the note of an announcement stays if Discord may have accepted the message', async () => {
  const { emulator, said, shown, tip, tips } = await startWorld()
  emulator.faults.loseNextAnswer({ path: /callback/, times: 2 })
  await tip()
  expect(said).toEqual(['noted before 0 messages'])
  expect(shown()).toHaveLength(1)
  expect(tips()).toEqual([])
})

test('the note of an announcement is removed if Discord refuses the message', async () => {
  const { emulator, said, press, tips } = await startWorld()
  emulator.faults.refuseNext({ status: 404, code: 10_062 }, { path: /callback/ })
  press()
  await expect.poll(() => said).toEqual(['noted before 0 messages', 'note ended after 0 messages'])
  expect(tips()).toEqual([])
})

test('the note of a withdrawn announcement stays if the message cannot be deleted', async () => {
  const { emulator, tipping, said, tip } = await startWorld()
  tipping.failure = new Error('no room')
  emulator.faults.failNext(500, { method: 'DELETE', times: 99 })
  await tip()
  expect(said).toEqual(['noted before 0 messages'])
})
