import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { COMPILED } from '../../proof/world/processes/compiled.ts'
import { startAll, startBotAlone } from '../../src/assembly/start-all.ts'
import { startService } from '../../src/assembly/start-service.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { Problem } from '../../src/lib/problem.ts'

const cli = (name: string) => join(import.meta.dirname, `../../src/cli/${name}.ts`)
const anyPorts = { PLAYGROUND_PORT: '0', SERVICE_PORT: '0', CALLBACK_PORT: '0' }

let folder: string
const children: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A program in the test's folder with an environment of its own, and what it says. */
function start(program: string, args: string[], environment: Record<string, string> = {}) {
  const env = { ...anyPorts, ...COMPILED, ...environment }
  const child = spawn(program, args, { cwd: folder, env })
  children.push(child)
  const heard = { text: '' }
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      heard.text += chunk
      for (const look of listeners) look()
    })
  }
  // The pipes close when the last process that writes to them is gone.
  const closed = once(child, 'close')
  return {
    child,
    /** Resolves when it has said this. Rejects when it ends without having said it. */
    said: (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(heard.text)
          if (match) resolve(match[1] ?? match[0])
        }
        listeners.add(look)
        look()
        void closed.then(() => reject(new Error(`it ended without saying ${pattern}: ${heard.text}`)))
      }),
    async ended(): Promise<{ code: number | null; text: string }> {
      await closed
      return { code: child.exitCode, text: heard.text }
    },
  }
}

const command = (name: string, environment?: Record<string, string>, ...args: string[]) =>
  start(process.execPath, [cli(name), ...args], environment)

/** The address of a port that somebody has. */
async function squat() {
  const squatter = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void squatter.close())
  await once(squatter, 'listening')
  return (squatter.address() as { port: number }).port
}

describe('npm start without a token', () => {
  it('opens the playground on another port, alone on its data, also after a kill', async () => {
    const taken = await squat()
    const first = command('start', { PLAYGROUND_PORT: String(taken) })
    const text = await first.said(/open:[\s\S]*Ctrl-C stops/)
    const url = /http:\S+/.exec(text)?.[0] ?? ''
    expect(Number(new URL(url).port)).toBeGreaterThan(taken)
    expect(text).toContain(`Port ${taken} is taken by another program`)
    expect((await fetch(url)).headers.get('content-type')).toContain('text/html')
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok' })
    expect(existsSync(join(folder, 'data/playground/tipping.sqlite'))).toBe(true)
    // Nothing of it is where a bot would have its book.
    expect(readdirSync(join(folder, 'data'))).toEqual(['playground'])

    const second = await command('start', {}, '--fresh').ended()
    expect(second.text).toContain('in use by another process')
    expect(second.code).toBe(1)

    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    const again = command('playground', {}, '--fresh')
    await again.said(/What was there is in \S*data\/playground\/before-\S+ now\.[\s\S]*open:\s+(http:\S+)/)
    const [aside = ''] = readdirSync(join(folder, 'data/playground')).filter((name) => name.startsWith('before-'))
    expect(existsSync(join(folder, 'data/playground', aside, 'tipping.sqlite'))).toBe(true)
    again.child.kill('SIGINT')
    await once(again.child, 'exit')
    expect(again.child.exitCode).toBe(0)
    // Three processes, one after the other.
  }, 180_000)
})

it.each([
  [{ NODE_ENV: 'production' }, ['--fresh'], 'this is production (NODE_ENV)'],
  [{}, ['--setup', '--fresh'], '--setup is given, too'],
  [{ DISCORD_TOKEN: 'x', DISCORD_API_URL: 'http://127.0.0.1:9/api' }, ['--fresh'], 'DISCORD_TOKEN is set'],
])('npm start refuses to start a playground over before anybody sets up: %o %o', async (environment, args, why) => {
  const { code, text } = await command('start', environment, ...args).ended()
  expect(text).toContain(`--fresh is for the playground, and ${why}: nothing was done.`)
  expect(code).toBe(1)
  expect(readdirSync(folder)).toEqual([])
})

/** A program that only starts and stops, through the function that all commands use. */
const program = (what: string) => `
  import { run } from ${JSON.stringify(cli('run'))}
  import { Problem } from ${JSON.stringify(join(import.meta.dirname, '../../src/lib/problem.ts'))}
  import { parseArgs } from 'node:util'
  const alive = setInterval(() => {}, 1_000)
  await run(async () => { ${what} })`
const runs = (what: string, environment?: Record<string, string>, ...args: string[]) =>
  start(process.execPath, ['--input-type=module', '-e', program(what), '--', ...args], environment)
const untilClosed = `console.log('it runs'); return { async close() { console.log('closed cleanly') } }`

describe('every command', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('stops cleanly on %s', async (signal) => {
    const it = runs(untilClosed)
    await it.said(/it runs/)
    it.child.kill(signal)
    expect(await it.ended()).toEqual({ code: 0, text: 'it runs\nclosed cleanly\n' })
  })

  it('stops when npm, which started it, is told to stop', async () => {
    const file = join(folder, 'program.mjs')
    writeFileSync(file, program(untilClosed))
    const shell = start('sh', ['-c', `"${process.execPath}" "${file}"; true`], { npm_lifecycle_event: 'start' })
    await shell.said(/it runs/)
    shell.child.kill('SIGTERM')
    expect((await shell.ended()).text).toContain('closed cleanly')
  })

  it('tells mistakes in words and bugs with their stack, and fails', async () => {
    const [mistake, bug, option] = await Promise.all([
      runs(`throw new Problem('Port 80 is taken.')`).ended(),
      runs(`throw new Error('never seen')`).ended(),
      runs(`parseArgs({ options: {} })`, {}, '--oops').ended(),
    ])
    expect(mistake).toEqual({ code: 1, text: 'Port 80 is taken.\n' })
    expect(bug).toMatchObject({ code: 1, text: expect.stringMatching(/^Error: never seen\n\s+at /) })
    expect(option).toMatchObject({ code: 1, text: expect.stringMatching(/^Unknown option '--oops'[^\n]*\n$/) })
  })
})

