import { describe, expect } from 'vitest'
import { attack, installed } from './installation.ts'

/** People without a key, who reach the service through its proxy: it writes down where each request comes from. */
const world = installed({ TRUST_PROXY: 'true', LOG_LEVEL: 'info', INVOICES_PER_MINUTE: '5' })

/** A request as the proxy passes it on: it appends the address that it sees to what the caller wrote. */
function ask(address: string, path: string, { wrote, apiKey }: { wrote?: string; apiKey?: string } = {}) {
  const headers = { 'x-forwarded-for': wrote === undefined ? address : `${wrote}, ${address}` }
  return world().ask(path, { headers, ...(apiKey !== undefined && { apiKey }) })
}

const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

async function receiver(name: string): Promise<string> {
  await world().administration.createUser(name)
  return `/.well-known/lnurlp/${name}`
}

describe('locking others out', () => {
  attack(
    'six hundred requests of one stranger, under addresses of their invention',
    'the stranger alone is refused, other payers and keys are served',
    async () => {
      const alice = await receiver('alice')
      const { apiKey } = await world().project()
      const began = performance.now()
      const floods = await times(600, (n) => ask('203.0.114.7', alice, { wrote: `198.51.99.${n % 250}` }))
      // Twenty a second, and ten seconds' worth at once.
      const most = 200 + (20 * (performance.now() - began)) / 1_000
      expect(floods.filter(({ status }) => status !== 429).length).toBeLessThanOrEqual(Math.min(most, 599))
      for (const payer of ['203.0.114.8', '198.51.99.5', '2606:4700::7']) {
        expect((await ask(payer, alice)).status, payer).toBe(200)
      }
      expect((await ask('203.0.114.7', '/v0/wallet', { apiKey })).status).toBe(200)
    },
  )

  attack("four hundred guesses of keys from the bot's own address", 'the bot is served all the same', async () => {
    const { discord, seeded } = world()
    const guesses = times(400, (n) => world().ask('/v0/wallet', { apiKey: `satchel_guess_${n}` }))
    const deposit = discord.as(seeded.people.bob).run(seeded.channels.tips, 'deposit', { amount: '100' })
    await deposit.answered()
    expect(JSON.stringify(deposit.messages())).toContain('deposit.png')
    expect(new Set((await guesses).map(({ status }) => status))).toEqual(new Set([401, 429]))
  })
})
