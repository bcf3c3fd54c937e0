import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { writePackages } from '../../scripts/write-packages.ts'
import { read, root, version, wordsOf } from './files.ts'

const text = z.string().min(1)
const target = z.strictObject({
  context: z.literal('.'),
  dockerfile: text,
  platforms: z.tuple([z.literal('linux/amd64'), z.literal('linux/arm64')]),
  tags: z.array(text),
  args: z.record(text, z.string()),
  labels: z.record(z.string().startsWith('org.opencontainers.image.'), text),
  attest: z.array(z.string().startsWith('type=')),
})
/** The schema of bake's file in JSON, according to its reference; `//` is a comment there. */
const bakeFile = z.strictObject({
  '//': text,
  variable: z.record(z.string().regex(/^[A-Z_]+$/), z.strictObject({ default: z.string() })),
  group: z.strictObject({ default: z.strictObject({ targets: z.array(text) }) }),
  target: z.record(text, target),
})

describe('the bake file', () => {
  const source = read('deploy/docker-bake.json')
  const bake = bakeFile.parse(JSON.parse(source))
  const satchel = bake.target.satchel

  it('builds the image for both architectures with the project’s version and licence', () => {
    expect(bake.group.default.targets).toEqual(Object.keys(bake.target))
    expect(existsSync(join(root, satchel?.dockerfile ?? ''))).toBe(true)
    expect(bake.variable.VERSION?.default).toBe(version)
    expect(satchel?.labels['org.opencontainers.image.licenses']).toBe(JSON.parse(read('package.json')).license)
  })

  it('uses exactly the variables that it declares', () => {
    const used = [...source.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name)
    expect([...new Set(used)].sort()).toEqual(Object.keys(bake.variable).sort())
  })

  it('uses the same base images as the Dockerfile, which names no architecture', () => {
    const images = { NODE_IMAGE: /^node:\d+-bookworm-slim$/, BASE_IMAGE: /^debian:bookworm-slim$/ }
    const named = Object.fromEntries(wordsOf('ARG').map((word) => word.split('=')))
    for (const [name, image] of Object.entries(images)) {
      expect(named[name]).toMatch(image)
      expect(bake.variable[name]?.default).toBe(named[name])
      expect(read('.github/workflows/release.yml')).toContain(`${name}=${named[name]}`)
    }
    expect(wordsOf('FROM').filter((word) => word.startsWith('$'))).toEqual([
      '$NODE_IMAGE',
      '$NODE_IMAGE',
      '$BASE_IMAGE',
    ])
    expect(read('Dockerfile')).not.toMatch(/amd64|x86_64|arm64|aarch64/)
  })
})

const step = z.union([
  z.strictObject({
    name: text.optional(),
    uses: z.string().regex(/^[\w-]+\/[\w-]+@v\d+(\.\d+)*$/),
    with: z.record(text, z.unknown()).optional(),
  }),
  z.strictObject({ name: text.optional(), run: text, env: z.record(text, text).optional() }),
])
const job = z.strictObject({
  needs: z.array(text).optional(),
  'runs-on': z.string().regex(/^ubuntu-\d+\.\d+$/),
  'timeout-minutes': z.int(),
  permissions: z.record(text, z.enum(['read', 'write'])).optional(),
  defaults: z.strictObject({ run: z.strictObject({ 'working-directory': text }) }).optional(),
  env: z.record(text, text).optional(),
  steps: z.array(step),
})

