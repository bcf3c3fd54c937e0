import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { takePortBlock } from '../../src/lib/http/port-block.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createWorld } from '../../src/playground/create-world.ts'
import { createPageServer } from '../../src/playground/page-server.ts'
import { closeBrowser, openTab, picture } from './browser.ts'
import { openPlayground } from './real-world.ts'

afterAll(closeBrowser)

/** Reserves a port for a page that stops and restarts; returns its number. */
async function aPort(): Promise<number> {
  const block = await takePortBlock(systemEntropy)
  onTestFinished(() => block.giveBack())
  return block.ports[0] ?? 0
}

test('an open page reconnects to a restarted playground and shows a missed message', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-browser-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const port = await aPort()
  const first = await createWorld({ ...around, folder })
  const server = await createPageServer({ world: first, port, ...around })
  const page = await openTab(server.url)
  await page.keyboard.type('before the restart')
  await page.keyboard.press('Enter')
  await page.getByText('before the restart').waitFor()
  await server.close()
  await first.close()
  await page.getByText('The playground does not answer.').waitFor()
  await picture(page, 'lost')
  const second = await createWorld({ ...around, folder })
  onTestFinished(() => second.close())
  second.emulator.as(second.cast.people.bob ?? '').say(second.cast.channels.general, 'said while you were away')
  const again = await createPageServer({ world: second, port, ...around })
  onTestFinished(() => again.close())
  await page.getByText('said while you were away').waitFor()
  await page.getByText('before the restart').waitFor()
  await page.getByText('The playground does not answer.').waitFor({ state: 'detached' })
  await page.keyboard.type('/balance')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByText('Your balance').waitFor()
})

test('an open page enters the new world of a playground that starts over', async () => {
  const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'satchel-browser-')))
  onTestFinished(() => folders.forEach((folder) => void rmSync(folder, { recursive: true, force: true })))
  const port = await aPort()
  const first = await createWorld({ ...around, folder: folders[0] ?? '' })
  const server = await createPageServer({ world: first, port, ...around })
  const page = await openTab(server.url, { as: '' })
  await page.keyboard.type('soon forgotten')
  await page.keyboard.press('Enter')
  await page.getByText('soon forgotten').waitFor()
  await server.close()
  await first.close()
  const second = await createWorld({ ...around, folder: folders[1] ?? '' })
  onTestFinished(() => second.close())
  const again = await createPageServer({ world: second, port, ...around })
  onTestFinished(() => again.close())
  await page.getByText('soon forgotten').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /You are Alice/ }).waitFor()
  await page.locator('#composer').fill('a new day')
  await page.keyboard.press('Enter')
  await page.locator('.message-list').getByText('a new day').waitFor()
})

test('after the bot is killed, the page says that the bot is down and can restart it', async () => {
  const { url, world } = await openPlayground()
  const page = await openTab(url)
  await page.getByRole('button', { name: 'Misbehave' }).click()
  await page.getByRole('button', { name: 'Kill the bot' }).click()
  await page.getByText('The bot is stopped.').waitFor()
  await page.getByText('Bot down').waitFor()
  await page.locator('#composer').click()
  await page.keyboard.type('/balance')
  await page.keyboard.press('Enter')
  await page.getByText('The bot is offline: nobody will answer.').waitFor()
  await picture(page, 'bot-down')
  await page.keyboard.press('Enter')
  await page.getByText('The application did not respond').waitFor()
  await page.getByRole('button', { name: 'Start it again' }).click()
  await page.getByText('Bot up').waitFor()
  expect(world.bot.running).toBe(true)
  await page.keyboard.type('/balance')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByText('Your balance').waitFor()
})

test('two tabs can act as two people, and a change of person hides private replies', async () => {
  const { url } = await openPlayground()
  const alice = await openTab(url)
  const bob = await openTab(url, { as: 'bob' })
  await alice.keyboard.type('/balance')
  await alice.keyboard.press('Enter')
  await alice.keyboard.press('Enter')
  await alice.getByText('Your balance').waitFor()
  await bob.keyboard.type('good morning')
  await bob.keyboard.press('Enter')
  await alice.getByText('good morning').waitFor()
  await alice.getByRole('button', { name: /You are Alice/ }).click()
  await alice.getByRole('option', { name: /^Mod/ }).click()
  await alice.getByRole('button', { name: 'mods' }).waitFor()
  await alice.getByText('good morning').waitFor()
  expect(await alice.getByText('Your balance').count()).toBe(0)
  for (const tab of [alice, bob]) await tab.reload()
  await alice.getByRole('button', { name: /You are Mod/ }).waitFor()
  await bob.getByRole('button', { name: /You are Bob/ }).waitFor()
})
