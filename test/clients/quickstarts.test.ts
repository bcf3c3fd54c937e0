import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPooledStage } from '../e2e/pooled-stage.ts'
import { ServiceWorld } from '../payments-service/harness.ts'
import { must } from '../support/must.ts'
import { Program } from './program.ts'
import { CLIENTS, hasPython } from './run-python.ts'

interface Language {
  readonly name: string
  readonly command: string
  readonly charge: string
  readonly reward: string
}

const typescript: Language = {
  name: 'TypeScript',
  command: process.execPath,
  charge: 'clients/typescript/quickstarts/first-charge.ts',
  reward: 'clients/typescript/quickstarts/first-reward.ts',
}
const python: Language = {
  name: 'Python',
  command: 'python3',
  charge: 'clients/python/quickstarts/first_charge.py',
  reward: 'clients/python/quickstarts/first_reward.py',
}
/** The languages of the tested examples: those in Python run only with Python 3.9 or later. */
const LANGUAGES = hasPython ? [typescript, python] : [typescript]

let service: ServiceWorld
beforeEach(async () => {
  service = await ServiceWorld.open()
})
afterEach(() => service.close())

describe('the first charge', () => {
  it.each(LANGUAGES)('is created and reported as paid by the $name example', async ({ command, charge }) => {
    const { apiKey, client } = await service.project()
    const program = new Program(command, charge, { SATCHEL_URL: service.url, SATCHEL_KEY: apiKey })
    await service.sandbox.outside.pay(await program.says(/^Pay this: (ln\w+)$/m))
    expect(await program.ended, program.text).toBe(0)
    expect(program.text).toMatch(/^Paid at 20\d\d-/m)
    const { data } = await client.listTransactions({ type: 'charge' })
    expect(data.transactions).toMatchObject([{ amount: 21_000n, internalId: 'order-7' }])
  })

  it.each(LANGUAGES)(
    'fails in the $name example with “happened: no” if the key is wrong',
    async ({ command, charge }) => {
      const program = new Program(command, charge, { SATCHEL_URL: service.url, SATCHEL_KEY: 'sk_wrong' })
      expect(await program.ended).toBe(1)
      expect(program.text).toMatch(/happened: no/)
    },
  )
})

it.each(
  LANGUAGES.flatMap(({ name, command, charge, reward }) => [
    { name, command, file: charge },
    { name, command, file: reward },
  ]),
)('$file fails and names the missing SATCHEL_KEY', async ({ command, file }) => {
  const program = new Program(command, file, {})
  expect(await program.ended).toBe(1)
  expect(program.text).toMatch(/^Set SATCHEL_KEY to .*\.\n$/)
})

it('the TypeScript package compiles to JavaScript with types', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-'))
  try {
    const tsc = join(CLIENTS, '../node_modules/.bin/tsc')
    await promisify(execFile)(process.execPath, [tsc, '-p', join(CLIENTS, 'typescript'), '--outDir', folder])
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const { PaymentsClient, verifyWebhook } = await import(join(folder, 'index.js'))
    const { apiKey } = await service.project()
    const { data } = await new PaymentsClient({ baseUrl: service.url, apiKey }).getWallet()
    expect(data).toMatchObject({ unit: 'msats', balance: '100000000' })
    expect(verifyWebhook({ headers: {}, body: '', secret: 'whsec_aa' })).toBeUndefined()
    expect(readFileSync(join(folder, 'generated/payments.d.ts'), 'utf8')).toMatch(
      /createCharge\(input: CreateChargeInput/,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it.each(LANGUAGES)('the $name first-reward example pays a member once if run twice', async ({ command, reward }) => {
  const stage = await openPooledStage()
  const [made] = await stage.command('mod', 'api-key create', { name: 'arena', use: 'rewards', budget: '500' })
  const key = must(/satchel_[\w-]{43}/.exec(JSON.stringify(made))?.[0])
  const { origin } = new URL(stage.world.bot.callbackUrl)
  const env = { SATCHEL_URL: origin, SATCHEL_KEY: key, MEMBER: stage.id('bob') }
  for (let times = 0; times < 2; times += 1) {
    const program = new Program(command, reward, env)
    expect(await program.ended, program.text).toBe(0)
    expect(program.text).toMatch(/^Reward [\da-f-]{36}: given$/m)
  }
  await stage.until('bob is paid once', async () => (await stage.wealth('bob')) === 21)
  const refused = new Program(command, reward, { ...env, MEMBER: '99999999999999999' })
  expect(await refused.ended).toBe(1)
  expect(refused.text).toMatch(/^This Idempotency-Key belongs .*\(happened: no\)\n$/)
})
