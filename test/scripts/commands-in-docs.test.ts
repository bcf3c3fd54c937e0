import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { COMPILED } from '../../proof/world/processes/compiled.ts'
import { readOrder } from '../../src/cli/admin-order.ts'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { openDataFolder } from '../../src/lib/data-folder.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { openAdministration } from '../../src/payments-service/administration/administration.ts'
import { DEFAULT_SETTINGS } from '../../src/payments-service/service.ts'
import { createWorld } from '../../src/playground/create-world.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(root, 'docs')).flatMap(pageIn)]
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

/** For each command that does not run below, the file of its test, and the text by which to find it in that file. */
const RUN_ELSEWHERE: readonly (readonly [command: RegExp, file: string, words: string])[] = [
  [/^npm ci$/, '.ci/run', 'npm ci'],
  [/^npm test$/, '.ci/run', 'npm test'],
  [/^npm run check$/, '.ci/run', 'npm run check'],
  [/^npm run test:slow$/, '.ci/run', 'npm run test:slow'],
  [/^DATABASE=postgres npm test$/, 'proof/report/prove-all.ts', 'DATABASE=postgres npm test'],
  [/^npm run tour -- --backend lnd$/, 'proof/report/prove-all.ts', 'npm run tour -- --backend lnd'],
  ...[
    'thorough',
    'simulate',
    'kill',
    'attack',
    'scan',
    'fuzz',
    'mutate',
    'wind-down',
    'wallets',
    'rules',
    'nodes',
    'bench',
  ].map(
    (what) =>
      [new RegExp(`^npm run prove -- ${what}\\b`), 'proof/report/prove-all.ts', `npm run prove -- ${what}`] as const,
  ),
  [/^npm run prove -- all\b/, 'package.json', '"prove"'],
  [/^npm run tour$/, '.ci/run', 'npm run tour'],
  [/^npm run restore -- --in-place\b/, 'test/postgres/commands.test.ts', "'--in-place', '--made-at'"],
  [/^curl -N "\$BOT\/api\/v1\/events"/, 'test/web/keyed-api.test.ts', '/api/v1/events'],
  [/^curl "\$BOT\/api\/v1\/rewards"/, 'test/e2e/api-keys.test.ts', '/api/v1/rewards'],
  [/^npm run move\b/, 'test/postgres/move-books.test.ts', 'cli/move.ts'],
  // As the tests of the real Caddy start them.
  [
    /^(DISCORD_GATEWAY=off )?INSTANCE_NAME=\S+ CALLBACK_PORT=\d+ DATA_FOLDER=\S+ npm run bot$/,
    'proof/kills/fronts/fronts-stage.ts',
    "createInstances('bot.ts'",
  ],
  [
    /^INSTANCE_NAME=\S+ SERVICE_PORT=\d+ DATA_FOLDER=\S+ npm run service$/,
    'proof/kills/fronts/fronts-stage.ts',
    "createInstances('service.ts'",
  ],
  [
    /^SERVICE_PUBLIC_URL=.* caddy run --adapter caddyfile --config deploy\/scale.Caddyfile$/,
    'test/postgres/caddy.test.ts',
    "Caddy.start('deploy/scale.Caddyfile'",
  ],
  [/^npm run -s admin -- node adopt\b/, 'test/payments-service/node/book-node.test.ts', "['node', 'adopt'"],
  [
    /^npm run -s admin -- name release\b/,
    'test/payments-service/administration/orders.test.ts',
    "order('name', 'release'",
  ],
  [
    /^npm run -s admin -- project fund\b/,
    'test/payments-service/administration/orders.test.ts',
    "order('project', 'fund', project.projectId",
  ],
  [/^npm run -s admin -- project deposit\b/, 'test/cli/admin.test.ts', "'project', 'deposit'"],
  [
    /^npm run -s admin -- project cover\b/,
    'test/payments-service/administration/orders.test.ts',
    "order('project', 'cover'",
  ],
  [
    /^npm run -s admin -- suspense give\b/,
    'test/payments-service/receiving/suspense.test.ts',
    "order('suspense', 'give'",
  ],
  [
    /^npm run -s admin -- payment decide\b/,
    'test/payments-service/administration/decide-payments.test.ts',
    'administration().decidePayment(',
  ],
  [/^npm start -- --setup$/, 'test/browser/set-up-walk.ts', "['--setup']"],
  [/^npm (?:start|run bot|run service) -- --new-book$/, 'test/assembly/check-books.test.ts', 'newBook'],
  [
    /^npx satchel admin (pause|resume|unknown|decide|proposals|cancel|book)\b/,
    'test/cli/operator-order.test.ts',
    "await typed('pause', '--reason'",
  ],
  [/^npx satchel (wind-down|adopt-claims)\b/, 'test/cli/wind-down.test.ts', 'readWindDownOrder(args)'],
  [/^npm run rotate-wallet-key$/, 'test/assembly/wallet-keys.test.ts', 'rotateWalletKey(config)'],
  [/^npm run licences$/, '.ci/run', 'npm run licences'],
  [/^npm run test:browser$/, '.ci/run', 'npm run test:browser'],
  [/^npm run screenshots$/, 'proof/report/prove-all.ts', 'npm run screenshots'],
  [/^npm start( -- --fresh)?$/, 'test/cli/start.test.ts', "command('start'"],
  [/^npm run playground$/, 'test/cli/start.test.ts', "command('playground'"],
  [/^npm run docs$/, 'test/scripts/docs.test.ts', 'commandsPage()'],
  [/^npm run verify\b/, 'test/e2e/giveaways.test.ts', 'cli/verify.ts'],
  // lnd's own: held to the rights of the code by a test, and these are tried on a real lnd.
  [/^lncli bakemacaroon /, 'test/payments-service/backends/docs-of-nodes.test.ts', 'toContain(BAKE_MACAROON)'],
  [/^npm run format$/, 'package.json', '"format": "biome check --write ."'],
]

