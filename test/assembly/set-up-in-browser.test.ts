import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Variables } from '../../src/assembly/set-up/ask-node.ts'
import { withOwnService } from '../../src/assembly/set-up/prepare-own-service.ts'
import { type BrowserOptions, type BrowserSetUp, setUpInBrowser } from '../../src/assembly/set-up/set-up-in-browser.ts'
import { parseConfig } from '../../src/config/config.ts'
import { createEmulator, type Emulator } from '../../src/discord-emulator/emulator.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { Problem } from '../../src/lib/problem.ts'
import { ManualClock } from '../support/manual-clock.ts'

const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }

let emulator: Emulator
let folder: string
let envFile: string
let setUp: BrowserSetUp<string>
/** Returns a promise that resolves when the start ends. */
let start: () => Promise<string>
let address: string
let codes: string[]
/** The problem with which the next attempt to open the books fails; undefined if it succeeds. */
let trouble: Problem | undefined

beforeEach(async () => {
  emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy })
  folder = mkdtempSync(join(tmpdir(), 'set-up-in-browser-'))
  envFile = join(folder, 'settings.env')
  codes = []
  trouble = undefined
  start = async () => 'running'
})
afterEach(async () => {
  await setUp.close()
  await emulator.close()
  rmSync(folder, { recursive: true })
})

const settled = (variables: Variables) =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined))

async function open({ code, clock = systemClock }: { code?: string; clock?: ManualClock | typeof systemClock } = {}) {
  const runtime = { ...around, clock }
  const options: BrowserOptions = {
    runtime,
    apiUrl: emulator.restUrl,
    envFile,
    environment: {},
    allowFirstBook: () => undefined,
    async withOwnService(variables, use) {
      if (trouble !== undefined) throw trouble
      return await withOwnService(
        parseConfig({ DATA_FOLDER: join(folder, 'data'), ...settled(variables) }),
        around,
        use,
      )
    },
    ...{ port: 0, host: '127.0.0.1', trustProxy: false, code },
    async restore(pieces) {
      const text = await readText(pieces)
      if (text !== 'a backup') throw new Problem('This is not a backup.')
      return 'Restored it.'
    },
    announce(at, made) {
      address = at
      if (made !== undefined) codes.push(made)
    },
  }
  setUp = await setUpInBrowser(options, () => start())
}