describe('a command that is told what it does not know', () => {
  it.each([
    ['audit', 'restore', 'start'],
    ['bot', 'playground', 'service', 'setup', '../../scripts/tour'],
  ])('says which option that is, and how it is used: %s, %s and more', async (...names) => {
    for (const { code, text } of await Promise.all(names.map((name) => command(name, {}, '--oops').ended()))) {
      const said = expect.stringMatching(/^Unknown option '--oops'[^\n]*\n\nsatchel [a-z]+/)
      expect({ code, text }).toEqual({ code: 1, text: said })
    }
  })

  it('says which option that is, where it has no other', async () => {
    const { code, text } = await command('health', {}, '--oops').ended()
    expect({ code, text }).toEqual({ code: 1, text: "Unknown option '--oops'\n" })
  })

  it('shows how it is used', async () => {
    const [admin, backup, verify] = await Promise.all(
      ['admin', 'backup', 'verify'].map((name) => command(name, {}, '--oops').ended()),
    )
    expect(admin).toMatchObject({
      code: 1,
      text: expect.stringMatching(/Unknown option '--oops'[\s\S]*npm run -s admin/),
    })
    expect(backup).toMatchObject({ code: 1, text: expect.stringMatching(/^npm run backup -- FOLDER/) })
    expect(verify).toMatchObject({ code: 1, text: expect.stringMatching(/^npm run -s verify -- FILE/) })
  })

  it.each(['backup', 'restore', 'verify', 'adopt-claims'])('%s refuses an empty name in words', async (name) => {
    for (const empty of ['', ' ']) {
      const { code, text } = await command(name, {}, empty).ended()
      expect({ code, text }).toEqual({ code: 1, text: expect.stringMatching(/^The name is empty: .* Name [^\n]*\n$/) })
    }
    expect(readdirSync(folder)).toEqual([])
  })

  it('says of a proof that cannot be read what to do', async () => {
    writeFileSync(join(folder, 'cut.json'), '{"kind":')
    const [gone, cut] = await Promise.all(['gone.json', 'cut.json'].map((file) => command('verify', {}, file).ended()))
    const advice = 'Save what /giveaway verify or /status verify:True gave you once more, as it is, and name that file.'
    expect(gone).toMatchObject({ code: 1, text: expect.stringMatching(/^gone\.json cannot be read \(ENOENT/) })
    expect(cut).toMatchObject({ code: 1, text: expect.stringMatching(/^cut\.json is not JSON/) })
    for (const it of [gone, cut]) expect(it?.text).toContain(advice)
  })

  it('prints no text of a proof but ids', async () => {
    const clears = '\u001b[2J'
    const hostile = [
      { kind: 'satchel-giveaway', version: 1, giveaway: clears, won: [clears], [clears]: 1 },
      { kind: 'satchel-balance', version: 1, member: clears, at: clears, [clears]: 1 },
      { kind: clears, version: clears },
      clears,
    ]
    const files = hostile.map((content, nth) => [`hostile-${nth}.json`, JSON.stringify(content)] as const)
    for (const [file, text] of [...files, ['hostile.json', clears] as const]) {
      writeFileSync(join(folder, file), text)
      const { code, text: said } = await command('verify', {}, file).ended()
      expect({ file, code, isQuiet: !said.includes('\u001b') }).toEqual({ file, code: 1, isQuiet: true })
    }
  })
})

describe('a mistake is a Problem, which is told in words', () => {
  const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const config = (environment: Record<string, string>) =>
    parseConfig({ ...anyPorts, DATA_FOLDER: join(folder, 'data'), ...environment })

  it.each([
    [
      'a setting',
      () => config({ SERVICE_PORT: 'x' }),
      /SERVICE_PORT must be a whole number.*Example: SERVICE_PORT=8787/,
    ],
    ['no token', () => startBotAlone(config({}), around), /DISCORD_TOKEN is missing.*Example/],
    [
      'no provider',
      () => startBotAlone(config({ DISCORD_TOKEN: 'abc' }), around),
      /PAYMENTS_BASE_URL and PAYMENTS_API_KEY are missing.*Example/,
    ],
    [
      'a file where a folder is wanted',
      () =>
        startService({
          config: config({ PAYMENTS_DATABASE_URL: `file:${join(folder, 'taken/payments.sqlite')}` }),
          ...around,
        }),
      /payments\.sqlite could not be opened/,
    ],
    [
      'a port that is taken',
      async () => startService({ config: config({ SERVICE_PORT: String(await squat()) }), ...around }),
      /Port \d+ on 127\.0\.0\.1 is already taken.*another port in SERVICE_PORT\. Example: SERVICE_PORT=\d+/,
    ],
    [
      'a region database that is not there',
      () => startService({ config: config({ REGION_DATABASE: '/nowhere.mmdb' }), ...around }),
      /The region database \/nowhere\.mmdb cannot be read\. Name a \.mmdb file in REGION_DATABASE/,
    ],
    [
      'Discord is not where it is said to be',
      () => startAll(config({ DISCORD_TOKEN: 'abc', DISCORD_API_URL: 'http://127.0.0.1:9/api' }), around),
      /Discord cannot be reached/,
    ],
  ] as const)('%s', async (_, action, words) => {
    writeFileSync(join(folder, 'taken'), 'a file where a folder is wanted')
    const thrown = await (async () => action())().catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(Problem)
    expect((thrown as Problem).message).toMatch(words)
  })
})
