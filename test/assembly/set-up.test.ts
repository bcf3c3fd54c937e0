import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Variables } from '../../src/assembly/set-up/ask-node.ts'
import { withOwnService } from '../../src/assembly/set-up/prepare-own-service.ts'
import { setUp } from '../../src/assembly/set-up/set-up.ts'
import { parseConfig, readEnvFile } from '../../src/config/config.ts'
import { createEmulator, type Emulator } from '../../src/discord-emulator/emulator.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { openStage } from '../e2e/harness.ts'

let emulator: Emulator
let folder: string
let envFile: string
let data: string
/** The questions whose answers were hidden while they were typed. */
const hidden: string[] = []
const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }

beforeEach(async () => {
  emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy })
  folder = mkdtempSync(join(tmpdir(), 'set-up-'))
  envFile = join(folder, '.env')
  data = join(folder, 'data')
})
afterEach(async () => {
  await emulator.close()
  rmSync(folder, { recursive: true })
})

/** Returns the variables without those that setup unsets. */
const settled = (variables: Variables) =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined))

/** The variables that the environment sets. */
let environment: Variables = {}

/** An answer that accepts the offered one, which an earlier run stored. */
const earlier = '(what is offered)'
/** An answer that accepts the offered one with "back" typed after it. */
const earlierAndBack = '(what is offered, and back)'

/** Runs the setup with these answers, given one after the other; resolves to the whole output. */
async function answer(...answers: (string | (() => string))[]): Promise<string> {
  const said: string[] = []
  await setUp({
    prompter: {
      say: (text) => void said.push(text),
      show: (code) => void said.push(code),
      async ask(question, how) {
        if (how?.hidden) hidden.push(question)
        const next = answers.shift()
        if (next === undefined) throw new Error('asked once more than expected')
        if (next === earlier) return how?.earlier ?? 'nothing was offered'
        if (next === earlierAndBack) return `${how?.earlier ?? 'nothing was offered'}back`
        return typeof next === 'string' ? next : next()
      },
    },
    place: 'terminal',
    environment,
    runtime: around,
    apiUrl: emulator.restUrl,
    envFile,
    allowFirstBook: () => undefined,
    withOwnService: (variables, use) =>
      withOwnService(parseConfig({ DATA_FOLDER: data, ...settled(variables) }), around, use),
  })
  expect(answers).toEqual([])
  return said.join('\n')
}

it('set-up accepts an answer that is written like a line of the settings file', async () => {
  const [server, channel] = ['123456789012345678', '123456789012345679']
  await answer(
    ...[`DISCORD_TOKEN=${emulator.token}`, '', 'wallets', 'CALLBACK_PUBLIC_URL=https://tips.example.org'],
    ...['TRUST_PROXY=127.0.0.1', `HOME_GUILD_ID= ${server}`, `OPERATORS_CHANNEL_ID=${channel}`, 'OPERATORS=one'],
  )
  const written = readFileSync(envFile, 'utf8')
  expect(written).toContain(`DISCORD_TOKEN=${emulator.token}\n`)
  expect(written).toContain('CALLBACK_PUBLIC_URL=https://tips.example.org\nTRUST_PROXY=127.0.0.1\n')
  expect(written).toContain(`HOME_GUILD_ID=${server}\nOPERATORS_CHANNEL_ID=${channel}\nOPERATORS=one\n`)
})

