import { describe, expect } from 'vitest'
import { attack, installed, type WireAnswer } from './installation.ts'

/** People without a key reach the service through its proxy, which records each request's source address. */
const world = installed({ TRUST_PROXY: 'true', INVOICES_PER_MINUTE: '5' })

/** Sends a request as the proxy passes it on: the proxy appends the address that it sees to the caller's own header. */
function ask(address: string, path: string, { wrote, apiKey }: { wrote?: string; apiKey?: string } = {}) {
  const headers = { 'x-forwarded-for': wrote === undefined ? address : `${wrote}, ${address}` }
  return world().ask(path, { headers, ...(apiKey !== undefined && { apiKey }) })
}

const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

const made = (answers: readonly WireAnswer[]) => answers.filter(({ json }) => json?.pr !== undefined).length

async function receiver(name: string): Promise<string> {
  await world().administration.createUser(name)
  return `/.well-known/lnurlp/${name}`
}

describe('attempts to lock others out', () => {
  attack(
    '600 requests from one stranger under invented addresses',
    'only the stranger is refused, and other payers and keys are served',
    async () => {
      const alice = await receiver('alice')
      const { apiKey } = await world().project()
      const began = performance.now()
      const floods = await times(600, (n) => ask('203.0.114.7', alice, { wrote: `198.51.99.${n % 250}` }))
      // Twenty a second, and ten seconds' worth in one burst.
      const most = 200 + (20 * (performance.now() - began)) / 1_000
      expect(floods.filter(({ status }) => status !== 429).length).toBeLessThanOrEqual(Math.min(most, 599))
      for (const payer of ['203.0.114.8', '198.51.99.5', '2606:4700::7']) {
        expect((await ask(payer, alice)).status, payer).toBe(200)
      }
      expect((await ask('203.0.114.7', '/v0/wallet', { apiKey })).status).toBe(200)
    },
  )

  attack('400 guesses of keys from the bot’s own address', 'the bot is still served', async () => {
    const { discord, seeded } = world()
    const guesses = times(400, (n) => world().ask('/v0/wallet', { apiKey: `satchel_guess_${n}` }))
    const deposit = discord.as(seeded.people.bob).run(seeded.channels.tips, 'deposit', { amount: '100' })
    await deposit.answered()
    expect(JSON.stringify(deposit.messages())).toContain('deposit.png')
    expect(new Set((await guesses).map(({ status }) => status))).toEqual(new Set([401, 429]))
  })
})

describe('attempts to exhaust the machine', () => {
  attack('a hundred invoices for one IP address', 'it gets two minutes’ worth, and others get theirs', async () => {
    const bob = `${await receiver('bob')}/callback?amount=5000`
    const answers = await times(100, () => ask('203.0.115.7', bob))
    expect(made(answers)).toBeGreaterThanOrEqual(10)
    expect(made(answers)).toBeLessThan(20)
    expect(made([await ask('203.0.115.8', bob)])).toBe(1)
  })
})
