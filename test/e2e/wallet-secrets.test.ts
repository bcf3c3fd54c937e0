import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { backUp } from '../../src/assembly/backup/backup.ts'
import { openWalletKeys, WALLET_KEY_FILE } from '../../src/assembly/wallet-keys.ts'
import { parseConfig } from '../../src/config/config.ts'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { readConnection } from '../../src/lib/nostr/wallet-connect/connection.ts'
import { openSealed } from '../../src/lib/sealed-text.ts'
import { createWorld } from '../../src/playground/create-world.ts'
import { Stage, silentTeller } from '../../src/playground/flows/stage.ts'

/** Opens a world in its own folder, and records its log at level `trace`. */
async function openWorld() {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const logger = createLogger({ level: 'trace', name: 'test', destination })
  const above = mkdtempSync(join(tmpdir(), 'satchel-wallet-secrets-'))
  const folder = join(above, 'data')
  const world = await createWorld({ clock: systemClock, entropy: systemEntropy, logger, folder })
  onTestFinished(async () => {
    await world.close()
    rmSync(above, { recursive: true, force: true })
  })
  return { world, stage: new Stage(world, silentTeller), folder, backup: join(above, 'backup'), lines }
}

/** Returns the answer of the page on which somebody pastes a connection. */
async function paste(stage: Stage, who: string, connection: string): Promise<string> {
  const [card] = await stage.command(who, 'wallet')
  const [invitation] = await stage.press(who, card as MessageView, 'Connect my wallet')
  const buttons = [...everyComponent(invitation?.components ?? [])] as unknown as { label: string; url?: string }[]
  const { origin, pathname, hash } = new URL(buttons.find(({ label }) => label === 'Open the page')?.url ?? '')
  const body = new URLSearchParams({ key: hash.slice(1), connection })
  return await (await fetch(origin + pathname, { method: 'POST', body })).text()
}

/** Returns each form in which a secret's bytes could be stored. */
function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret, 'hex')
  const texts = [secret, secret.toUpperCase(), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
  return [bytes, ...texts.map((text) => Buffer.from(text))]
}

/** Returns the names of the places that contain a secret in any form. */
function holders(secrets: readonly string[], places: Readonly<Record<string, string | Buffer>>): string[] {
  const forms = secrets.flatMap(formsOf)
  return Object.entries(places)
    .filter(([, content]) => forms.some((form) => Buffer.from(content).includes(form)))
    .map(([name]) => name)
}

function filesIn(folder: string, prefix: string): Record<string, Buffer> {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(names.map(({ name }) => [`${prefix}/${name}`, readFileSync(join(folder, name))]))
}

it('after payments and failures, a wallet’s secret is stored only in sealed form', {
  timeout: 90_000,
}, async () => {
  const { world, stage, folder, backup, lines } = await openWorld()
  const connectionOf = (name: string) => world.memberWallets.list().find((each) => each.name === name)?.connection ?? ''
  const secrets = ['alice', 'bob'].map((name) => readConnection(connectionOf(name)).secret)
  const damaged = connectionOf('alice').replace('ws%3A%2F%2F127.0.0.1', 'wss%3A%2F%2F127.0.0.1')
  const pages = [
    await paste(stage, 'alice', damaged),
    await paste(stage, 'alice', connectionOf('alice')),
    await paste(stage, 'bob', connectionOf('alice')),
    await paste(stage, 'bob', connectionOf('bob')),
  ]
  expect(pages.map((page) => page.includes('Your wallet is connected'))).toEqual([false, true, false, true])
  await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '500' })
  await stage.sees('carol', /paid from wallet to wallet/)
  // Its connection may spend 20,000 sats a month: the last of these is refused by the wallet.
  for (let nth = 1; nth <= 5; nth += 1) await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '9999' })
  await stage.sees('carol', /does not cover this tip/)
  await stage.command('carol', 'tip', { to: stage.id('bob'), amount: '5', note: connectionOf('bob') })
  const copies = await Promise.all(['alice', 'bob'].map((who) => world.bot.tipping.privacy.export(stage.id(who))))
  const history = await world.bot.tipping.history.export(stage.id('alice'))
  await world.settled()
  await backUp(parseConfig({ DATA_FOLDER: folder }), backup, systemClock)
  await world.bot.kill()

  const database = new Database(join(folder, 'tipping.sqlite'), { readonly: true })
  const rows = database.prepare('SELECT "id", "sealed" FROM "WalletConnection"').all() as {
    id: string
    sealed: string
  }[]
  database.close()
  const { 'data/member-wallets.json': theWalletsOwn, ...files } = filesIn(folder, 'data')
  const text = (value: unknown) =>
    JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? inner.toString() : inner))
  const places = {
    ...{ log: lines.join(''), pages: pages.join('\n'), copies: text(copies), history: text(history) },
    discord: text(world.emulator.requests()),
    ...files,
    ...filesIn(backup, 'backup'),
  }
  expect(lines.length).toBeGreaterThan(20)
  expect(Object.keys(places)).toEqual(expect.arrayContaining(['data/tipping.sqlite', `backup/${WALLET_KEY_FILE}`]))
  // The wallets know their own connections: the search finds what is there.
  expect(holders(secrets, { theWalletsOwn: theWalletsOwn ?? '' })).toEqual(['theWalletsOwn'])
  expect(holders(secrets, places)).toEqual([])
  const keys = openWalletKeys(join(folder, WALLET_KEY_FILE)).all()
  expect(rows.map(({ id, sealed }) => openSealed(sealed, keys, id)).sort()).toEqual(secrets.sort())
})

it('a process that ends with a wallet’s error does not print the wallet’s secret', () => {
  const secret = Buffer.alloc(32, 7).toString('hex')
  const connection = `nostr+walletconnect://${'ab'.repeat(32)}?relay=ws%3A%2F%2F127.0.0.1%3A65533&secret=${secret}`
  const code = `
    import { systemClock } from './src/lib/clock.ts'
    import { createLogger } from './src/lib/logger.ts'
    import { readConnection } from './src/lib/nostr/wallet-connect/connection.ts'
    import { openOverRelays } from './src/tipping/engine/own-wallets/member-wallet.ts'
    const wallet = openOverRelays({ clock: systemClock, allowLoopback: true })(readConnection(process.env.CONNECTION))
    const log = createLogger({ level: 'trace', name: 'test' })
    log.fatal({ wallet, connection: process.env.CONNECTION }, process.env.CONNECTION)
    console.error(wallet)
    await wallet.info()`
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, CONNECTION: connection },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/NwcNoAnswer/)
  expect(stdout).toContain('[redacted]')
  expect(holders([secret], { stdout, stderr })).toEqual([])
})
