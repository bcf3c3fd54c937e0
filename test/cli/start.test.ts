import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startAll, startBotAlone } from '../../src/assembly/start-all.ts'
import { startService } from '../../src/assembly/start-service.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { Problem } from '../../src/lib/problem.ts'
import { ANY_PORTS, cli, programsInFolder } from './programs.ts'

const { here, start, command } = programsInFolder()

/** Returns the number of a port that is in use. */
async function squat() {
  const squatter = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void squatter.close())
  await once(squatter, 'listening')
  return (squatter.address() as { port: number }).port
}

describe('npm start without a Discord token', () => {
  it('opens only one playground per folder, on a free port, and a new one after a kill', async () => {
    const taken = await squat()
    const first = command('start', { PLAYGROUND_PORT: String(taken) })
    const text = await first.said(/open:[\s\S]*Ctrl-C stops/)
    const url = /http:\S+/.exec(text)?.[0] ?? ''
    expect(Number(new URL(url).port)).toBeGreaterThan(taken)
    expect(text).toContain(`Port ${taken} is taken by another program`)
    expect((await fetch(url)).headers.get('content-type')).toContain('text/html')
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok' })
    expect(existsSync(join(here.folder, 'data/playground/tipping.sqlite'))).toBe(true)
    // A bot keeps its book in the data folder itself, where the playground writes nothing.
    expect(readdirSync(join(here.folder, 'data'))).toEqual(['playground'])

    const second = await command('start', {}, '--fresh').ended()
    expect(second.text).toContain('in use by another process')
    expect(second.code).toBe(1)

    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    const again = command('playground', {}, '--fresh')
    await again.said(/What was there is in \S*data\/playground\/before-\S+ now\.[\s\S]*open:\s+(http:\S+)/)
    const [aside = ''] = readdirSync(join(here.folder, 'data/playground')).filter((name) => name.startsWith('before-'))
    expect(existsSync(join(here.folder, 'data/playground', aside, 'tipping.sqlite'))).toBe(true)
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
])('npm start refuses --fresh outside the playground: %o %o', async (environment, args, why) => {
  const { code, text } = await command('start', environment, ...args).ended()
  expect(text).toContain(`--fresh is for the playground, but ${why}. Nothing was done.`)
  expect(code).toBe(1)
  expect(readdirSync(here.folder)).toEqual([])
})

/** Returns the text of a program that only starts and stops, through the function that all commands use. */
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

  it('stops cleanly when the shell in which npm started it is killed', async () => {
    const file = join(here.folder, 'program.mjs')
    writeFileSync(file, program(untilClosed))
    const shell = start('sh', ['-c', `"${process.execPath}" "${file}"; true`], { npm_lifecycle_event: 'start' })
    await shell.said(/it runs/)
    shell.child.kill('SIGTERM')
    expect((await shell.ended()).text).toContain('closed cleanly')
  })

  it('fails with an explanation after a mistake, and with the stack after a bug', async () => {
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

describe('a Problem with an explanation', () => {
  const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const config = (environment: Record<string, string>) =>
    parseConfig({ ...ANY_PORTS, DATA_FOLDER: join(here.folder, 'data'), ...environment })

  it.each([
    [
      'a wrong setting',
      () => config({ SERVICE_PORT: 'x' }),
      /SERVICE_PORT must be a whole number.*Example: SERVICE_PORT=8787/,
    ],
    ['a missing token', () => startBotAlone(config({}), around), /DISCORD_TOKEN is missing.*Example/],
    [
      'a missing provider',
      () => startBotAlone(config({ DISCORD_TOKEN: 'abc' }), around),
      /PAYMENTS_BASE_URL and PAYMENTS_API_KEY are missing.*Example/,
    ],
    [
      'a file in place of a folder',
      () =>
        startService({
          config: config({ PAYMENTS_DATABASE_URL: `file:${join(here.folder, 'taken/payments.sqlite')}` }),
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
      'a missing region database',
      () => startService({ config: config({ REGION_DATABASE: '/nowhere.mmdb' }), ...around }),
      /The region database \/nowhere\.mmdb cannot be read\. Set REGION_DATABASE to a .mmdb file/,
    ],
    [
      'an unreachable Discord',
      () => startAll(config({ DISCORD_TOKEN: 'abc', DISCORD_API_URL: 'http://127.0.0.1:9/api' }), around),
      /Discord cannot be reached/,
    ],
  ] as const)('is thrown for %s', async (_, action, words) => {
    writeFileSync(join(here.folder, 'taken'), 'a file where a folder is wanted')
    const thrown = await (async () => action())().catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(Problem)
    expect((thrown as Problem).message).toMatch(words)
  })
})
