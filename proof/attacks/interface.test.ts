import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect } from 'vitest'
import { operations } from '../../src/payments-api/payments-api.ts'
import { attack, blockedAfterMs, installed, type Project } from './installation.ts'

/** A project attacks the interface: what is not its own, what is not public, and what fills the machine. */
const world = installed()
let owner: Project
let thief: Project
/** Of the owner. */
const records: Record<string, string> = {}

const CHARGE = { minAmount: '1000', maxAmount: '9000', description: 'x' }

beforeAll(async () => {
  owner = await world().project()
  thief = await world().project()
  await world().administration.createUser('victim')
  const make = (path: string, body: object) => world().ask(path, { apiKey: owner.apiKey, body })
  records.staticCharge = (await make('/v0/static-charges', CHARGE)).json.data.id
  records.charge = (await make('/v0/gamertag/charges', { gamertag: 'victim', amount: '5000' })).json.data.id
  records.withdrawal = (await make('/v0/withdrawal-requests', { amount: '5000' })).json.data.id
  const { invoice } = await world().phone.invoice(2_000n)
  records.payment = (await make('/v0/payments', { invoice })).json.data.id
  const paid = await make('/v0/gamertag/send-payment', { gamertag: 'victim', amount: '1000', description: 'x' })
  records.transaction = paid.json.data.transactionId
})

describe('access', () => {
  attack('every operation without a key, and with keys that are guessed or odd', 'none is carried out', async () => {
    for (const { verb, path } of Object.values(operations)) {
      const url = path.replaceAll(/\{\w+\}/g, 'x')
      for (const apiKey of [undefined, 'satchel_x', '', "' OR 1=1 --", 'null', 'satchel_'.padEnd(4_000, 'a')]) {
        const { status } = await world().ask(url, {
          method: verb,
          ...(apiKey !== undefined && { apiKey }),
          ...(verb !== 'GET' && { body: {} }),
        })
        expect([401, 429], `${verb} ${path}`).toContain(status)
      }
    }
  })

  attack('keys with fewer scopes than an operation needs', '403, and no sat moves', async () => {
    const { administration } = world()
    const { projectId } = owner
    const before = await world().balance(owner)
    for (const scope of ['read', 'receive'] as const) {
      const { apiKey } = await administration.createKey(projectId, { scopes: [scope] })
      const wrong = Object.values(operations).filter(
        (operation) => operation.scope !== scope && operation.scope !== null,
      )
      for (const { verb, path } of wrong) {
        const body = verb === 'GET' ? undefined : {}
        const answer = await world().ask(path.replaceAll(/\{\w+\}/g, 'x'), {
          method: verb,
          apiKey,
          ...(body && { body }),
        })
        expect(answer.status, `${verb} ${path} with ${scope}`).toBe(403)
      }
    }
    expect(await world().balance(owner)).toBe(before)
  })

  attack("another project's records, by their ids", 'they are not there', async () => {
    const { apiKey } = thief
    const { staticCharge, charge, withdrawal, payment, transaction } = records
    for (const path of [
      `/v0/static-charges/${staticCharge}`,
      `/v0/static-charges/${staticCharge}/payments/0`,
      `/v0/gamertag/charges/${charge}`,
      `/v0/withdrawal-requests/${withdrawal}`,
      `/v0/payments/${payment}`,
      `/v0/gamertag/transaction/${transaction}`,
    ]) {
      expect((await world().ask(path, { apiKey: owner.apiKey })).status, path).toBe(200)
      expect((await world().ask(path, { apiKey })).status, path).toBe(404)
    }
    const change = { method: 'PATCH', apiKey, body: { description: 'mine' } }
    expect((await world().ask(`/v0/static-charges/${staticCharge}`, change)).status).toBe(404)
  })

  attack('other spellings of a path and its verb', 'the key is asked for, or there is nothing', async () => {
    for (const path of ['//v0/wallet', '/v0//wallet', '/V0/wallet', '/v0/./wallet', '/x/../v0/wallet', '/v0/wallet/']) {
      expect([401, 404, 429], path).toContain((await world().ask(path)).status)
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const headers = { 'x-http-method-override': 'GET' }
      const answer = await world().ask('/v0/wallet', { method, apiKey: owner.apiKey, body: {}, headers })
      expect(answer.status, method).toBe(405)
    }
  })

  attack('pages of other sites that read answers', 'no answer lets them', async () => {
    for (const path of ['/v0/wallet', '/wallet', '/metrics', '/health']) {
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' }
      for (const method of ['GET', 'OPTIONS']) {
        const answer = await world().ask(path, { method, apiKey: owner.apiKey, headers })
        expect(answer.headers.get('access-control-allow-origin'), path).toBe(null)
      }
    }
  })
})

