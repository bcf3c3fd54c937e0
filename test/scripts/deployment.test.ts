import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { parseConfig } from '../../src/config/config.ts'

// No container engine and no systemd run in the gate: the files are read, and held against the Dockerfile, the
// configuration, .env.example and each other. Each was also tried by hand as docs/RELIABILITY.md says.
const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const dockerfile = read('Dockerfile')
const wordsOf = (verb: string) =>
  [...dockerfile.matchAll(new RegExp(`^${verb} (.*)$`, 'gm'))].flatMap(([, rest = '']) => rest.split(/\s+/))
const settings = new Set([...read('.env.example').matchAll(/^# ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name))
/** Whether a variable is a setting, or a setting's `_FILE` form, since every secret can also be given as a file. */
const isSetting = (name: string) => settings.has(name) || settings.has(name.replace(/_FILE$/, ''))

const text = z.string().min(1)
const service = z.strictObject({
  image: text.optional(),
  build: z.literal('.').optional(),
  profiles: z.array(text).optional(),
  restart: z.enum(['unless-stopped', 'on-failure']).optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+[sm]$/)
    .optional(),
  env_file: z.literal('.env').optional(),
  environment: z.record(text, z.string()).optional(),
  depends_on: z.array(text).optional(),
  user: text.optional(),
  deploy: z.strictObject({ replicas: text }).optional(),
  command: z.array(text).optional(),
  expose: z.array(z.string().regex(/^\d+$/)).optional(),
  ports: z.array(z.string().regex(/^(127\.0\.0\.1:)?\d+:\d+(\/udp)?$/)).optional(),
  volumes: z.array(z.string().regex(/^[./\w-]+:\/[./\w-]+(:ro)?$/)).optional(),
  secrets: z.array(text).optional(),
  cap_drop: z.array(z.literal('ALL')).optional(),
  security_opt: z.array(z.literal('no-new-privileges:true')).optional(),
})
/** The part of the Compose specification that the project's files use; other keys are faults. */
const compose = z.strictObject({
  name: text,
  services: z.record(text, service),
  secrets: z.record(text, z.strictObject({ file: text })).optional(),
  volumes: z.record(text, z.null()).optional(),
})

describe.each(['compose.yaml', 'compose.regtest.yaml'])('%s', (file) => {
  const source = read(file)
  const { services, secrets = {}, volumes = {} } = compose.parse(parse(source))
  const satchel = services.satchel

  it('uses only settings from .env.example, with valid values', () => {
    const asked = [...source.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
    const set = Object.keys(satchel?.environment ?? {})
    expect([...asked, ...set].filter((name) => !isSetting(name))).toEqual([])
    const values = Object.entries(satchel?.environment ?? {}).filter(([name]) => !name.endsWith('_FILE'))
    const environment = Object.fromEntries(
      values.map(([name, value]) => [name, value.replace(/^\$\{.*/s, 'https://a.b')]),
    )
    expect(() => parseConfig({ ...environment, LIGHTNING_BACKEND: 'sandbox' })).not.toThrow()
  })

  it('pins every image to a version, and builds the image satchel', () => {
    for (const [name, { image, build }] of Object.entries(services)) {
      if (build !== undefined) expect(image, name).toBe('satchel')
      else expect(image, name).toMatch(/^[a-z]+(\/[a-z]+)?:v?\d+\.\d+(\.\d+)?(-beta)?$/)
    }
    expect(satchel?.build).toBe('.')
  })

  it('agrees with the Dockerfile on ports, volume, address and data folder', () => {
    const exposed = wordsOf('EXPOSE')
    const opened = [...(satchel?.expose ?? []), ...(satchel?.ports ?? []).map((port) => port.split(':').at(-1) ?? '')]
    expect(opened.length).toBeGreaterThan(0)
    for (const port of opened) expect(exposed).toContain(port)
    expect(satchel?.volumes).toContain(`satchel-data:${wordsOf('VOLUME')[0]}`)
    const built = Object.fromEntries(wordsOf('ENV').map((pair) => pair.split('=') as [string, string]))
    expect(satchel?.environment).toMatchObject({ LISTEN_HOST: built.LISTEN_HOST, DATA_FOLDER: wordsOf('VOLUME')[0] })
    const [program, script] = satchel?.command ?? ['node', 'src/cli/start.ts']
    expect(program).toBe('node')
    expect(existsSync(join(root, script ?? ''))).toBe(true)
  })

  it('declares its volumes and secrets, and mounts only existing files', () => {
    const mounted = Object.values(services).flatMap((one) => one.volumes ?? [])
    const named = mounted.map((mount) => mount.split(':')[0] ?? '').filter((name) => !name.startsWith('.'))
    expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort())
    const used = Object.values(services).flatMap((one) => one.secrets ?? [])
    expect(used.sort()).toEqual(Object.keys(secrets).sort())
    for (const mount of mounted.filter((each) => each.startsWith('.'))) {
      const path = mount.split(':')[0] ?? ''
      // Secrets are made by the person who runs it, and are never a part of the project.
      if (path.startsWith('./secrets/')) expect(read('.gitignore')).toContain('/secrets/')
      else expect(existsSync(join(root, path)), path).toBe(true)
    }
  })

  it('trusts X-Forwarded-For only if a proxy is in front', () => {
    const isBehindProxy = services.caddy !== undefined
    const config = parseConfig({ TRUST_PROXY: satchel?.environment?.TRUST_PROXY })
    expect(config.service.trustProxy).toBe(isBehindProxy)
    // Behind a proxy no other way leads in; without one, only from this machine.
    const open = (satchel?.ports ?? []).filter((port) => !port.startsWith('127.0.0.1:'))
    expect(open).toEqual([])
    expect(isBehindProxy ? satchel?.ports : satchel?.expose).toBeUndefined()
  })

  it('exposes no port that can send the node’s money', () => {
    for (const name of ['phoenixd', 'lnd', 'outside', 'bitcoind']) {
      for (const port of services[name]?.ports ?? []) expect(port).toBe('9735:9735')
      expect(services[name]?.command ?? []).not.toContain('--rpclisten=0.0.0.0:10009')
    }
  })
})

describe('compose.yaml', () => {
  const { services } = compose.parse(parse(read('compose.yaml')))

  it('starts each node only in its own profile, with secrets where the docs put them', () => {
    const behind = Object.entries(services).filter(([, one]) => one.profiles !== undefined)
    expect(behind.map(([name, one]) => [name, one.profiles])).toEqual([
      ['phoenixd', ['phoenixd']],
      ['lnd', ['lnd']],
    ])
    expect(services.satchel?.volumes).toContain('./secrets/satchel:/run/secrets:ro')
    for (const page of ['phoenixd', 'lnd']) {
      const words = read(`docs/lightning-nodes/${page}.md`)
      expect(words).toContain(`docker compose --profile ${page} up -d --build`)
      expect(words).toContain('secrets/satchel/')
    }
    expect(read('docs/lightning-nodes/lnd.md')).toContain('https://lnd:8080')
    expect(read('docs/lightning-nodes/phoenixd.md')).toContain('http://phoenixd:9740')
  })

  it.each(['phoenixd', 'lnd'])('needs no variable that the page of %s sets after its first docker command', (node) => {
    // Compose reads the whole file first, also for the services of another profile.
    const required = [...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
    const page = read(`docs/lightning-nodes/${node}.md`)
    expect(required).toContain('SERVICE_PUBLIC_URL')
    for (const name of required) {
      const set = page.search(new RegExp(`^${name}=`, 'm'))
      expect([name, set > 0 && set < page.search(/^docker compose /m)]).toEqual([name, true])
    }
  })

  it.each(['phoenixd', 'lnd'])('is configured for the right node by the settings on the page of %s', (node) => {
    const page = read(`docs/lightning-nodes/${node}.md`)
    const block = /```\n(SERVICE_PUBLIC_URL=[^`]+)```/.exec(page)?.[1] ?? ''
    const named = Object.fromEntries([...block.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
    // The files of the secrets are in the container alone.
    const files = Object.keys(named).filter((name) => name.endsWith('_FILE'))
    const settings: Record<string, string> = { ...named, PHOENIXD_PASSWORD: 'p', LND_MACAROON: '02' }
    for (const name of files) delete settings[name]
    expect(parseConfig(settings).service.lightning).toMatchObject({
      kind: node,
      url: expect.stringContaining(`//${node}:`),
    })
    expect(files.length).toBeGreaterThan(0)
  })

  it('allows the program enough time to stop', () => {
    const limit = /STOP_TIMEOUT_MS = ([\d_]+)/.exec(read('src/cli/run.ts'))?.[1]?.replaceAll('_', '')
    expect(Number.parseInt(services.satchel?.stop_grace_period ?? '0', 10)).toBeGreaterThan(Number(limit) / 1_000)
  })

  it('gives the Caddyfile one address for each of the two ports', () => {
    const sites = [...read('Caddyfile').matchAll(/^\{\$(\w+)\} \{\n\treverse_proxy ([a-z]+):(\d+)\n\}$/gm)]
    const { service, callbacks } = parseConfig({})
    expect(sites.map(([, name, host, port]) => [name, host, Number(port)])).toEqual([
      ['SERVICE_PUBLIC_URL', 'satchel', service.port],
      ['CALLBACK_PUBLIC_URL', 'satchel', callbacks.port],
    ])
    expect(Object.keys(services.caddy?.environment ?? {})).toEqual(sites.map(([, name]) => name))
  })
})