const RUN_HERE = [
  'npm run -s admin -- project create "Lightning Lounge" --fund 5000',
  'npm run -s admin -- project list',
  'npm run -s admin -- fees show',
  'npm run -s admin -- project rotate-secret PROJECTID',
  'npm run -s admin -- key list PROJECTID',
  'npm run -s admin -- key create PROJECTID --scope read,receive,send',
  'npm run -s admin -- key revoke KEYID',
  'npm run -s admin -- client create PROJECTID "Space Game" --redirect http://localhost:3000/callback --scope user,wallet',
  'npm run -s admin -- user create satoshi',
  'npm run -s admin -- user list',
  'npm run -s admin -- user list --after GAMERTAG',
  'npm run -s admin -- user create GAMERTAG',
  'npm run -s admin -- user token USERID',
  'npm run -s admin -- user link-code USERID',
  'npm run -s admin -- user rename USERID GAMERTAG',
  'npm run -s admin -- sandbox token',
  'npm run -s admin -- node show',
  'npm run -s admin -- callbacks list',
  'npm run -s admin -- suspense list',
  'npm run -s admin -- payment list',
  'npm run -s admin -- suspense list --given',
  'npm run -s admin -- callbacks redeliver',
  'npm run audit',
  'npm run -s audit -- --json',
  'npm run confirm-clock',
  'npm run backup -- FOLDER',
  'npm run restore -- FOLDER',
  'npm run restore -- FOLDER --not-paused',
  'npm run setup',
  'npm run bot',
  'npm run service',
  'npm run sandbox',
]

let folder: string
/** The values that replace the words in capitals. */
const named = new Map<string, string>()
const environment = () => ({
  PATH: process.env.PATH ?? '',
  PLAYGROUND_PORT: '0',
  SERVICE_PORT: '0',
  SANDBOX_PORT: '0',
  CALLBACK_PORT: '0',
  LOG_LEVEL: 'silent',
  ...COMPILED,
})

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-in-docs-'))
  named.set('FOLDER', join(folder, 'backup')).set('GAMERTAG', 'nakamoto')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the script that a command runs, and its arguments. */
function parse(command: string): { script: string; words: string[] } {
  const [, name = '', rest = ''] = /^npm run (?:-s )?(\S+)(?: -- (.*))?$/.exec(command) ?? []
  const words = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
  const script = (scripts[name] ?? '').replace(/^node (?:-r \S+ |--\S+ )*/, '')
  return { script: join(root, script), words: words.map((word) => named.get(word) ?? word) }
}

/** Runs a command of the docs to its end, and returns its output. Rejects if the command fails. */
async function runs(command: string): Promise<string> {
  const { script, words } = parse(command)
  const options = { cwd: folder, env: environment() }
  return (await promisify(execFile)(process.execPath, [script, ...words], options)).stdout
}

/** Runs a command until its output matches, then stops it as Ctrl-C does. */
async function opens(command: string, words: RegExp): Promise<void> {
  const child = spawn(process.execPath, [parse(command).script], { cwd: folder, env: environment() })
  let said = ''
  const ended = once(child, 'exit')
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk
      if (words.test(said)) child.kill('SIGINT')
    })
  }
  expect(await ended, said).toEqual([0, null])
}

