import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'

// The gate has no container engine, so no image is built: the commands and the Dockerfile are read, and held against
// each other, against the files they name and against the configuration's own defaults.
const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const page = read('docs/install.md')
const instructions = read('Dockerfile')
  .replace(/^#.*$/gm, '')
  .split('\n')
  .map((line) => line.trim())
  .filter(Boolean)
  .map((line) => ({ verb: line.split(' ')[0] ?? '', words: line.split(/\s+/).slice(1) }))
const wordsOf = (verb: string) => instructions.filter((each) => each.verb === verb).map(({ words }) => words)
const environment = Object.fromEntries(
  wordsOf('ENV')
    .flat()
    .map((pair) => pair.split('=') as [string, string]),
)

/** The Docker commands on the page, each with its options and arguments. */
const commands = [...page.matchAll(/docker (build|run) ([^`\n]+)/g)].map(([, verb = '', rest = '']) => {
  const options: [name: string, value: string][] = []
  const others: string[] = []
  const words = rest.trim().split(/\s+/)
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-d') options.push([word, ''])
    else if (word.startsWith('-')) options.push([word, words.shift() ?? ''])
    else others.push(word)
  }
  return { verb, options, others }
})
const optionsOf = (name: string) =>
  commands.flatMap(({ options }) => options.filter(([each]) => each === name)).map(([, value]) => value)

describe('the docker commands of docs/install.md', () => {
  it('build the image that they run, from this folder', () => {
    const [build, ...runs] = commands
    expect(build).toEqual({ verb: 'build', options: [['-t', 'satchel']], others: ['.'] })
    expect(runs.length).toBeGreaterThan(1)
    for (const { verb, others } of runs) {
      expect([verb, others[0]]).toEqual(['run', 'satchel'])
      // What runs in place of the image's own command is there.
      for (const file of others.filter((word) => word.endsWith('.ts'))) expect(existsSync(join(root, file))).toBe(true)
    }
  })

  it('use known options with valid values', () => {
    const known = ['-t', '-d', '--name', '--restart', '--env-file', '-v', '-p']
    expect(
      commands.flatMap(({ options }) => options.map(([name]) => name)).filter((name) => !known.includes(name)),
    ).toEqual([])
    expect(optionsOf('--env-file')).toEqual(['.env'])
    expect(optionsOf('--restart')).toEqual(['unless-stopped'])
    expect(wordsOf('VOLUME')).toEqual([['/app/data']])
    expect(optionsOf('-v')).toEqual(['satchel-data:/app/data'])
    expect(posix.resolve(wordsOf('WORKDIR')[0]?.[0] ?? '', parseConfig(environment).dataFolder)).toBe('/app/data')
    expect(posix.dirname(environment.SETTINGS_FILE ?? '')).toBe('/app/data')
  })

  it('open the default ports to this machine only', () => {
    const { playgroundPort, service, callbacks, host } = parseConfig(environment)
    const ports = [playgroundPort, service.port, callbacks.port].map(String)
    expect(wordsOf('EXPOSE').flat()).toEqual(ports)
    expect(optionsOf('-p').sort()).toEqual(ports.map((port) => `127.0.0.1:${port}:${port}`).sort())
    expect(host).toBe('0.0.0.0')
  })
})

describe('the Dockerfile', () => {
  it('copies only existing files that are not ignored, or files from earlier stages', () => {
    const ignored = read('.dockerignore').split('\n')
    expect(ignored[0]).toBe('**')
    const stages: string[] = []
    for (const { verb, words } of instructions) {
      if (verb === 'FROM') stages.push(words[2] ?? '')
      if (verb !== 'COPY') continue
      const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
      if (from !== undefined) expect(stages.slice(0, -1)).toContain(from)
      else {
        for (const source of words.slice(0, -1)) {
          expect(existsSync(join(root, source)), source).toBe(true)
          expect(ignored, source).toContain(`!${source}`)
        }
      }
    }
    expect(stages.length).toBe(3)
  })

  it('installs from the lock file, runs as a normal user and starts existing files', () => {
    const last = instructions.slice(instructions.findLastIndex(({ verb }) => verb === 'FROM'))
    expect(last.find(({ verb }) => verb === 'USER')?.words).toEqual(['node'])
    expect(wordsOf('RUN').filter((words) => words.includes('npm') && !words.includes('ci'))).toEqual([])
    const started = [...wordsOf('CMD'), ...wordsOf('HEALTHCHECK')].map(
      (words) => /"([^"]+\.ts)"/.exec(words.join(' '))?.[1],
    )
    expect(started).toEqual(['src/cli/start.ts', 'src/cli/health.ts'])
    for (const file of started) expect(existsSync(join(root, file ?? '')), file).toBe(true)
  })

  it('is based on an image with the Node version in the lock file', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version?: string }> }
    const major = packages['node_modules/node']?.version?.split('.')[0]
    expect(wordsOf('ARG')).toContainEqual([`NODE_IMAGE=node:${major}-bookworm-slim`])
    expect(wordsOf('FROM').map(([image]) => image)).toEqual(['$NODE_IMAGE', '$NODE_IMAGE', '$BASE_IMAGE'])
  })
})
