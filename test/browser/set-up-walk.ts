import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { KillableProcess } from '../../proof/world/processes/killable-process.ts'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { storedPorts } from '../../src/playground/world/ports.ts'

/** Starts Satchel for the first time, without a token or data. */
export async function startEmpty(environment: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-set-up-'))
  const ports = await storedPorts(folder, systemEntropy)
  const discord = await createEmulator({ clock: systemClock, entropy: systemEntropy, requestsPerSecond: 100_000 })
  const seeded = seedWorld(discord, Date.now())
  const satchel = new KillableProcess(
    'start.ts',
    folder,
    {
      NODE_ENV: 'production',
      DATA_FOLDER: './data',
      DISCORD_API_URL: discord.restUrl,
      SERVICE_PORT: String(ports.service),
      CALLBACK_PORT: String(ports.callbacks),
      ...environment,
    },
    /Set up Satchel at/,
    ['--setup'],
  )
  onTestFinished(async () => {
    await satchel.discard()
    await discord.close()
    await ports.giveBack()
    rmSync(folder, { recursive: true, force: true })
  })
  await satchel.start()
  return { discord, seeded, satchel, link: /http:\S+/.exec(satchel.said)?.[0] ?? '', port: ports.callbacks }
}

export async function answer(page: Page, question: string, text: string): Promise<void> {
  await page.getByText(question).last().waitFor()
  await page.locator('#answer').fill(text)
  await page.getByRole('button', { name: 'Continue' }).click()
}

export async function choose(page: Page, question: string, choice: string): Promise<void> {
  await page.getByText(question).last().waitFor()
  await page.getByRole('button', { name: choice, exact: true }).click()
}

export async function start(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start Satchel' }).click()
  await page.getByText('✓ Satchel is running').waitFor({ timeout: 120_000 })
}

/** Returns a person of the emulator, in the channel for tips. */
export function person(
  { discord, seeded }: Pick<Started, 'discord' | 'seeded'>,
  name: keyof Started['seeded']['people'],
) {
  const here = discord.as(seeded.people[name])
  const channel = seeded.channels.tips
  return {
    ...{ here, channel },
    /** Runs a command. Resolves to the interaction once the bot has answered. */
    async runs(command: string, options: Readonly<Record<string, string>> = {}) {
      const handle = here.run(channel, command, options)
      await handle.answered()
      return handle
    },
    /** Waits until a message of the channel matches. Resolves to the newest such message. */
    async sees(words: RegExp) {
      const newest = () => here.conversation(channel).findLast((message) => words.test(textOf(message)))
      await expect.poll(newest, { timeout: 60_000 }).toBeDefined()
      return newest() as NonNullable<ReturnType<typeof newest>>
    },
  }
}

type Started = Awaited<ReturnType<typeof startEmpty>>
