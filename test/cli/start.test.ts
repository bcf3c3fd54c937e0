import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder: string
const children: ChildProcess[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A command of the project in an empty folder with an environment of its own. */
function command(name: string, environment: Record<string, string> = {}, ...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, `../../src/cli/${name}.ts`), ...args], {
    cwd: folder,
    env: { PLAYGROUND_PORT: '0', SERVICE_PORT: '0', CALLBACK_PORT: '0', ...environment },
  })
  children.push(child)
  const heard = { text: '' }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (heard.text += chunk))
  return {
    child,
    heard,
    /** Resolves when the process has said this. Rejects when it ends without having said it. */
    said: (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(heard.text)
          if (match) resolve(match[1] ?? match[0])
        }
        child.stdout.on('data', look)
        child.stderr.on('data', look)
        child.once('exit', () => reject(new Error(`it ended without saying ${pattern}: ${heard.text}`)))
        look()
      }),
    async ended(): Promise<{ code: number | null; text: string }> {
      if (child.exitCode === null) await once(child, 'exit')
      return { code: child.exitCode, text: heard.text }
    },
  }
}

describe('npm start without a token', () => {
  it('opens the playground, says where, stops on Ctrl-C, and goes on where it was', async () => {
    const first = command('start')
    const url = await first.said(/open:\s+(http:\S+)/)
    expect((await fetch(url)).headers.get('content-type')).toContain('text/html')
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok' })
    first.child.kill('SIGINT')
    expect(await first.ended()).toMatchObject({ code: 0 })
    expect(existsSync(join(folder, 'data/tipping.sqlite'))).toBe(true)

    const again = command('start', {}, '--fresh')
    await again.said(/open:\s+(http:\S+)/)
    again.child.kill('SIGTERM')
    expect(await again.ended()).toMatchObject({ code: 0 })
  })

  it('keeps a second process from the same data, and takes them over from one that was killed', async () => {
    const first = command('start')
    await first.said(/open:/)
    const { code, text } = await command('start', {}, '--fresh').ended()
    expect(text).toContain(`in use by another process (${first.child.pid})`)
    expect(code).toBe(1)
    first.child.kill('SIGKILL')
    await first.ended()
    await command('start').said(/open:/)
  })

  it('stops when npm, which started it, is told to stop', async () => {
    const npm = command('start', { npm_lifecycle_event: 'start' }, '--oops')
    expect(await npm.ended()).toMatchObject({ code: 1, text: expect.stringMatching(/^Unknown option '--oops'/) })
    const entry = join(import.meta.dirname, '../../src/cli/start.ts')
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${entry}"; true`], {
      cwd: folder,
      env: { PLAYGROUND_PORT: '0', SERVICE_PORT: '0', CALLBACK_PORT: '0', npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    children.push(shell)
    let text = ''
    for await (const chunk of shell.stdout) {
      text += chunk
      if (/open:\s+http:\S+/.test(text)) break
    }
    const url = /open:\s+(http:\S+)/.exec(text)?.[1] ?? ''
    shell.kill('SIGTERM')
    const gone = () =>
      fetch(`${url}/health`).then(
        () => false,
        () => true,
      )
    await expect.poll(gone, { timeout: 15_000 }).toBe(true)
  })

  it('takes the next free port when its own is taken', async () => {
    const squatter = createServer().listen(0, '127.0.0.1')
    await once(squatter, 'listening')
    const { port } = squatter.address() as { port: number }
    const url = await command('start', { PLAYGROUND_PORT: String(port) }).said(/open:\s+(http:\S+)/)
    expect(Number(new URL(url).port)).toBeGreaterThan(port)
    squatter.close()
  })
})

describe('a mistake is told in words, without a stack', () => {
  it.each([
    ['start', { SERVICE_PORT: 'x' }, /SERVICE_PORT must be a whole number/],
    ['bot', {}, /DISCORD_TOKEN is missing/],
    ['bot', { DISCORD_TOKEN: 'abc' }, /PAYMENTS_BASE_URL and PAYMENTS_API_KEY are missing/],
    ['service', { PAYMENTS_DATABASE_URL: 'file:./taken/payments.sqlite' }, /payments\.sqlite could not be opened/],
    ['start', { DATA_FOLDER: './taken' }, /taken/],
  ])('%s with %o', async (name, environment, words) => {
    writeFileSync(join(folder, 'taken'), 'a file where a folder is wanted')
    const { code, text } = await command(name, environment as Record<string, string>).ended()
    expect(text).toMatch(words)
    expect(text).not.toMatch(/\n\s+at /)
    expect(code).toBe(1)
  })

  it('service on a port that is taken', async () => {
    const squatter = createServer().listen(0, '127.0.0.1')
    await once(squatter, 'listening')
    const { port } = squatter.address() as { port: number }
    const { code, text } = await command('service', { SERVICE_PORT: String(port) }).ended()
    expect(text).toContain(`Port ${port} on 127.0.0.1 is already taken`)
    expect(text).not.toMatch(/\n\s+at /)
    expect(code).toBe(1)
    squatter.close()
  })

  it('Discord is not where it is said to be', async () => {
    const nobody = createServer().listen(0, '127.0.0.1')
    await once(nobody, 'listening')
    const { port } = nobody.address() as { port: number }
    nobody.close()
    const environment = { DISCORD_TOKEN: 'abc', DISCORD_API_URL: `http://127.0.0.1:${port}/api` }
    const { code, text } = await command('start', environment).ended()
    expect(text).toContain('Discord cannot be reached')
    expect(text).not.toMatch(/\n\s+at /)
    expect(code).toBe(1)
  })
})
