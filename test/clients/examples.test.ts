import { afterEach, describe, expect, it } from 'vitest'
import { openStage } from '../e2e/harness.ts'
import { openPooledStage } from '../e2e/pooled-stage.ts'
import { must } from '../support/must.ts'
import { untilItHolds } from '../support/until-it-holds.ts'
import { Program } from './program.ts'

const programs: Program[] = []
afterEach(async () => {
  for (const program of programs.splice(0)) await program.stop()
})

function run(file: string, env: Readonly<Record<string, string>>): Program {
  const program = new Program(process.execPath, file, { PORT: '0', ...env })
  programs.push(program)
  return program
}

describe('the example shop', () => {
  it('sells an item and accepts only a signed callback', async () => {
    const { world } = await openStage()
    const { apiKey, callbackSecret } = await world.service.administration().createProject('Shop')
    const env = { SATCHEL_URL: world.service.url, SATCHEL_KEY: apiKey, CALLBACK_SECRET: callbackSecret }
    const shop = run('examples/shop/shop.ts', env)
    const address = await shop.says(/open: (\S+)/)
    expect(await (await fetch(address)).text()).toMatch(/One sticker: 21 sats/)
    const ordered = await fetch(`${address}/orders`, { method: 'POST' })
    expect(ordered.url).toMatch(/\/orders\/[\da-f-]{36}$/)
    const invoice = must(/<code[^>]*>(ln\w+)</.exec(await ordered.text())?.[1])

    const forged = await fetch(`${address}/callback`, { method: 'POST', body: '{"id":"x"}' })
    expect(forged.status).toBe(401)
    expect(await (await fetch(ordered.url)).text()).not.toMatch(/Paid/)

    await world.phone.pay(invoice)
    expect(await shop.says(/Order (\S+) is paid/)).toBe(ordered.url.split('/').at(-1))
    expect(await (await fetch(ordered.url)).text()).toMatch(/Paid\. Thank you!/)
  })
})

describe('the example overlay', () => {
  it('sends a gift to a page that does not contain the API key', async () => {
    const stage = await openPooledStage()
    const [made] = await stage.command('mod', 'api-key create', { name: 'stream', use: 'events' })
    const key = must(/satchel_[\w-]{43}/.exec(JSON.stringify(made))?.[0])
    const { origin } = new URL(stage.world.bot.callbackUrl)
    const overlay = run('examples/overlay/overlay.ts', { SATCHEL_URL: origin, SATCHEL_KEY: key })
    const address = await overlay.says(/open: (\S+)/)
    expect(await (await fetch(address)).text()).not.toContain(key)
    const stream = await fetch(`${address}/tips`)
    let text = ''
    const reading = (async () => {
      for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece
    })().catch(() => undefined)
    const { apiKeys } = stage.world.bot.tipping
    const isUsed = async () => (await apiKeys.list(stage.world.cast.server))[0]?.lastUsedAt !== undefined
    await stage.until('the overlay reads', isUsed)
    // Its stream begins a moment after its key was checked, so the first gift may come too early.
    for (let gifts = 0; gifts < 3 && !text.includes('⚡'); gifts += 1) {
      await stage.command('mod', 'reward', { to: stage.id('bob'), amount: '21', reason: `gift ${gifts}` })
      await untilItHolds(() => text.includes('⚡')).catch(() => undefined)
    }
    expect(text).toMatch(/data: "⚡ 21 test sats: reward"/)
    await overlay.stop()
    await reading
  })
})