// Each starts processes, some of them the whole product; on a busy machine that takes its time.
describe('every command in the docs', () => {
  it('is run by a test or by the gate', () => {
    const all = [...new Set(pages.flatMap((page) => commandsOf(read(page))))]
    // Docker's need an engine, which the gate lacks: docker-in-docs.test.ts reads them instead. Git's and PostgreSQL's are not ours.
    const others = /^(docker |git pull$|(sudo -u postgres )?(createuser|createdb|pg_dump|pg_basebackup) )/
    const commands = all.filter((command) => !others.test(command))
    expect(commands.length).toBeGreaterThan(20)
    const elsewhere = (command: string) => RUN_ELSEWHERE.some(([pattern]) => pattern.test(command))
    expect(commands.filter((command) => !RUN_HERE.includes(command) && !elsewhere(command))).toEqual([])
    for (const [, file, words] of RUN_ELSEWHERE) expect(read(file)).toContain(words)
  })

  it('that administers the service works', async () => {
    const seen = new Set<string>()
    const world = await openAdministration({
      databaseUrl: `file:${openDataFolder(join(folder, 'data'))}/payments.sqlite`,
      clock: systemClock,
      entropy: systemEntropy,
      settings: DEFAULT_SETTINGS,
      sandbox: true,
      sandboxFolder: join(folder, 'data'),
    })
    onTestFinished(() => world.close())
    const admin = async (command: string) => {
      seen.add(command)
      const order = readOrder(parse(`npm run -s admin -- ${command}`).words)
      if (typeof order === 'string') throw new Error(`${command} is no command`)
      return (await order(world)) as Record<string, string>
    }
    const project = await admin('project create "Lightning Lounge" --fund 5000')
    named.set('PROJECTID', project.projectId ?? '')
    await admin('project list')
    await admin('project rotate-secret PROJECTID')
    await admin('key list PROJECTID')
    named.set('KEYID', (await admin('key create PROJECTID --scope read,receive,send')).keyId ?? '')
    await admin('key revoke KEYID')
    const redirect = '--redirect http://localhost:3000/callback'
    const program = await admin(`client create PROJECTID "Space Game" ${redirect} --scope user,wallet`)
    expect(program.clientSecret).toBeTruthy()
    named.set('USERID', (await admin('user create satoshi')).userId ?? '')
    expect((await admin('user token USERID')).token).toBeTruthy()
    expect((await admin('user link-code USERID')).code).toBeTruthy()
    await admin('user rename USERID GAMERTAG')
    expect(await admin('user list')).toMatchObject([{ gamertag: named.get('GAMERTAG') }])
    expect(await admin('user list --after GAMERTAG')).toEqual([])
    expect((await admin('sandbox token')).token).toMatch(/^[0-9a-f]{64}$/)
    await admin('node show')
    await admin('fees show')
    await admin('callbacks list')
    expect(await admin('payment list')).toEqual([])
    expect([await admin('suspense list'), await admin('suspense list --given')]).toEqual([[], []])
    await admin('callbacks redeliver')
    named.set('GAMERTAG', 'hal')
    await admin('user create GAMERTAG')
    const promised = RUN_HERE.filter((command) => command.includes(' admin '))
    expect([...seen].map((command) => `npm run -s admin -- ${command}`).sort()).toEqual(promised.sort())
  })

  it('that starts a process works, or reports that the bot has no token', async () => {
    const bot = expect(runs('npm run bot')).rejects.toThrow('DISCORD_TOKEN is missing')
    await opens('npm run service', /listens on/)
    await opens('npm run sandbox', /listens on/)
    await bot
  })

  it('that audits, confirms the clock, backs up or restores works', async () => {
    const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
    await (await createWorld({ ...around, folder: join(folder, 'data') })).close()
    const [audit, json] = await Promise.all([
      runs('npm run audit'),
      runs('npm run -s audit -- --json'),
      runs('npm run backup -- FOLDER'),
    ])
    expect(audit).toContain('Everything agrees')
    expect(JSON.parse(json)).toMatchObject({ holds: true })
    expect((await runs('npm run confirm-clock')).match(/book was at .*; it goes by the clock/g)).toHaveLength(2)
    for (const [restore, words] of [
      ['npm run restore -- FOLDER', 'an operator has said /admin resume'],
      ['npm run restore -- FOLDER --not-paused', 'has proven its book against the wallet.\n'],
    ] as const) {
      rmSync(join(folder, 'data'), { recursive: true })
      expect(await runs(restore)).toContain(words)
    }
  })

  it('that sets up the bot works with answers from a pipe', async () => {
    const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy })
    const env = { ...environment(), DISCORD_API_URL: emulator.restUrl }
    const child = spawn(process.execPath, [parse('npm run setup').script], { cwd: folder, env })
    child.stdin.end(`wrong\n${emulator.token}${'\n'.repeat(12)}`)
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    expect(await once(child, 'exit'), said).toEqual([0, null])
    expect(said).toContain('✗ Discord does not know this token')
    expect(said).toContain('https://discord.com/oauth2/authorize')
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
    await emulator.close()
  })
})

function pageIn(file: string): string[] {
  return file.endsWith('.md') ? [`docs/${file}`] : []
}

/** Returns the commands in a page's blocks and in its text. */
function commandsOf(page: string): string[] {
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.replaceAll(/ \\\n\s*/g, ' ').split('\n'),
  )
  const inText = [...page.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`((?:npm|docker) [^`]+)`/g)].map(
    ([, text = '']) => text,
  )
  return [...blocks, ...inText]
    .flatMap((line) => line.replace(/\s+#.*$/, '').split(' && '))
    .map((command) =>
      command
        .replaceAll(/\s+/g, ' ')
        .replace(/\/backups\/\S+/, 'FOLDER')
        .trim(),
    )
    .filter(Boolean)
}