describe('compose.scale.yaml', () => {
  const source = read('compose.scale.yaml')
  const { services, volumes = {} } = compose.parse(parse(source))
  const ours = Object.entries(services).filter(([, { image }]) => image === 'satchel')
  const given = (environment: Record<string, string> = {}) => {
    const example: Record<string, string> = { DISCORD_PUBLIC_KEY: 'ab'.repeat(32) }
    const filled = Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)[^}]*\}/g, (_, asked) => (/_URL$/.test(asked) ? 'https://a.b' : (example[asked] ?? 'x'))),
    ])
    return parseConfig({ ...Object.fromEntries(filled), DISCORD_TOKEN: 'token', PAYMENTS_API_KEY: 'key' })
  }

  it('has two services, two fronts and one gateway with valid settings', () => {
    const started = ours.map(([name, { command, environment }]) => {
      const {
        discord,
        callbacks,
        service: payments,
        instance,
        ...config
      } = given(
        command?.at(-1) === 'src/cli/service.ts'
          ? { ...environment, PAYMENTS_BASE_URL: 'http://caddy:8787' }
          : environment,
      )
      expect(
        Object.keys(environment ?? {}).filter((set) => !isSetting(set)),
        name,
      ).toEqual([])
      expect(existsSync(join(root, command?.[1] ?? '')), name).toBe(true)
      expect(payments.trustProxy, name).toBe(true)
      expect(instance.drainMs, name).toBe(5_000)
      const isBot = command?.[1] === 'src/cli/bot.ts'
      const book = isBot ? config.tippingDatabaseUrl : payments.databaseUrl
      expect(book, name).toBe('postgresql://satchel:x@postgres/satchel')
      if (!isBot) return 'service'
      expect([discord?.publicKey, callbacks.publicUrl], name).toEqual(['ab'.repeat(32), 'https://a.b'])
      return discord?.gateway ? 'gateway' : 'front'
    })
    expect(started.sort()).toEqual(['front', 'front', 'gateway', 'service', 'service'])
    // What may be started twice has no name, port or folder that only one can have.
    const { gateway } = services
    expect(gateway?.deploy?.replicas).toMatch(/^\$\{GATEWAYS:-1\}$/)
    expect(gateway?.volumes?.every((mount) => mount.endsWith(':ro'))).toBe(true)
    expect(read('docs/SCALING.md')).toContain('`GATEWAYS=2`')
  })

  it('has pinned images, declared volumes and existing mounts, and no port but Caddy’s', () => {
    for (const [name, { image, build, ports }] of Object.entries(services)) {
      if (build === undefined) expect(image, name).toMatch(/^[a-z]+:\d+\.\d+(\.\d+)?$/)
      if (name !== 'caddy') expect(ports, name).toBeUndefined()
    }
    const mounted = Object.values(services).flatMap((one) => one.volumes ?? [])
    const named = mounted.map((mount) => mount.split(':')[0] ?? '').filter((name) => !name.startsWith('.'))
    expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort())
    for (const path of mounted.map((mount) => mount.split(':')[0] ?? '')) {
      if (path.startsWith('./deploy/')) expect(existsSync(join(root, path)), path).toBe(true)
    }
  })

  it('allows the programs enough time to drain and stop', () => {
    const limit = /STOP_TIMEOUT_MS = ([\d_]+)/.exec(read('src/cli/run.ts'))?.[1]?.replaceAll('_', '')
    for (const [name, { stop_grace_period: grace = '0', environment }] of ours) {
      expect(Number.parseInt(grace, 10), name).toBeGreaterThan(
        Number(limit) / 1_000 + Number(environment?.DRAIN_SECONDS),
      )
    }
  })

  it('has Caddy check the readiness of each process every second', () => {
    const caddyfile = read('deploy/scale.Caddyfile')
    const asked = [...caddyfile.matchAll(/(?:pay|front)-\d:(\d+)/g)].map(([all, port]) => [all.split(':')[0], port])
    const { service, callbacks } = parseConfig({})
    expect(asked).toEqual([
      ...['pay-1', 'pay-2'].map((name) => [name, String(service.port)]),
      ...['front-1', 'front-2'].map((name) => [name, String(callbacks.port)]),
    ])
    for (const [name] of asked) expect(Object.keys(services)).toContain(name)
    expect(caddyfile.match(/health_uri \/ready/g)).toHaveLength(2)
    expect(caddyfile.match(/health_interval 1s/g)).toHaveLength(2)
    expect(caddyfile).toContain('@gateway path /api/*')
    expect(caddyfile).toContain('{$SERVICES_INSIDE:http://:8787} {')
  })

  it('makes the primary wait for the standby under the name that the standby uses', () => {
    expect(read('deploy/postgres-primary.sh')).toContain("synchronous_standby_names = 'standby'")
    expect(read('deploy/postgres-standby.sh')).toContain('exec postgres -c cluster_name=standby')
    expect(services.standby?.user).toBe('postgres')
  })

  it('is started as docs/SCALING.md shows', () => {
    expect(read('docs/SCALING.md')).toContain('docker compose -f compose.scale.yaml up -d --build')
    expect(read('docs/SCALING.md')).toContain('POSTGRES_PASSWORD=')
  })
})

