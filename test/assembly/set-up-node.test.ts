import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askAddresses } from '../../src/assembly/set-up/ask-addresses.ts'
import { askNode, type Variables } from '../../src/assembly/set-up/ask-node.ts'
import { checkOwnService, withOwnService } from '../../src/assembly/set-up/prepare-own-service.ts'
import type { HowToAsk } from '../../src/assembly/set-up/prompter.ts'
import { setUp } from '../../src/assembly/set-up/set-up.ts'
import { startSandbox } from '../../src/assembly/start-sandbox.ts'
import { parseConfig } from '../../src/config/config.ts'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { msats, sats } from '../../src/lib/money/amount.ts'
import { BAKE_MACAROON } from '../../src/payments-service/backends/lnd/lnd-rights.ts'
import { FakeLnd, MACAROON } from '../payments-service/backends/lnd/fake-lnd.ts'
import { FakePhoenixd } from '../payments-service/backends/phoenixd/fake-phoenixd.ts'
import { ONE_CERTIFICATE } from '../support/certificates.ts'

const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }

let folder: string
let lnd: FakeLnd
let phoenixd: FakePhoenixd
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'set-up-node-'))
  lnd = await new FakeLnd().start()
  phoenixd = new FakePhoenixd(systemClock)
  await phoenixd.http.start()
})
afterEach(async () => {
  await Promise.all([lnd.kill(), phoenixd.http.stop()])
  rmSync(folder, { recursive: true, force: true })
})

