/**
 * `npm run prove -- scan`: lets schemathesis, a scanner that others maintain, try every operation in the OpenAPI
 * documents of service and bot, with valid and with forbidden input. The first run installs it from PyPI into
 * ~/.cache/satchel. If the installation fails, the command says why and exits with 0: the scan only adds to `npm run
 * prove -- attack`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../../src/assembly/start-service.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { eventStream } from '../../src/payments-api/payments-api.ts'
import { createAdministration } from '../../src/payments-service/administration/administration.ts'
import { serveFixedRates } from '../../src/playground/world/fixed-rates.ts'
import { makeKey } from '../bench/overlay.ts'
import { createStage } from '../world/processes/stage.ts'

const VERSION = '4.32.5'
const INSTALL_TIMEOUT_MS = 300_000
/** The scanner's checks: bugs, answers that differ from the document, and operations that work without their key. */
const CHECKS = ['not_a_server_error', 'status_code_conformance', 'response_schema_conformance', 'ignored_auth']

/**
 * The scanner's settings. The sandbox pays no offers, and says so with a declared status; any other status of 500 or
 * more is a bug.
 */
const SETTINGS = `[[operations]]
include-path = "/v0/offer-invoices"
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "501"]
`

/** The scanner's program, or the reason why it cannot be installed. */
function schemathesis(): { readonly program: string } | { readonly missing: string } {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'satchel', `schemathesis-${VERSION}`)
  const program = join(folder, 'bin', 'schemathesis')
  if (existsSync(program)) return { program }
  mkdirSync(folder, { recursive: true })
  for (const [command, ...args] of [
    ['python3', '-m', 'venv', folder],
    [join(folder, 'bin', 'pip'), 'install', '--quiet', `schemathesis==${VERSION}`],
  ] as const) {
    const done = spawnSync(command, args, { timeout: INSTALL_TIMEOUT_MS, encoding: 'utf8' })
    if (done.status === 0) continue
    rmSync(folder, { recursive: true, force: true })
    return { missing: `${command} ${args.join(' ')}: ${done.error?.message ?? done.stderr.trim().split('\n').at(-1)}` }
  }
  return existsSync(program) ? { program } : { missing: 'pip installed it without its program' }
}

async function scan(program: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-scan-'))
  const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  // Without a source of prices Get Price answers 503.
  const rates = await serveFixedRates(around)
  const prices = { RATES_URL: rates.url, OUTGOING_ALLOW_LOOPBACK: 'true' }
  const config = parseConfig({ DATA_FOLDER: folder, SERVICE_PORT: '0', LOG_LEVEL: 'silent', ...prices })
  const service = await startService({ config, ...around })
  try {
    const { apiKey } = await createAdministration({ ...service.parts, sandbox: true }).createProject(
      'scan',
      sats(100_000),
    )
    writeFileSync(join(folder, 'schemathesis.toml'), SETTINGS)
    const header = `apikey: ${apiKey}`
    return await run(program, folder, [`${service.url}/openapi.json`, '--header', header, ...without(eventStream.path)])
  } finally {
    await service.close()
    await rates.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Scans the bot's API with a key that gives rewards and looks up members. A key permits five requests a second. */
async function scanBot(program: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-scan-'))
  const stage = await createStage()
  try {
    await stage.service.start()
    await stage.bot.start()
    const header = `Authorization: Bearer ${await makeKey(stage, { name: 'scan', use: 'rewards', budget: '500' })}`
    const address = `${stage.botUrl}/api/v1/openapi.json`
    const pace = ['--rate-limit', '5/s', '--max-examples', '10']
    return await run(program, folder, [address, '--header', header, ...without('/api/v1/events'), ...pace])
  } finally {
    await stage.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Returns the arguments that exclude a stream. A stream ends only when its reader ends it, so the scanner would wait
 * each time.
 */
const without = (path: string) => ['--exclude-path', path]

/** Runs the scanner. Resolves to its exit code. */
function run(program: string, cwd: string, args: readonly string[]): Promise<number> {
  const usual = ['--checks', CHECKS.join(','), '--max-examples', '30', '--seed', '1']
  const child = spawn(program, ['run', ...usual, ...args], { cwd, stdio: 'inherit' })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

const found = schemathesis()
if ('missing' in found) console.log(`schemathesis was not run, because it could not be installed: ${found.missing}`)
else process.exitCode = (await scan(found.program)) || (await scanBot(found.program))