describe('the systemd unit', () => {
  const unit = read('deploy/satchel.service')
  const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]
  const folder = settingOf('WorkingDirectory') ?? ''
  const inProject = (path: string) => join(root, posix.relative(folder, posix.resolve(folder, path)))

  it('starts a file of the project with the Node that npm ci installs', () => {
    const [program = '', ...words] = (settingOf('ExecStart') ?? '').split(' ')
    const [script = '', ...more] = words.filter((word) => !word.startsWith('--'))
    expect(more).toEqual([])
    expect(program).toBe(`${folder}/node_modules/.bin/node`)
    expect(existsSync(inProject(program))).toBe(true)
    expect(JSON.parse(read('package.json')).devDependencies.node).toBeDefined()
    expect(existsSync(inProject(script))).toBe(true)
    expect(existsSync(inProject((settingOf('Documentation') ?? '').replace('file:', '')))).toBe(true)
  })

  it('runs as its own user, and can write only to its data folder', () => {
    expect(posix.resolve(folder, parseConfig({}).dataFolder)).toBe(settingOf('ReadWritePaths'))
    expect(settingOf('ProtectSystem')).toBe('strict')
    expect(settingOf('User')).toBe('satchel')
    expect(settingOf('UMask')).toBe('0077')
    // Node compiles while it runs; memory that is writable and executable has to be allowed.
    expect(unit).not.toContain('MemoryDenyWriteExecute')
  })

  it('allows enough time for a stop, and restarts the program after a failure', () => {
    const limit = /STOP_TIMEOUT_MS = ([\d_]+)/.exec(read('src/cli/run.ts'))?.[1]?.replaceAll('_', '')
    expect(Number(settingOf('TimeoutStopSec'))).toBeGreaterThan(Number(limit) / 1_000)
    expect(settingOf('Restart')).toBe('on-failure')
  })

  it('is installed as docs/install.md shows', () => {
    const page = read('docs/install.md')
    for (const words of ['deploy/satchel.service', folder, 'systemctl enable --now satchel']) {
      expect(page).toContain(words)
    }
  })
})

describe('the memory of long-running programs', () => {
  // Measured: docs/PERFORMANCE.md, “Memory”.
  const option = '--max-semi-space-size=16'

  it('has the same limit under npm, satchel, Docker and systemd', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    for (const name of ['start', 'bot', 'service']) expect(scripts[name]).toContain(` ${option} `)
    expect(read('src/cli/satchel.mjs')).toContain(`'${option}'`)
    expect(read('deploy/satchel.service')).toContain(` ${option} `)
    expect(wordsOf('ENV')).toContain(`NODE_OPTIONS=${option}`)
  })

  it('is limited by an option that the project’s Node accepts from the environment', () => {
    const env = { ...process.env, NODE_OPTIONS: option }
    const { status, stderr } = spawnSync(process.execPath, [option, '-e', ''], { env, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})