describe('internal addresses', () => {
  const INSIDE = [
    'http://127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/',
    'https://localhost:PORT/',
    'https://localhost.:PORT/',
    'https://[::1]:PORT/',
    'https://[::ffff:127.0.0.1]:PORT/',
    'https://2130706433:PORT/',
    'https://0x7f.1:PORT/',
    'https://0:PORT/',
    'https://user@127.0.0.1:PORT/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00::1]/',
    'https://[64:ff9b::7f00:1]/',
    'ftp://127.0.0.1:PORT/',
    'file:///etc/passwd',
  ]

  attack('callbacks and Lightning Addresses that lead inside', 'nothing inside is asked', async () => {
    let hits = 0
    const trap = createServer((_request, response) => {
      hits += 1
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => trap.once('listening', resolve))
    const { port } = trap.address() as AddressInfo
    const { apiKey } = thief
    for (const address of INSIDE) {
      const callbackUrl = address.replace('PORT', String(port))
      const made = await world().ask('/v0/withdrawal-requests', { apiKey, body: { amount: '1000', callbackUrl } })
      expect(made.status, address).toBe(400)
      const host = URL.canParse(callbackUrl) ? new URL(callbackUrl).host : 'localhost'
      const valid = await world().ask(`/v0/ln-address/validate/${encodeURIComponent(`x@${host}`)}`, { apiKey })
      expect(valid.json?.data?.valid ?? false, address).toBe(false)
    }
    trap.close()
    expect(hits).toBe(0)
  })

  attack('twenty-four look-ups of names that have no address', 'others are answered meanwhile', async () => {
    const lookUps = Array.from({ length: 24 }, (_, n) =>
      world().ask(`/v0/ln-address/validate/x@n${n}.attacker.invalid`, { apiKey: thief.apiKey }),
    )
    const started = performance.now()
    expect((await world().ask('/v0/wallet', { apiKey: owner.apiKey })).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(blockedAfterMs())
    for (const answer of await Promise.all(lookUps)) expect(answer.json?.data?.valid ?? false).toBe(false)
  })
})

describe('requests that fill the machine', () => {
  attack(
    'bodies of megabytes, nested ten thousand deep, and with fields of objects',
    'refused, none is a bug',
    async () => {
      const { apiKey } = thief
      const json = { 'content-type': 'application/json' }
      const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
      for (const [body, status] of [
        ['a'.repeat(10 * 1024 * 1024), 413],
        [deep, 400],
        [`{"amount":"1000","metadata":${deep}}`, 400],
        ['{"__proto__":{"scope":"send"},"amount":"1000"}', 400],
        [`{"amount":"1000","description":"${'x'.repeat(25_000)}"}`, 400],
      ] as const) {
        const answer = await world()
          .ask('/v0/withdrawal-requests', { method: 'POST', apiKey, body, headers: json })
          .catch(() => undefined)
        // A text that is far too long may be cut off before it is answered.
        if (answer !== undefined) expect(answer.status, body.slice(0, 40)).toBe(status)
      }
    },
  )

  attack(
    'Idempotency-Keys that are too long, odd, or another request',
    'refused, nothing is carried out twice',
    async () => {
      const { apiKey } = thief
      const body = { amount: '1000' }
      const before = await world().balance(thief)
      for (const key of ['a'.repeat(256), 'a\tb', 'schlüssel']) {
        const headers = { 'idempotency-key': key }
        expect((await world().ask('/v0/withdrawal-requests', { apiKey, body, headers })).json.code).toBe(
          'invalid_idempotency_key',
        )
      }
      const headers = { 'idempotency-key': 'one' }
      const first = await world().ask('/v1/create-voucher', {
        apiKey,
        body: { amount: '2000', description: 'x' },
        headers,
      })
      const again = await world().ask('/v1/create-voucher', {
        apiKey,
        body: { amount: '2000', description: 'x' },
        headers,
      })
      const other = await world().ask('/v1/create-voucher', {
        apiKey,
        body: { amount: '3000', description: 'x' },
        headers,
      })
      expect(again.json).toEqual(first.json)
      expect(other.json.code).toBe('idempotency_key_reused')
      const foreign = await world().ask('/v1/create-voucher', {
        ...{ apiKey: owner.apiKey, headers },
        body: { amount: '2000', description: 'x' },
      })
      expect(foreign.json.data.id).not.toBe(first.json.data.id)
      expect(before - (await world().balance(thief))).toBeLessThan(20_000n)
    },
  )

  attack('names of authority and look-alikes as Lightning Addresses', 'none is given', async () => {
    for (const identifier of ['admin', 'supp0rt', 'root', 'satche1', 'official-satchel', 'adrnin', 'help.desk']) {
      const answer = await world().ask('/v0/static-charges', { apiKey: thief.apiKey, body: { ...CHARGE, identifier } })
      expect([answer.status, answer.json.code], identifier).toEqual([409, 'identifier_taken'])
    }
  })

  attack('four hundred guessed keys at once', 'the owner of a real one is served', async () => {
    const guesses = Array.from({ length: 400 }, (_, n) => world().ask('/v0/wallet', { apiKey: `satchel_guess_${n}` }))
    const statuses = new Set((await Promise.all(guesses)).map(({ status }) => status))
    expect([...statuses].filter((status) => status !== 401)).toEqual([429])
    expect((await world().ask('/v0/wallet', { apiKey: owner.apiKey })).status).toBe(200)
  })
})
