import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createWorld } from '../../src/playground/create-world.ts'
import { Stage, silentTeller } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'

/**
 * Tests a server's wallet from the button to the reward, through a local relay. The server's wallet is alice's here.
 */

let world: Awaited<ReturnType<typeof createWorld>>
let folder: string
let stage: Stage

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'server-wallet-'))
  world = await createWorld({ clock: systemClock, entropy: systemEntropy, logger: silentLogger, folder })
  stage = new Stage(world, silentTeller)
})

afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const walletOf = (name: string) => world.memberWallets.list().find((each) => each.name === name)
const urlIn = (message: MessageView | undefined) => {
  const buttons = [...everyComponent(message?.components ?? [])] as unknown as { url?: string }[]
  return new URL(buttons.find(({ url }) => url !== undefined)?.url ?? '')
}
const said = (messages: readonly MessageView[]) => messages.map(textOf).join('\n')

/** Returns the link to the page that connects a wallet, which a moderator receives. */
async function invited(who: string): Promise<URL> {
  const [pool] = await stage.command(who, 'pool balance')
  const [invitation] = await stage.press(who, pool as MessageView, 'Connect a wallet')
  return urlIn(invitation)
}

async function paste(url: URL, name: string): Promise<string> {
  const body = new URLSearchParams({ key: url.hash.slice(1), connection: walletOf(name)?.connection ?? '' })
  return await (await fetch(url.origin + url.pathname, { method: 'POST', body })).text()
}

it('a server’s wallet is connected on a web page, pays a reward, and is disconnected', {
  timeout: 60_000,
}, async () => {
  await stage.command('lounge-owner', 'pool budget', { role: '@Moderators', amount: '2000', period: 'day' })
  const url = await invited('mod')
  expect(await (await fetch(url)).text()).toContain('Connect a wallet for your server')
  expect(await paste(url, 'alice')).toContain('It pays your server&#39;s rewards.')
  expect(said(await stage.command('mod', 'pool balance'))).toMatch(/pays this server's rewards/)
  expect(said(await stage.command('carol', 'pool balance'))).toMatch(/pays this server's rewards/)
  // Bob's own wallet receives his reward.
  const { token } = await world.bot.tipping.ownWallets.invite({ member: stage.id('bob'), locale: 'en' })
  await world.bot.tipping.ownWallets.connect({ token, text: walletOf('bob')?.connection ?? '' })
  await stage.command('mod', 'reward', { to: stage.id('bob'), amount: '700', reason: 'Soup' })
  await stage.sees('carol', /rewards[\s\S]*paid from wallet to wallet/)
  expect([walletOf('alice'), walletOf('bob')].map((wallet) => wallet?.balance)).toEqual([49_300_000, 50_700_000])
  expect(await stage.holds('bot', 'member', 'bob')).toBe(0)
  expect(said(await stage.command('mod', 'reward', { to: stage.id('dave'), amount: '5', reason: 'Soup' }))).toMatch(
    /There is no connected wallet for/,
  )
  const [settings] = await stage.command('lounge-owner', 'settings')
  const server = await stage.press('lounge-owner', settings as MessageView, 'Server settings')
  expect(said(server)).toMatch(/Wallet for rewards/)
  const [pool] = await stage.command('mod', 'pool balance')
  expect(said(await stage.press('mod', pool as MessageView, 'Disconnect'))).toMatch(/I have deleted its key/)
  expect(said(await stage.command('mod', 'pool balance'))).not.toMatch(/pays this server's rewards/)
})

it('a member who lost the moderators’ role cannot connect the server’s wallet', { timeout: 60_000 }, async () => {
  const url = await invited('operator')
  const discord = world.emulator.world
  const guild = discord.servers().find(({ name }) => name === 'Lightning Lounge')?.id ?? ''
  discord.addMember(guild, stage.id('operator'), { roleIds: [] })
  expect(await paste(url, 'alice')).toContain('You no longer moderate that server')
  expect(await world.bot.tipping.ownWallets.ofServer(guild)).toBeUndefined()
})
