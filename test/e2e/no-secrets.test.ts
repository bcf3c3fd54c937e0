import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { storedProject } from '../../src/assembly/own-project.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { createWorld } from '../../src/playground/create-world.ts'
import { Stage, silentTeller } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { fund } from './harness.ts'

/** Returns the values that a query finds in a side's own file, such as secrets. */
function columnOf(folder: string, side: 'payments' | 'tipping', sql: string): string[] {
  const database = new Database(join(folder, `${side}.sqlite`), { readonly: true })
  try {
    return database.prepare(sql).pluck().all() as string[]
  } finally {
    database.close()
  }
}

it('no log, error or metric of a whole run has a key, token, preimage or code', {
  timeout: 60_000,
}, async () => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const logger = createLogger({ level: 'trace', name: 'test', destination })
  const folder = mkdtempSync(join(tmpdir(), 'satchel-secrets-'))
  const world = await createWorld({ clock: systemClock, entropy: systemEntropy, logger, folder })
  onTestFinished(async () => {
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const stage = new Stage(world, silentTeller)
  await fund(stage, 'alice', 10_000)
  await stage.command('bob', 'link', { wallet: 'bob' })
  await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '500' })
  const [redeemed] = await stage.command('alice', 'voucher create', { amount: '1000' })
  const code = /`([0-9A-Z]{8})`/.exec(redeemed ? textOf(redeemed) : '')?.[1] ?? ''
  await stage.command('bob', 'voucher redeem', { code })
  await stage.command('carol', 'voucher redeem', { code })
  await stage.command('alice', 'voucher create', { amount: '900' })
  const [asked] = await stage.command('alice', 'withdraw', { amount: '400' })
  if (asked) await stage.press('alice', asked, 'Show the code')
  await world.phone.claim(await stage.scan(await stage.sees('alice', /works once/), 'withdrawal'))
  const [wallet] = await stage.command('alice', 'wallet')
  const signIn = /token=([\w-]{43})/.exec(JSON.stringify(wallet?.components))?.[1] ?? 'missing'
  await fetch(`${world.service.url}/wallet/sign-in?token=${signIn}`)
  const project = storedProject(folder)
  const token = await world.service.administration().createUser('zoe')
  const errors = await Promise.all([
    fetch(`${world.service.url}/v0/wallet`, { headers: { apikey: `wrong-${project?.apiKey}` } }),
    fetch(`${world.service.url}/v1/vouchers/${code}`, { headers: { apikey: 'x' } }),
    fetch(`${world.service.url}/v0/nothing?k1=${token.token}&secret=${code}`, { headers: { apikey: 'x' } }),
    fetch(`${world.bot.callbackUrl}/callbacks/unknown-token-of-nobody-at-all`, {
      method: 'POST',
      body: `{"preimage": ${code}`,
    }),
  ])
  // The service dies in the middle of work: failures say why, and no more.
  await world.service.kill()
  await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '50' })
  await world.service.start()
  await world.settled()
  const metrics = await (await fetch(`${world.service.url}/metrics`)).text()
  const bodies = await Promise.all(errors.map((answer) => answer.text()))

  const [invoices, sent, requests, vouchers, keys, watches] = [
    columnOf(folder, 'payments', 'SELECT "preimage" FROM "Invoice" WHERE "preimage" IS NOT NULL'),
    columnOf(folder, 'payments', 'SELECT "preimage" FROM "Payment" WHERE "preimage" IS NOT NULL'),
    columnOf(folder, 'payments', 'SELECT "secret" FROM "WithdrawalRequest"'),
    columnOf(folder, 'payments', 'SELECT "code" FROM "Voucher"'),
    columnOf(folder, 'payments', 'SELECT "secret" FROM "CallbackSecret"'),
    columnOf(folder, 'tipping', 'SELECT "token" FROM "Watch" WHERE "token" IS NOT NULL'),
  ]
  const secrets = [
    ...[project?.apiKey, project?.callbackSecret, world.emulator.token, token.token, signIn],
    ...[...invoices, ...sent, ...requests, ...vouchers, ...keys, ...watches],
  ]
  expect(invoices.length * sent.length * requests.length * vouchers.length * watches.length).toBeGreaterThan(0)
  expect(lines.length).toBeGreaterThan(20)
  const output = { log: lines.join(''), metrics, errors: bodies.join('\n') }
  for (const secret of secrets) {
    expect(secret).toMatch(/^\S{8,}$/)
    for (const [where, text] of Object.entries(output)) {
      const at = text.indexOf(String(secret))
      expect(at < 0 ? '' : `${where}: …${text.slice(Math.max(at - 200, 0), at + 20)}`).toBe('')
    }
  }
})