function fileOf(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

/** Returns the answers that connect the fake lnd. */
const lndAnswers = () => [
  lnd.url,
  fileOf('macaroon', Buffer.from(MACAROON, 'hex')),
  fileOf('tls.cert', ONE_CERTIFICATE.cert),
]

type Reply = string | (() => Promise<string> | string)

/** Returns a person who gives these answers. A reply that is a function is called for its answer. */
function person(answers: Reply[]) {
  const said: string[] = []
  const choices: string[][] = []
  return {
    said: () => said.join('\n'),
    choices,
    prompter: {
      say: (text: string) => void said.push(text),
      show: (code: string) => void said.push(code),
      async ask(question: string, how?: HowToAsk): Promise<string> {
        said.push(`${question}${how?.earlier ?? ''}`)
        if (how?.choices !== undefined) choices.push(how.choices.map(({ label }) => label))
        const next = answers.shift()
        if (next === undefined) throw new Error('asked once more than expected')
        return typeof next === 'string' ? next : await next()
      },
    },
  }
}

async function nodeOf(...asked: Parameters<typeof askNode>): Promise<Variables> {
  const answer = await askNode(...asked)
  if (answer === 'back') throw new Error('another node was asked for')
  return answer.variables
}

describe('the set-up step for a node', () => {
  it('suggests the certificate in Satchel’s folder, or else the one in lnd’s folder', async () => {
    const [url = '', macaroon = ''] = lndAnswers()
    const [before, home] = [process.cwd(), process.env.HOME]
    mkdirSync(join(folder, '.lnd'))
    process.chdir(folder)
    process.env.HOME = folder
    try {
      const asked = async () => {
        const { prompter, said } = person([url, macaroon, ''])
        const variables = await nodeOf(prompter, 'lnd', runtime, {})
        expect(said()).toContain('✓ Every right that Satchel needs is there.')
        return variables.LND_TLS_CERT_FILE
      }
      expect(await asked()).toBe('./tls.cert')
      renameSync('tls.cert', join(folder, '.lnd', 'tls.cert'))
      expect(await asked()).toBe(join(folder, '.lnd', 'tls.cert'))
    } finally {
      process.chdir(before)
      process.env.HOME = home
    }
  })

  it('tests all rights without a payment, and names the command that grants them', async () => {
    lnd.forbidden.add('/routerrpc.Router/SendPaymentV2')
    const grant = () => {
      lnd.forbidden.clear()
      return ''
    }
    const { prompter, said } = person([...lndAnswers(), grant])
    const variables = await nodeOf(prompter, 'lnd', runtime, {})
    expect(variables).toMatchObject({ LIGHTNING_BACKEND: 'lnd', LND_REST_URL: lnd.url })
    expect(said()).toContain('✗ The macaroon may not call /routerrpc.Router/SendPaymentV2.')
    expect(said().split(BAKE_MACAROON).length).toBeGreaterThan(2)
    expect(said()).toContain('✓ Every right that Satchel needs is there.')
    expect(said()).toMatch(/on regtest: test sats/)
    expect(said()).toMatch(/It can send [\d,]+ sats now/)
    const moved = lnd.requests.filter((one) => /POST \/v1\/invoices|router\/send|invoices\/cancel/.test(one))
    expect(moved).toEqual([])
  })

  it.each([
    [
      'a missing file',
      () => ['', join('no', 'such', 'file'), ''],
      /LND_MACAROON_FILE names a file that does not exist/,
    ],
    [
      'an unreachable node',
      () => ['https://127.0.0.1:1', ...lndAnswers().slice(1)],
      /lnd does not answer at https:\/\/127\.0\.0\.1:1/,
    ],
  ])('explains %s, and continues if the person postpones the connection', async (_, answers, words) => {
    const { prompter, said } = person([...answers(), 'later'])
    await askNode(prompter, 'lnd', runtime, {})
    expect(said()).toMatch(words)
  })

  it('after an error, treats a path as the password file and a URL as the node’s URL', async () => {
    const full = fileOf('full', phoenixd.password)
    const wrong = join(folder, 'nope')
    const { prompter, said } = person(['http://127.0.0.1:1', wrong, full, phoenixd.http.url])
    const variables = await nodeOf(prompter, 'phoenixd', runtime, {})
    expect(variables).toMatchObject({ PHOENIXD_URL: phoenixd.http.url, PHOENIXD_PASSWORD_FILE: full })
    expect(said()).toContain(`PHOENIXD_PASSWORD_FILE is ${full} now.`)
  })

  it('is repeated on request, and says what phoenixd cannot do', async () => {
    const limited = fileOf('limited', phoenixd.limitedPassword)
    const full = fileOf('full', `${phoenixd.password}\n`)
    const { prompter, said } = person([phoenixd.http.url, limited, 'change', phoenixd.http.url, full])
    const variables = await nodeOf(prompter, 'phoenixd', runtime, {})
    expect(said()).toContain('it is the limited one. Put http-password')
    expect(said()).toMatch(/It cannot send without an invoice, cancel invoices, handle fractions of a sat/)
    expect(variables).toMatchObject({ PHOENIXD_PASSWORD_FILE: full, LND_REST_URL: undefined })
    expect(phoenixd.side.invoices).toEqual([])
  })
})

describe('the set-up step for a separate sandbox', () => {
  it('asks again if the token is wrong, and says that the sats are test sats', async () => {
    const config = parseConfig({ DATA_FOLDER: join(folder, 'sandbox'), SANDBOX_PORT: '0' })
    const sandbox = await startSandbox(config, runtime)
    const wrong = fileOf('wrong-token', '00')
    const { prompter, said } = person([sandbox.url, wrong, 'change', sandbox.url, sandbox.tokenFile])
    const variables = await nodeOf(prompter, 'remote-sandbox', runtime, {})
    expect(said()).toContain(`✗ The sandbox at ${sandbox.url} does not accept the token. Set SANDBOX_TOKEN_FILE`)
    expect(said()).toMatch(/Satchel sandbox .* on regtest: test sats/)
    expect(variables).toMatchObject({ LIGHTNING_BACKEND: 'remote-sandbox', SANDBOX_TOKEN_FILE: sandbox.tokenFile })
    await sandbox.close()
  })
})

describe('the set-up step for public URLs', () => {
  it.each([
    ['http://pay.example.org', /wallets follow codes over https only/],
    ['https://127.0.0.1:8787', /this machine or its own network/],
    ['https://192.168.1.5', /this machine or its own network/],
    ['https://no-such-name.invalid', /A wallet could not reach .*(not in the DNS|nothing answers)/],
  ])('warns that wallets cannot reach %s', async (url, words) => {
    const { prompter, said } = person([url, ...(url.startsWith('http:') ? ['http'] : []), ''])
    const variables = await askAddresses(prompter, 'own', systemClock)
    expect(said()).toMatch(words)
    expect(variables).toMatchObject({ SERVICE_PUBLIC_URL: url, TRUST_PROXY: 'true' })
  })

  it.each([
    ['a bare host name', ['no-such-name.invalid', ''], 'https://no-such-name.invalid'],
    ['an unconfirmed http URL', ['http://no-such-name.invalid/', '', ''], 'https://no-such-name.invalid'],
    ['a confirmed http URL', ['http://no-such-name.invalid', 'http', ''], 'http://no-such-name.invalid'],
  ])('derives the intended URL from %s', async (_, answers, url) => {
    const { prompter } = person(answers)
    expect(await askAddresses(prompter, 'own', systemClock)).toMatchObject({ SERVICE_PUBLIC_URL: url })
  })

  it.each([
    ['own', {}, 'before port 8787.'],
    ['own', { SERVICE_PORT: '9000' }, 'before port 9000.'],
    ['other', { SERVICE_PORT: '9000', CALLBACK_PORT: '' }, 'leads to port 8788.'],
    ['other', { CALLBACK_PORT: '9001' }, 'leads to port 9001.'],
  ] as const)(
    'names the port that is right for the provider and the settings: %s, %o',
    async (provider, settings, words) => {
      const { prompter, said } = person([''])
      await askAddresses(prompter, provider, systemClock, settings)
      expect(said()).toContain(words)
    },
  )

  it('refuses to trust every proxy, and asks about proxies only if there is a URL', async () => {
    const asked = person(['pay example.org', 'https://127.0.0.1', '0.0.0.0/0', '10.0.0.7'])
    const variables = await askAddresses(asked.prompter, 'own', systemClock)
    expect(asked.said()).toMatch(/SERVICE_PUBLIC_URL must be/)
    expect(asked.said()).toMatch(/TRUST_PROXY trusts everybody/)
    expect(variables.TRUST_PROXY).toBe('10.0.0.7')
    const without = person([''])
    expect(await askAddresses(without.prompter, 'other', systemClock)).toEqual({
      SERVICE_PUBLIC_URL: undefined,
      CALLBACK_PUBLIC_URL: undefined,
      TRUST_PROXY: undefined,
    })
    expect(without.said()).toContain('notices payments later, and nothing is lost')
  })
})

describe('set-up with a node', () => {
  const envFile = () => join(folder, '.env')
  /** Functions to call before each start of the bundled service; undefined for a start without one. */
  const beforeService: ((() => Promise<void>) | undefined)[] = []

  const play = async (answers: Reply[]) => (await playWith({}, answers)).said

  async function playWith(environment: Variables, answers: Reply[]) {
    const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy })
    try {
      const { prompter, said, choices } = person([emulator.token, '', ...answers])
      const config = (variables: Variables) => {
        const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined))
        return parseConfig({ DATA_FOLDER: join(folder, 'data'), ...set })
      }
      async function withService<Result>(variables: Variables, use: Parameters<typeof withOwnService<Result>>[2]) {
        await beforeService.shift()?.()
        return await withOwnService(config(variables), runtime, use)
      }
      await setUp({
        prompter,
        place: 'terminal',
        environment,
        runtime,
        apiUrl: emulator.restUrl,
        envFile: envFile(),
        allowFirstBook: () => undefined,
        withOwnService: withService,
      })
      return { said: said(), choices }
    } finally {
      await emulator.close()
    }
  }

  it('ends once the first payment has arrived, even if nobody presses Enter', async () => {
    // Nobody presses Enter: the payment ends the question.
    const pay = async () => {
      const [own] = lnd.network.invoices.values()
      lnd.network.receive(own?.request ?? '')
      return await new Promise<string>(() => undefined)
    }
    const said = await play(['lnd', ...lndAnswers(), '', '', 'many', '2500', pay])
    expect(said).toContain('✗ Type a whole number of sats')
    expect(said).toMatch(/^lnbc\w+$/m)
    expect(said).toContain('✓ 2,500 test sats have arrived.')
    expect(said).toContain('https://discord.com/oauth2/authorize')
    expect(readFileSync(envFile(), 'utf8')).toContain(`LIGHTNING_BACKEND=lnd\nLND_REST_URL=${lnd.url}\n`)
  })

  it('deducts the price of phoenixd’s first channel from the first payment', async () => {
    phoenixd.side.balance = msats(0)
    phoenixd.channel = undefined
    const pay = async () => {
      phoenixd.channel = 'Normal'
      phoenixd.side.payFromOutside(phoenixd.side.invoices[0]?.invoice ?? '', undefined, { received: sats(28_400) })
      return await new Promise<string>(() => undefined)
    }
    const password = fileOf('password', phoenixd.password)
    const said = await play(['phoenixd', phoenixd.http.url, password, '', '', '50000', pay])
    expect(said).toContain('! It can send nothing yet.')
    expect(said).toMatch(/phoenixd opens its channel with the first payment[\s\S]*for example 50000/)
    expect(said).toContain('✓ 50,000 test sats have arrived.')
    expect(said).toContain('The node kept 21,600 sats of them')
    expect(said).toContain('28,400 sats.')
    const config = parseConfig({
      DATA_FOLDER: join(folder, 'data'),
      LIGHTNING_BACKEND: 'phoenixd',
      PHOENIXD_URL: phoenixd.http.url,
      PHOENIXD_PASSWORD_FILE: password,
    })
    const holds = await withOwnService(config, runtime, (own) => checkOwnService(own, systemClock))
    expect(holds).toMatchObject({ ok: true, says: expect.stringContaining('holds 28,400 sats') })
  })

  it.each(['lnd', 'phoenixd'] as const)(
    'keeps the node’s settings even if the node stops between two questions: %s',
    async (kind) => {
      const password = fileOf('password', phoenixd.password)
      const answers = kind === 'lnd' ? lndAnswers() : [phoenixd.http.url, password]
      const node = kind === 'lnd' ? lnd : { kill: () => phoenixd.http.stop(), start: () => phoenixd.http.start() }
      // The node is away when the books are opened, and again when an invoice is to be made.
      const leave = async () => await node.kill()
      const comeBack = async () => {
        await node.start()
        return ''
      }
      beforeService.push(leave, leave)
      const said = await play([kind, ...answers, comeBack, '', '2500', comeBack, '2500', ''])
      expect(said).toContain('✓ The bundled payments service is working.')
      expect(said).toMatch(
        /✗ The first payment could not be completed: .*\n.*\[Enter\] to try again · "skip": go on without a payment/,
      )
      expect(said).toMatch(/Nothing has arrived\.[\s\S]*https:\/\/discord\.com\/oauth2\/authorize/)
      expect(readFileSync(envFile(), 'utf8')).toContain(`LIGHTNING_BACKEND=${kind}\n`)
    },
  )

  it('continues without a first payment if Enter is pressed', async () => {
    const said = await play(['lnd', ...lndAnswers(), '', '', '2500', ''])
    expect(said).toContain('Nothing has arrived. A payment that comes later is credited')
  })

  it('saves the node’s settings on request even if the password file does not exist', async () => {
    const wrong = join(folder, 'nope')
    const said = await play(['phoenixd', phoenixd.http.url, wrong, 'later', '', ''])
    expect(said).toContain('PHOENIXD_PASSWORD_FILE names a file that does not exist')
    expect(said).toContain('Your node was not ready.')
    expect(readFileSync(envFile(), 'utf8')).toContain(`PHOENIXD_PASSWORD_FILE=${wrong}\n`)
  })

  it('returns to the choice of a node on request', async () => {
    await play(['phoenixd', phoenixd.http.url, join(folder, 'nope'), 'back', '', '', ''])
    expect(readFileSync(envFile(), 'utf8')).not.toMatch(/PHOENIXD|LIGHTNING_BACKEND/)
  })

  it('asks for another folder for new books if the data folder has the sandbox’s books', async () => {
    await play(['', '', ''])
    const other = join(folder, 'data-lnd')
    const said = await play(['lnd', ...lndAnswers(), other, '', '', ''])
    expect(said).toContain('sandbox')
    expect(said).toContain('A folder for new books (DATA_FOLDER; empty for ./data/lnd)')
    expect(readFileSync(envFile(), 'utf8')).toContain(`DATA_FOLDER=${other}\n`)
  })

  it('names the node whose secret it asks for, and never offers another node’s secret', async () => {
    const [url = '', macaroon = '', certificate = ''] = lndAnswers()
    const away = 'https://127.0.0.1:1'
    const said = await play(['lnd', away, macaroon, certificate, 'change', url, macaroon, certificate, '', '', ''])
    expect(said).toContain(`(LND_REST_URL; empty for https://127.0.0.1:8080): ${away}`)
    expect(said).not.toContain(`: ${macaroon}`)
    for (const each of [away, url]) expect(said).toContain(`The file of the macaroon for ${each} (LND_MACAROON_FILE`)
  })

  it('offers the environment’s node first, and does not ask for the node’s settings', async () => {
    const [url = '', macaroon = '', certificate = ''] = lndAnswers()
    const environment = { LND_REST_URL: url, LND_MACAROON_FILE: macaroon, LND_TLS_CERT_FILE: certificate }
    const { said, choices } = await playWith(environment, ['lnd', '', '', ''])
    expect(choices.find((labels) => labels.includes('Test sats'))?.slice(0, 3)).toEqual([
      'The lnd of this machine',
      'Test sats',
      'Core Lightning',
    ])
    expect(said).toContain('✓ This machine has settings for lnd.')
    expect(said).toContain(`LND_REST_URL is set in the environment: ${url}`)
    expect(said).toContain('✓ Every right that Satchel needs is there.')
    expect(said).not.toContain(BAKE_MACAROON)
    expect(readFileSync(envFile(), 'utf8')).toContain(`LIGHTNING_BACKEND=lnd\nLND_REST_URL=${url}\n`)
  })

  it('selects test sats by default even if the environment has settings for a node', async () => {
    await playWith({ PHOENIXD_URL: phoenixd.http.url }, ['', '', ''])
    expect(readFileSync(envFile(), 'utf8')).not.toMatch(/PHOENIXD|LIGHTNING_BACKEND/)
  })

  it('asks only for those settings that the environment lacks', async () => {
    const password = fileOf('password', phoenixd.password)
    const { said } = await playWith({ PHOENIXD_URL: phoenixd.http.url }, ['phoenixd', password, '', '', ''])
    expect(said).toContain('PHOENIXD_PASSWORD_FILE; empty for')
    expect(said).not.toContain('PHOENIXD_URL; empty for')
  })
})