/** Returns a browser that can send forms and stores one cookie. */
function browser() {
  let cookie = ''
  const keep = (answer: Response) => {
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return answer
  }
  const get = async (path = '') => await fetch(`${address}${path}`, { headers: { cookie } })
  const post = async (path: string, fields: Readonly<Record<string, string>> = {}, headers = {}) =>
    await send(path, new URLSearchParams(fields).toString(), headers)
  const send = async (path: string, body: string, headers = {}) =>
    keep(
      await fetch(`${address}${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          cookie,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        body,
      }),
    )
  const page = async () => await (await get()).text()
  /**
   * Resolves to the page once it waits for this person. Loads the page no more often than the limit for one address
   * permits.
   */
  const settledPage = async () => {
    let text = ''
    const look = async () => {
      const answer = await get().catch(() => undefined)
      text = (await answer?.text()) ?? ''
      return answer !== undefined && answer.status !== 429 && !text.includes('role="status"')
    }
    await expect.poll(look, { interval: 250, timeout: 60_000 }).toBe(true)
    return text
  }
  const answer = async (text: string, field: 'answer' | 'choice' = 'answer') => {
    const [, number = ''] = /name="number" value="(\d+)"/.exec(await settledPage()) ?? []
    return await post('/answer', { number, [field]: text })
  }
  return { get, post, send, page, settledPage, answer, enter: (code: string) => post('/code', { code }) }
}

/** Answers every question of the setup. */
async function settle(ours: ReturnType<typeof browser>) {
  await ours.answer(emulator.token)
  await ours.answer('no', 'choice')
  await ours.answer('', 'choice')
  await ours.answer('')
  await ours.answer('123456789012345678')
  await ours.answer('')
  await ours.answer('one', 'choice')
  await ours.settledPage()
}

describe('the set-up code', () => {
  it('opens the page in one browser only, and can be typed in lower case with spaces', async () => {
    await open()
    const [ours, theirs] = [browser(), browser()]
    expect(await ours.page()).toContain('The code that Satchel printed')
    expect((await theirs.enter('AAAAA-AAAAA')).status).toBe(403)
    expect((await ours.enter(` ${codes[0]?.toLowerCase().replace('-', ' ')} `)).status).toBe(303)
    expect(await ours.page()).toContain('The token')
    expect(await (await theirs.enter(codes[0] ?? '')).text()).toContain('This code was used.')
    for (const form of ['/answer', '/again', '/start']) {
      const outside = await theirs.post(form, { number: '1', answer: 'x' })
      expect(outside.status).toBe(403)
      expect(await outside.text()).toContain('Set-up is open in another browser')
    }
    expect((await theirs.get('/state')).status).toBe(403)
  })

  it('is replaced after 5 wrong attempts, which block entry for a minute', async () => {
    const clock = new ManualClock()
    await open({ clock })
    const ours = browser()
    for (let i = 0; i < 4; i += 1) expect(await (await ours.enter('WRONG')).text()).toContain('This is not the code.')
    expect(await (await ours.enter('WRONG')).text()).toContain('wrong five times')
    expect(codes).toHaveLength(2)
    expect((await ours.enter(codes[1] ?? '')).status).toBe(403)
    await clock.advance(61_000)
    expect((await ours.enter(codes[0] ?? '')).status).toBe(403)
    expect((await ours.enter(codes[1] ?? '')).status).toBe(303)
  })

  it('can be renewed from a second browser, which then takes over from the first', async () => {
    await open()
    const [phone, laptop] = [browser(), browser()]
    await phone.enter(codes[0] ?? '')
    await phone.answer(emulator.token)
    expect(await laptop.page()).toContain('open in another browser')
    await laptop.post('/new-code')
    await laptop.post('/new-code')
    expect(codes).toHaveLength(2)
    expect((await laptop.enter(codes[1] ?? '')).status).toBe(303)
    expect(await laptop.settledPage()).toContain('May people install the bot for themselves?')
    expect((await phone.answer('yes', 'choice')).status).toBe(403)
  })

  it('works in more than one browser if it was chosen by the operator', async () => {
    await open({ code: 'my own code' })
    expect(codes).toEqual([])
    expect(await browser().page()).toContain('The code that was set for Satchel')
    for (const each of [browser(), browser()]) expect((await each.enter('MY-OWN-CODE')).status).toBe(303)
  })
})

describe('set-up in a browser', () => {
  it('asks every question, saves the answers, and starts Satchel on request', async () => {
    await open()
    const ours = browser()
    await ours.enter(codes[0] ?? '')
    await settle(ours)
    const end = await ours.settledPage()
    expect(end).toContain(`client_id=${emulator.applicationId}`)
    expect(end).toContain('Start Satchel')
    expect(end).not.toContain(emulator.token)
    expect(readFileSync(envFile, 'utf8')).toContain(`DISCORD_TOKEN=${emulator.token}\n`)
    expect(readFileSync(envFile, 'utf8')).toContain('OPERATORS=one\n')
    expect(statSync(envFile).mode & 0o777).toBe(0o600)
    const starting = await ours.post('/start')
    const last = await starting.text()
    expect(last).toContain('Satchel is starting')
    expect(last).toContain(`client_id=${emulator.applicationId}`)
    expect(await setUp.started).toBe('running')
    await expect(fetch(address)).rejects.toThrow()
  })

  it('lets people go back, and offers their earlier answers except secrets', async () => {
    await open()
    const ours = browser()
    await ours.enter(codes[0] ?? '')
    const first = await ours.settledPage()
    expect(first).toMatch(/This sets up Satchel[\s\S]*The token/)
    expect(first).not.toMatch(/<details|>Back</)
    await ours.answer(emulator.token)
    await ours.answer('back', 'choice')
    const token = await ours.settledPage()
    expect(token).toContain('empty for the one that you gave')
    expect(token).not.toContain(emulator.token)
    expect(token).not.toContain('••••••')
    await ours.answer('')
    const kept = await ours.settledPage()
    expect(kept).toContain('left empty')
    expect(kept).not.toContain('••••••')
    await ours.answer('no', 'choice')
    await ours.answer('wallets', 'choice')
    await ours.answer('https://127.0.0.1')
    await ours.answer('back', 'choice')
    expect(await ours.settledPage()).toContain('value="https://127.0.0.1"')
    await ours.answer('back', 'choice')
    await ours.answer('wallets', 'choice')
    await ours.answer('')
    await ours.answer('')
    expect(await ours.settledPage()).toContain('Change an answer')
    await ours.post('/again', { onward: 'questions' })
    expect(await ours.settledPage()).toContain('empty for the one in .env')
    await ours.answer('')
    await ours.answer('yes', 'choice')
    await ours.answer('wallets', 'choice')
    await ours.answer('')
    await ours.answer('')
    expect(await ours.settledPage()).toContain('Start Satchel')
    expect(readFileSync(envFile, 'utf8')).toContain('DISCORD_USER_INSTALL=on\n')
  })

  it('shows only the latest output of a repeated step', async () => {
    await open()
    const ours = browser()
    await ours.enter(codes[0] ?? '')
    await ours.answer(emulator.token)
    await ours.answer('no', 'choice')
    await ours.answer('wallets', 'choice')
    await ours.answer('back', 'choice')
    // A longer way than before.
    for (const choice of ['abacus', 'wallets']) await ours.answer(choice, 'choice')
    await ours.answer('https://127.0.0.1')
    const longer = await ours.settledPage()
    expect(longer).toMatch(/abacus\S+ is not one of them[\s\S]*own wallets: hold[\s\S]*✓ Satchel holds no sats/)
    expect(longer).toMatch(/4\. Members[\s\S]*https:\/\/127\.0\.0\.1[\s\S]*this machine or its own network/)
    for (let i = 0; i < 2; i += 1) await ours.answer('back', 'choice')
    // And a shorter one.
    await ours.answer('wallets', 'choice')
    const shorter = await ours.settledPage()
    expect(shorter).toContain('✓ Satchel holds no sats')
    expect(shorter).not.toMatch(/abacus|or its own network/)
  })

  it('restores a backup, and reports the result on the page', async () => {
    await open()
    const [ours, theirs] = [browser(), browser()]
    await ours.enter(codes[0] ?? '')
    const send = (by: typeof ours, body: string) => by.send('/restore', body, { 'content-type': 'application/x-tar' })
    expect((await send(ours, 'a backup')).status).toBe(409)
    await settle(ours)
    expect(await ours.page()).toContain('Do you come from another machine?')
    expect((await send(theirs, 'a backup')).status).toBe(403)
    expect((await ours.send('/restore', 'a backup')).status).toBe(409)
    expect((await send(ours, 'a picture')).status).toBe(204)
    expect(await ours.page()).toContain('✗ This is not a backup.')
    expect((await send(ours, 'a backup')).status).toBe(204)
    expect(await ours.page()).toMatch(/✓ Restored it\. Start Satchel below\.[\s\S]*Start Satchel<\/button>/)
  })

  it('asks again after a wrong answer, and refuses late answers to earlier questions', async () => {
    await open()
    const ours = browser()
    await ours.enter(codes[0] ?? '')
    await ours.answer('wrong')
    expect(await ours.settledPage()).toContain('Discord does not know this token')
    await ours.answer(emulator.token)
    await ours.settledPage()
    const late = await ours.post('/answer', { number: '2', answer: 'yes' })
    expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('has already been answered')])
  })

  it('names a fault, and continues once it is fixed', async () => {
    await open()
    const ours = browser()
    await ours.enter(codes[0] ?? '')
    trouble = new Problem('The data folder is in use. Stop the other Satchel.')
    await ours.answer(emulator.token)
    await ours.answer('no', 'choice')
    await ours.answer('', 'choice')
    const halted = await ours.settledPage()
    expect(halted).toContain('✗ The data folder is in use. Stop the other Satchel.')
    expect(halted).toMatch(/Try again<\/button>.*Choose another node<\/button>/)
    trouble = undefined
    await ours.answer('', 'choice')
    expect(await ours.settledPage()).toContain('The address, like')
  })

  it('explains why Satchel could not start, and retries without repeating questions', async () => {
    await open()
    const ours = browser()
    await ours.enter(codes[0] ?? '')
    await settle(ours)
    const tries: string[] = []
    start = async () => {
      tries.push('one')
      if (tries.length === 1) throw new Problem('Invite the bot first.')
      return 'running'
    }
    await ours.post('/start')
    await expect
      .poll(() => ours.page().catch(() => ''), { interval: 250, timeout: 60_000 })
      .toContain('Satchel could not start. Invite the bot first.')
    expect(await (await ours.get('/state')).json()).toMatchObject({ starting: false })
    await ours.post('/again', { onward: 'start' })
    expect([await setUp.started, tries.length]).toEqual(['running', 2])
  })

  it('refuses forms from other sites and escapes markup in answers', async () => {
    await open()
    const ours = browser()
    await ours.enter(codes[0] ?? '')
    const foreign = await ours.post('/answer', { number: '1', answer: 'x' }, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).toBe(403)
    await ours.answer(emulator.token)
    await ours.answer('no', 'choice')
    await ours.answer('', 'choice')
    await ours.answer('<img src=x>')
    expect(await ours.settledPage()).not.toContain('<img src=x>')
  })

  it('does not begin if the folder for the settings file does not exist', async () => {
    envFile = join(folder, 'nowhere', 'settings.env')
    await expect(open()).rejects.toThrow(
      /Settings are kept in .*, but the folder .* does not exist\. Create it for the user that runs Satchel, or set/,
    )
    envFile = join(folder, 'settings.env')
    await open()
  })

  it('explains the fault in a truncated settings file, and continues once it is fixed', async () => {
    writeFileSync(envFile, 'DISCORD_TOKEN="abc')
    await open()
    const ours = browser()
    await ours.enter(codes[0] ?? '')
    expect(await ours.settledPage()).toContain('line 1, opens a quote')
    chmodSync(envFile, 0o600)
    writeFileSync(envFile, '')
    await ours.post('/again', { onward: 'questions' })
    expect(await ours.settledPage()).toContain('The token')
  })
})
