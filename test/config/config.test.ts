import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { ConfigProblem, parseConfig, type Secret } from '../../src/config/config.ts'

function problems(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigProblem)
    return (error as ConfigProblem).problems
  }
}

describe('the configuration', () => {
  it('needs no variables to open the playground', () => {
    const config = parseConfig({})
    expect(config).toMatchObject({ discord: undefined, provider: undefined, playgroundPort: 8080, host: '127.0.0.1' })
    expect(config.service).toMatchObject({ port: 8787, lightning: { kind: 'sandbox' }, gamertagReservedDays: 30 })
    expect(config.tippingDatabaseUrl).toBe('file:./data/tipping.sqlite')
  })

  it('puts the payments database into the data folder', () => {
    expect(parseConfig({ DATA_FOLDER: '/srv/satchel' }).service.databaseUrl).toBe('file:/srv/satchel/payments.sqlite')
  })

  it.each([
    [{ DATA_FOLDER: '~/satchel' }, 'DATA_FOLDER begins with ~, which only a shell replaces: write the whole path.'],
    [{ DATA_FOLDER: '~' }, 'DATA_FOLDER begins with ~,'],
    [{ DATA_FOLDER: '~satchel/data' }, 'DATA_FOLDER begins with ~satchel,'],
    [{ DATA_FOLDER: '$HOME/data' }, 'DATA_FOLDER begins with $HOME,'],
    [{ WALLET_KEY_FILE: `\${HOME}/key` }, `WALLET_KEY_FILE begins with \${HOME},`],
    [{ TIPPING_DATABASE_URL: 'file:~/bot.sqlite' }, 'TIPPING_DATABASE_URL begins with ~,'],
    [{ PAYMENTS_DATABASE_URL: 'file:$PWD/pay.sqlite' }, 'PAYMENTS_DATABASE_URL begins with $PWD,'],
  ])('refuses a path that begins with ~ or a shell variable: %o', (environment, problem) => {
    expect(() => parseConfig(environment)).toThrow(problem)
  })

  it.each([
    [{ CONSOLE_PASSWORD: 'too short' }, /CONSOLE_PASSWORD must be at least 12 characters/],
    [{ CONSOLE_READ_PASSWORD: 'too short' }, /CONSOLE_READ_PASSWORD must be at least 12 characters/],
    [
      { CONSOLE_PASSWORD: 'the same for both', CONSOLE_READ_PASSWORD: 'the same for both' },
      /CONSOLE_READ_PASSWORD must not be the same as CONSOLE_PASSWORD/,
    ],
  ])('refuses short or identical console passwords: %o', (environment, problem) => {
    expect(problems(environment)).toEqual([expect.stringMatching(problem)])
  })

  it('leaves a path unchanged if it only resembles one with a leading ~ or $VARIABLE', () => {
    for (const DATA_FOLDER of ['./~/data', '~data.old', 'pay$HOME', '/srv/$/data', '../data']) {
      expect(parseConfig({ DATA_FOLDER }).dataFolder).toBe(DATA_FOLDER)
    }
  })

  it('hides its secrets when it is printed', () => {
    const config = parseConfig({ DISCORD_TOKEN: 'sesame', CALLBACK_SIGNING_SECRET: 'whsec_a,whsec_b' })
    expect(config.discord?.token.reveal()).toBe('sesame')
    expect(config.callbacks.signingSecrets.map((secret) => secret.reveal())).toEqual(['whsec_a', 'whsec_b'])
    for (const shown of [inspect(config, { depth: 9 }), JSON.stringify(config), `${config.discord?.token}`]) {
      expect(shown).not.toContain('sesame')
      expect(shown).not.toContain('whsec_a')
    }
  })

  it.each([
    [
      { SERVICE_PORT: 'eighty' },
      'SERVICE_PORT must be a whole number from 0 to 65535, not "eighty". Example: SERVICE_PORT=8787',
    ],
    [{ PLAYGROUND_PORT: '70000' }, 'PLAYGROUND_PORT must be a whole number'],
    [{ SERVICE_PUBLIC_URL: 'pay.example.org' }, 'SERVICE_PUBLIC_URL must be an http or https address'],
    [{ CALLBACKS_ALLOW_LOOPBACK: 'maybe' }, 'CALLBACKS_ALLOW_LOOPBACK must be true or false, not "maybe"'],
    [
      { LIGHTNING_BACKEND: 'eclair' },
      'LIGHTNING_BACKEND must be one of lnd, core-lightning, phoenixd, nwc, sandbox, remote-sandbox',
    ],
    [{ FEE_LIMIT_PERCENT: '-1' }, 'FEE_LIMIT_PERCENT must be a number from 0 to 100'],
    [{ GAMERTAG_RESERVED_DAYS: '1.5' }, 'GAMERTAG_RESERVED_DAYS must be a whole number'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
    [{ TIPPING_DATABASE_URL: 'mysql://x' }, 'TIPPING_DATABASE_URL must be a SQLite file'],
    [{ DISCORD_TOKEN: 'Bot abc' }, 'DISCORD_TOKEN must be only the token'],
    [{ PUBLIC_API_SERVERS: '123456789012345678, all' }, 'PUBLIC_API_SERVERS must be Discord ids of 17 to 20 digits'],
    [{ DISCORD_TOKEN: 'abc', DISCORD_GUILD_ID: '12' }, 'DISCORD_GUILD_ID must be a Discord id'],
    [
      { DISCORD_TOKEN: 'abc', DISCORD_API_URL: 'https://discord.com/api/v10' },
      'Example: DISCORD_API_URL=https://discord.com/api',
    ],
    [{ DISCORD_API_URL: 'https://discord.com/api' }, 'DISCORD_TOKEN is missing'],
    [{ PAYMENTS_BASE_URL: 'https://api.example.org' }, 'PAYMENTS_API_KEY is missing'],
    [{ PAYMENTS_API_KEY: 'key' }, 'PAYMENTS_BASE_URL is missing'],
    [{ CALLBACK_PORT: '8787' }, 'CALLBACK_PORT must differ from SERVICE_PORT'],
    [{ CALLBACK_PUBLIC_URL: 'http://192.168.1.5:8788' }, 'CALLBACK_PUBLIC_URL is an address that'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must be at least 16 characters'],
    [{ TRUST_PROXY: 'nginx' }, 'TRUST_PROXY must be true (the nearest proxy), false, or addresses'],
    [{ TRUST_PROXY: '127.0.0.1,10.0.0.0/33' }, '"10.0.0.0/33" is not one'],
    [{ TRUST_PROXY: '127.0.0.1,,::1' }, '"" is not one'],
    [{ TRUST_PROXY: '2' }, '"2" is not one'],
    [{ TRUST_PROXY: '0.0.0.0/0' }, 'trusts everybody with "0.0.0.0/0"'],
    [{ TRUST_PROXY: '::/0' }, 'trusts everybody with "::/0"'],
    [{ CALLBACK_SOURCE_IPS: 'hooks.example.org' }, '"hooks.example.org" is not one'],
    [{ CALLBACK_SOURCE_IPS: '203.0.113.7 2001:db8::7' }, '"203.0.113.7 2001:db8::7" is not one'],
    [{ CALLBACK_SOURCE_IPS: '203.0.113.7:443' }, '"203.0.113.7:443" is not one'],
    [{ CALLBACK_SOURCE_IPS: '0.0.0.0/0' }, '"0.0.0.0/0" is not one'],
    [{ INTERNAL_TRANSFERS: 'shop' }, 'INTERNAL_TRANSFERS must be ids separated by commas, two or more in a group'],
    [{ INTERNAL_TRANSFERS: 'shop,game;club' }, 'two or more in a group'],
    [{ INTERNAL_TRANSFERS: 'shop,shop' }, 'two or more in a group'],
    [{ INTERNAL_TRANSFERS: 'shop game' }, 'two or more in a group'],
    [{ INTERNAL_TRANSFERS: 'shop,my game' }, 'two or more in a group'],
    [{ DISCORD_TOKEN: 'abc', OPERATORS_CHANNEL_ID: '123456789012345678' }, 'HOME_GUILD_ID is missing'],
  ])('reports a mistake with the variable, the reason and an example: %o', (environment, words) => {
    const [first = '', ...others] = problems(environment as unknown as Record<string, string>)
    expect(first).toContain(words)
    expect(first).toMatch(/Example: [A-Z_]+=/)
    expect(others).toEqual([])
  })

  it('has no link to docs or support unless the operator sets one', () => {
    expect(parseConfig({}).pages).toEqual({ docs: undefined, support: undefined })
    expect(parseConfig({ SUPPORT_URL: 'https://discord.gg/x' }).pages.support).toBe('https://discord.gg/x')
  })

  it('accepts an http callback URL if it is on this machine or the provider is remote', () => {
    const elsewhere = { PAYMENTS_BASE_URL: 'https://api.example.org', PAYMENTS_API_KEY: 'k' }
    expect(parseConfig({ CALLBACK_PUBLIC_URL: 'http://127.0.0.1:8788' }).callbacks.publicUrl).toMatch(/8788$/)
    expect(problems({ CALLBACK_PUBLIC_URL: 'http://192.168.1.5:8788', ...elsewhere })).toEqual([])
  })

  it.each([
    [undefined, false],
    ['false', false],
    ['true', true],
    ['1', true],
    ['On', true],
    ['10.1.2.3', '10.1.2.3'],
    ['127.0.0.1, 10.0.0.0/8 , fd00::/8,::1', '127.0.0.1,10.0.0.0/8,fd00::/8,::1'],
  ])('reads TRUST_PROXY=%s', (text, trustProxy) => {
    expect(parseConfig({ TRUST_PROXY: text }).service.trustProxy).toBe(trustProxy)
  })

  it.each([
    ['', []],
    [' , ', []],
    ['203.0.113.7', ['203.0.113.7']],
    [' 203.0.113.7, 2001:db8::/48 ,198.51.100.0/24,', ['203.0.113.7', '2001:db8::/48', '198.51.100.0/24']],
  ])('reads CALLBACK_SOURCE_IPS=%s', (text, addresses) => {
    expect(parseConfig({ CALLBACK_SOURCE_IPS: text }).service.callbackSourceIps).toEqual(addresses)
  })

  it.each([
    ['', []],
    [' ; ', []],
    ['shop,game', [['shop', 'game']]],
    [
      ' shop , game ;club,bar,den; ',
      [
        ['shop', 'game'],
        ['club', 'bar', 'den'],
      ],
    ],
    [
      'shop,game;game,club',
      [
        ['shop', 'game'],
        ['game', 'club'],
      ],
    ],
  ])('reads INTERNAL_TRANSFERS=%s', (text, groups) => {
    expect(parseConfig({ INTERNAL_TRANSFERS: text }).service.transferGroups).toEqual(groups)
  })

  it('reports all mistakes at once', () => {
    expect(problems({ SERVICE_PORT: 'x', LOG_LEVEL: 'y', PAYMENTS_API_KEY: 'z' })).toHaveLength(3)
  })
})

describe('the settings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
  const certificateFile = file('a-tls.cert', certificate)

  it('can select lnd, with a binary macaroon and a certificate in files', () => {
    const { lightning } = parseConfig({
      LIGHTNING_BACKEND: 'lnd',
      LND_REST_URL: 'https://node:8080/',
      LND_MACAROON_FILE: file('macaroon', Buffer.from([2, 1, 255])),
      LND_TLS_CERT_FILE: file('tls.cert', certificate),
    }).service
    if (lightning.kind !== 'lnd') throw new Error('another node')
    expect(lightning).toMatchObject({ url: 'https://node:8080', certificate })
    expect(lightning.macaroon.reveal()).toBe('0201ff')
    expect(inspect(lightning)).not.toContain('0201ff')
  })

  it.each([
    [{ LIGHTNING_BACKEND: 'core-lightning', CORE_LIGHTNING_REST_URL: 'https://n', CORE_LIGHTNING_RUNE: 'r' }, 'rune'],
    [{ LIGHTNING_BACKEND: 'phoenixd', PHOENIXD_URL: 'http://127.0.0.1:9740', PHOENIXD_PASSWORD: 'r' }, 'password'],
    [{ LIGHTNING_BACKEND: 'nwc', NWC_URI: 'r' }, 'uri'],
  ])('can select a Lightning node and give its secret: %s', (environment, secret) => {
    const lightning = parseConfig(environment).service.lightning as unknown as Record<string, Secret>
    expect(lightning).toMatchObject({ kind: environment.LIGHTNING_BACKEND })
    expect(lightning[secret]?.reveal()).toBe('r')
  })

  it.each([
    [{}, 'LND_REST_URL is missing'],
    [{}, 'LND_MACAROON_FILE (or LND_MACAROON) is missing'],
    [{ LND_MACAROON: 'zz' }, 'LND_MACAROON must be a macaroon in hexadecimal digits'],
    [{ LND_MACAROON: '02', LND_MACAROON_FILE: '/etc/hostname' }, 'LND_MACAROON_FILE and LND_MACAROON are both set'],
    [{ LND_MACAROON_FILE: '/nowhere/m' }, 'LND_MACAROON_FILE names a file that does not exist'],
    [
      { LND_REST_URL: 'http://127.0.0.1:8080', LND_TLS_CERT_FILE: certificateFile },
      'LND_REST_URL must begin with https, because its certificate is named. Example: LND_REST_URL=https://127.0.0.1:8080',
    ],
    [{ LND_TLS_CERT_FILE: '/etc/hostname' }, 'LND_TLS_CERT_FILE must name a certificate in PEM format'],
  ])('for lnd are refused with an explanation if they are wrong or missing: %s', (environment, problem) => {
    expect(problems({ LIGHTNING_BACKEND: 'lnd', ...environment })).toContainEqual(expect.stringContaining(problem))
  })

  const nodes = {
    lnd: ['LND_REST_URL', { LND_MACAROON: '02' }],
    'core-lightning': ['CORE_LIGHTNING_REST_URL', { CORE_LIGHTNING_RUNE: 'r' }],
    phoenixd: ['PHOENIXD_URL', { PHOENIXD_PASSWORD: 'r' }],
    'remote-sandbox': ['SANDBOX_URL', { SANDBOX_TOKEN: 'r' }],
  } as const
  describe.each(Object.entries(nodes))('for %s', (kind, [name, secret]) => {
    const at = (url: string) => ({ LIGHTNING_BACKEND: kind, ...secret, [name]: url })

    it.each(['http://node:8080', 'http://10.0.0.5:8080', 'http://127.evil.example', 'http://[::2]:1', 'HTTP://n'])(
      'are refused with the URL %s unless plain http is allowed',
      (url) => {
        expect(problems(at(url))).toEqual([expect.stringContaining(`${name} sends the secret that opens the node`)])
        expect(problems({ ...at(url), LIGHTNING_PLAIN_HTTP: 'true' })).toEqual([])
      },
    )

    it.each(['http://127.0.0.1:8080', 'http://localhost:1', 'http://[::1]:1', 'https://node:8080'])(
      'are accepted with the URL %s',
      (url) => expect(problems(at(url))).toEqual([]),
    )
  })

  it('can have the Discord token and a database URL in files', () => {
    const server = 'postgresql://satchel:PASSWORD@127.0.0.1:5432/satchel'
    const config = parseConfig({
      DISCORD_TOKEN_FILE: file('token', 'abc\n'),
      PAYMENTS_DATABASE_URL_FILE: file('server', `${server}\n`),
    })
    expect(config.discord?.token.reveal()).toBe('abc')
    expect(config.service.databaseUrl).toBe(server)
    expect(problems({ TIPPING_DATABASE_URL_FILE: file('none', 'abc') })).toEqual([
      expect.stringContaining('TIPPING_DATABASE_URL must be a SQLite file'),
    ])
  })
})

it('the Discord client secret is read from a variable or a file and is not shown', () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secret')
  writeFileSync(file, 'abc-of-the-portal\n')
  for (const named of [{ DISCORD_CLIENT_SECRET: 'abc-of-the-portal' }, { DISCORD_CLIENT_SECRET_FILE: file }]) {
    const config = parseConfig({ DISCORD_TOKEN: 'MTA.Gx.abc', ...named })
    expect(config.discord?.clientSecret?.reveal()).toBe('abc-of-the-portal')
    expect(JSON.stringify(config)).not.toContain('abc-of-the-portal')
  }
  expect(parseConfig({ DISCORD_TOKEN: 'MTA.Gx.abc' }).discord?.clientSecret).toBeUndefined()
})