describe('a person who answers "back"', () => {
  it('can change the answer to any question without retyping the other answers', async () => {
    const [server, channel] = ['123456789012345678', '123456789012345679']
    const said = await answer(
      // The first question has none before it.
      ...['back', emulator.token, 'yes', 'wallets', 'https://tips.example.org', 'back', 'https://pay.example.org', ''],
      // Back from the second question of a step to its first one, and on to the steps before.
      ...[server, channel, 'back', 'back', 'back', 'back', 'back'],
      // The token that was given counts; all other answers come again.
      ...['', 'no', earlier, earlier, 'false', earlier, earlier, 'one'],
    )
    const written = readFileSync(envFile, 'utf8')
    expect(written).toContain(`DISCORD_TOKEN=${emulator.token}\n`)
    expect(written).toContain('DISCORD_USER_INSTALL=off\nCUSTODY=none\n')
    expect(written).toContain('CALLBACK_PUBLIC_URL=https://pay.example.org\nTRUST_PROXY=false\n')
    expect(written).toContain(`HOME_GUILD_ID=${server}\nOPERATORS_CHANNEL_ID=${channel}\nOPERATORS=one\n`)
    expect(said).not.toContain(emulator.token)
  })

  it('need not type a provider’s key again if they choose that provider again', async () => {
    const given = [emulator.token, '', 'provider', emulator.restUrl, 'key', 'back', 'provider', earlier, '', 'back', '']
    await answer(...given, 'back', '', '', '')
    expect(readFileSync(envFile, 'utf8')).not.toContain('PAYMENTS_API_KEY')
    expect(hidden.at(-1)).toContain('(empty for the one that you gave)')
  })

  it('cannot make set-up send one provider’s key to another provider', async () => {
    const keys: (string | undefined)[] = []
    const other = createServer((request, response) => {
      keys.push(request.headers.apikey?.toString())
      response.writeHead(401).end()
    })
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    try {
      const said = await answer(
        ...[emulator.token, '', 'provider', 'http://127.0.0.1:1', 'the-key-of-one', ''],
        ...[`http://127.0.0.1:${port}`, '', '', earlier, 'its-own-key', 'back', 'wallets', '', ''],
      )
      expect(said).toContain('PAYMENTS_API_KEY is missing')
      expect(hidden.slice(-3).map((question) => /http:\S+(?=,)/.exec(question)?.[0])).toEqual([
        'http://127.0.0.1:1',
        `http://127.0.0.1:${port}`,
        `http://127.0.0.1:${port}`,
      ])
      expect(keys).toEqual(['its-own-key'])
    } finally {
      other.close()
    }
  })

  it('skips a step that asks no questions', async () => {
    environment = { CUSTODY: 'none' }
    try {
      await answer(emulator.token, 'no', 'back', 'yes', '', '')
    } finally {
      environment = {}
    }
    expect(readFileSync(envFile, 'utf8')).toContain('DISCORD_USER_INSTALL=on\n')
  })

  it.each([
    ['alone', 'back'],
    ['after an offered answer that is not erased', earlierAndBack],
  ])('can type “back” %s', async (_, word) => {
    const forward = [emulator.token, 'no', 'wallets', 'https://tips.example.org', 'back', word, word]
    await answer(...forward, 'yes', earlier, '', '')
    const written = readFileSync(envFile, 'utf8')
    expect(written).toContain('DISCORD_USER_INSTALL=on\nCUSTODY=none\n')
    expect(written).not.toContain('PUBLIC_URL')
  })
})