describe('the release workflow', () => {
  const source = read('.github/workflows/release.yml')
  const workflow = z
    .strictObject({
      name: text,
      on: z.strictObject({ push: z.strictObject({ tags: z.array(text) }) }),
      permissions: z.strictObject({ contents: z.literal('read') }),
      jobs: z.record(text, job),
    })
    .parse(parse(source))
  const commands = Object.values(workflow.jobs).map(({ steps }) =>
    steps.map((one) => ('run' in one ? one.run : '')).join('\n'),
  )

  it('publishes only after the tests pass and only if an image name is configured', () => {
    expect(workflow.jobs.publish?.needs).toEqual(['test', 'start9'])
    expect(workflow.jobs.publish?.env?.IMAGE).toContain('vars.IMAGE')
    const [first] = workflow.jobs.publish?.steps ?? []
    expect(first && 'run' in first && first.run).toContain('test -n "$IMAGE"')
    for (const [name, { permissions }] of Object.entries(workflow.jobs)) {
      expect(permissions === undefined, name).toBe(name !== 'publish')
    }
  })

  it('tests, builds, checks the size, pushes, signs and drafts a release in this order', () => {
    const [test = '', , publish = ''] = commands
    expect(test.split('\n')).toEqual(expect.arrayContaining(['npm ci', '.ci/run', 'npm run licences']))
    expect(publish).toContain('docker buildx bake --file deploy/docker-bake.json --metadata-file')
    const order = [
      '{{.Manifest.Digest}}',
      '-le 300000000',
      '--push',
      'cosign sign',
      'write-packages.ts',
      'SHA256SUMS',
      'gh release create',
    ]
    const places = order.map((words) => publish.indexOf(words))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  it('contains valid bash that names only existing files and npm scripts', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const start9 = JSON.parse(read('deploy/start9/package.json')) as { scripts: Record<string, string> }
    for (const [, name = ''] of commands.join('\n').matchAll(/npm run ([\w:-]+)/g)) {
      expect({ ...scripts, ...start9.scripts }, name).toHaveProperty(name)
    }
    for (const [path] of commands.join('\n').matchAll(/(?:deploy|scripts)\/[\w./-]+/g)) {
      expect(existsSync(join(root, path)), path).toBe(true)
    }
    for (const script of commands) execFileSync('bash', ['-n'], { input: script.replace(/\$\{\{.*?\}\}/g, 'x') })
  })
})

it('the changelog begins with package.json’s version and a valid date', () => {
  const [, first, day = ''] = /^## (\S+), (.+)$/m.exec(read('CHANGELOG.md')) ?? []
  expect(first).toBe(version)
  expect(day).toMatch(/^\d{1,2} [A-Z][a-z]+ \d{4}$/)
  expect(new Date(`${day} UTC`).getTime()).not.toBeNaN()
})

describe('the packages of a release', () => {
  const digest = `sha256:${'ab'.repeat(32)}`
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'packages-'))
    onTestFinished(() => rmSync(made, { recursive: true }))
    return join(made, 'packages')
  }

  it('name the owner’s image and sources instead of the examples', () => {
    const made = folder()
    writePackages(`ghcr.io/you/satchel:${version}@${digest}`, 'https://github.com/you/satchel', made)
    const files = globSync('**/*', { cwd: made, withFileTypes: true }).filter((one) => one.isFile())
    const texts = files.map((one) => readFileSync(join(one.parentPath, one.name), 'utf8')).join('\n')
    expect(texts).not.toMatch(/registry\.example\.org|\/\/example\.org|0{64}/)
    expect(readFileSync(join(made, 'umbrel/docker-compose.yml'), 'utf8')).toContain(
      `image: ghcr.io/you/satchel:${version}@${digest}\n`,
    )
    expect(readFileSync(join(made, 'start9/startos/manifest/index.ts'), 'utf8')).toContain(
      `'ghcr.io/you/satchel:${version}'`,
    )
    expect(existsSync(join(made, 'umbrel/data/.gitkeep'))).toBe(true)
  })

  it.each([
    [`ghcr.io/you/satchel:9.9.9@${digest}`, 'https://github.com/you/satchel', /must be NAME:0/],
    [`ghcr.io/you/satchel:${version}`, 'https://github.com/you/satchel', /must be NAME:0/],
    [`ghcr.io/you/satchel:${version}@${digest}`, 'http://github.com/you/satchel', /must begin with https/],
    [`ghcr.io/you/satchel:${version}@${digest}`, '', /must begin with https/],
  ])('are not written if the image or the source URL is invalid: %s, %s', (image, address, words) => {
    const made = folder()
    expect(() => writePackages(image, address, made)).toThrow(words)
    expect(existsSync(made)).toBe(false)
  })
})