describe('set-up in a terminal', () => {
  it('writes a file readable by its owner alone, and prints the exact invite link', async () => {
    const said = await answer(emulator.token, 'yes', '', '', '')
    expect(readFileSync(envFile, 'utf8')).toMatch(/^DISCORD_USER_INSTALL=on$/m)
    expect(readFileSync(envFile, 'utf8')).toContain(`DISCORD_TOKEN=${emulator.token}\n`)
    expect(statSync(envFile).mode & 0o777).toBe(0o600)
    expect(said).toContain(`client_id=${emulator.applicationId}`)
    expect(said).toContain('permissions=274878024704')
    expect(said).not.toContain(emulator.token)
    // This setting is for bots that receive commands by HTTP, and changes nothing by itself.
    expect(said).toContain(`DISCORD_PUBLIC_KEY=${emulator.publicKey}`)
    expect(readFileSync(envFile, 'utf8')).not.toContain('DISCORD_PUBLIC_KEY')
  })

  it('reuses the token in a second run, and removes contradictory settings', async () => {
    await answer(emulator.token, '', '', '', '')
    writeFileSync(envFile, `${readFileSync(envFile, 'utf8')}DISCORD_TOKEN_FILE=./token\nPHOENIXD_PASSWORD=abc\n`)
    await answer('', '', '', '', '')
    const written = readFileSync(envFile, 'utf8')
    expect(written).toContain(`DISCORD_TOKEN=${emulator.token}\n`)
    expect(written).not.toMatch(/DISCORD_TOKEN_FILE|PHOENIXD_PASSWORD/)
  })

  it('asks for the operators’ server, channel and number, and offers earlier answers', async () => {
    const [server, channel] = ['123456789012345678', '123456789012345679']
    const said = await answer(emulator.token, '', '', '', 'lounge', server, 'alerts', channel, 'three', 'one')
    const written = readFileSync(envFile, 'utf8')
    expect(written).toContain(`HOME_GUILD_ID=${server}\n`)
    expect(written).toContain(`OPERATORS_CHANNEL_ID=${channel}\nOPERATORS=one\n`)
    expect(said).toContain('HOME_GUILD_ID must be a server id')
    expect(said).toContain('OPERATORS_CHANNEL_ID must be a channel id')
    expect(said).toContain('OPERATORS must be one or two.')
    // A second set-up offers the first one's answers.
    await answer('', '', '', '', '', '', '')
    expect(readFileSync(envFile, 'utf8')).toContain(`OPERATORS_CHANNEL_ID=${channel}\nOPERATORS=one\n`)
  })

  it('names settings that the environment overrides', async () => {
    environment = { DISCORD_TOKEN: 'another', DISCORD_USER_INSTALL: 'off', OPERATORS: '' }
    try {
      const said = await answer(emulator.token, '', '', '', '')
      expect(said).toContain(`! DISCORD_TOKEN is set in the environment, which takes precedence over ${envFile}.`)
    } finally {
      environment = {}
    }
  })

  it('warns if no operators’ server is set', async () => {
    const said = await answer(emulator.token, '', '', '', 'none')
    expect(said).toContain('! Without it there is no /admin, and alerts go to the log alone.')
    expect(readFileSync(envFile, 'utf8')).not.toMatch(/HOME_GUILD_ID|OPERATORS/)
  })

  it('hides the token while it is typed, but shows answers that are not secret', async () => {
    hidden.length = 0
    await answer(emulator.token, '', '', '', '')
    expect(hidden).toEqual([expect.stringContaining('The token')])
  })

  it.each([
    ['by an answer', {}, ['no', 'wallets', '', '']],
    ['by the environment', { CUSTODY: 'none' }, ['no', '', '']],
  ] as const)('skips the question about a node if custody is ruled out %s', async (_, set, answers) => {
    environment = set
    try {
      const said = await answer(emulator.token, ...answers)
      expect(said).toContain('Satchel holds no sats')
      expect(said).toContain('Without an address nobody can connect a wallet')
    } finally {
      environment = {}
    }
    expect(parseConfig(readEnvFile(envFile))).toMatchObject({ custody: 'none', discord: expect.anything() })
    expect(existsSync(data)).toBe(false)
  })

  it('asks again after a wrong token, and after an answer that is neither yes nor no', async () => {
    const said = await answer('wrong', `Bot ${emulator.token}`, 'abc…', emulator.token, 'lounge', '', '', '', '')
    expect(said).toContain('does not know this token (DISCORD_TOKEN)')
    expect(said.match(/DISCORD_TOKEN must be only the token/g)).toHaveLength(2)
    expect(said).toContain('"lounge" is neither yes nor no.')
  })

  it('lets servers install the bot, but people only if the operator answers yes', async () => {
    const asked = async () => {
      const headers = { authorization: `Bot ${emulator.token}` }
      const answer = await fetch(`${emulator.restUrl}/v10/applications/@me`, { headers })
      const { integration_types_config: config } = (await answer.json()) as {
        integration_types_config: Record<string, { oauth2_install_params: { scopes: string[]; permissions: string } }>
      }
      return { kinds: Object.keys(config), ...config['0']?.oauth2_install_params }
    }
    const inServers = { scopes: ['bot', 'applications.commands'], permissions: '274878024704' }
    await answer(emulator.token, 'no', '', '', '')
    expect(await asked()).toEqual({ kinds: ['0'], ...inServers })
    await answer(emulator.token, 'yes', '', '', '')
    expect(await asked()).toEqual({ kinds: ['0', '1'], ...inServers })
  })

  it('explains the drawback of commands that are registered in one server', async () => {
    writeFileSync(envFile, 'DISCORD_GUILD_ID=123456789012345678\n')
    expect(await answer(emulator.token, '', '', '', '', '', '')).toMatch(
      /DISCORD_GUILD_ID in .* out of private conversations/,
    )
  })

  it('checks the provider’s URL and key with a real call', async () => {
    const { world } = await openStage()
    const { apiKey } = await world.service.administration().createProject('Elsewhere')
    const url = world.service.url
    const wrong = [
      'provider',
      ...['ftp://x', '', ''],
      ...[url, '', ''],
      ...[`${url}?a`, 'key', ''],
      ...[url, 'a key', ''],
      ...['http://127.0.0.1:1', 'key', 'back'],
      'provider',
      ...[url, 'not-the-key', ''],
    ]
    const said = await answer(emulator.token, '', ...wrong, url, apiKey, '', '')
    expect(said.match(/PAYMENTS_BASE_URL must be an http or https address/g)).toHaveLength(2)
    expect(said).toContain('PAYMENTS_API_KEY is missing')
    expect(said).toContain('PAYMENTS_API_KEY must be only the key')
    expect(said).toMatch(
      /Your wallet at the provider could not be read: .* Example: PAYMENTS_BASE_URL=https:\/\/api\.example\.org/,
    )
    expect(existsSync(data)).toBe(false)
    expect(said).toContain('does not know this API key')
    expect(said).toContain('holds 0 sats')
    expect(readFileSync(envFile, 'utf8')).toContain(`PAYMENTS_BASE_URL=${url}\nPAYMENTS_API_KEY=${apiKey}\n`)
  })

  it('creates the bundled service’s keys once, and tests them', async () => {
    const keys = join(data, 'own-project.json')
    expect(await answer(emulator.token, '', '', '', '')).toContain(
      `Its keys are in ${keys}. The wallet there holds 10,000 sats.`,
    )
    expect(statSync(keys).mode & 0o777).toBe(0o600)
    const first = readFileSync(keys, 'utf8')
    await answer(emulator.token, '', '', '', '')
    expect(readFileSync(keys, 'utf8')).toBe(first)
  })

  it('names a fault, and continues once it is fixed', async () => {
    writeFileSync(data, 'a file where a folder is wanted')
    const mendData = () => {
      expect(existsSync(envFile)).toBe(false)
      rmSync(data)
      mkdirSync(`${envFile}.new`)
      return ''
    }
    const mendFile = () => {
      rmSync(`${envFile}.new`, { recursive: true })
      return ''
    }
    const said = await answer(emulator.token, '', '', '', mendData, '', '', mendFile)
    expect(said).toMatch(/✗ .*data/)
    expect(said).toMatch(/✗ .*\.env cannot be written \(EISDIR\)\. Give the user that runs Satchel/)
    expect(readFileSync(envFile, 'utf8')).toContain(`DISCORD_TOKEN=${emulator.token}\n`)
  })

  it('returns to the choice of a node on request after a fault', async () => {
    writeFileSync(data, 'a file where a folder is wanted')
    await answer(emulator.token, '', '', 'back', 'wallets', '', '')
    expect(readFileSync(envFile, 'utf8')).toContain('CUSTODY=none\n')
  })

  it('keeps the file’s comments, and the settings that it does not ask about', async () => {
    writeFileSync(envFile, '# mine\nLOG_LEVEL=debug\nDISCORD_TOKEN=old\n')
    await answer(emulator.token, '', '', '', '')
    const written = readFileSync(envFile, 'utf8')
    expect(written).toContain('# mine\nLOG_LEVEL=debug\n')
    expect(written).not.toContain('DISCORD_TOKEN=old')
  })

  it('writes no file if the person stops before the end', async () => {
    await expect(answer(emulator.token)).rejects.toThrow('asked once more')
    expect(existsSync(envFile)).toBe(false)
  })
})
