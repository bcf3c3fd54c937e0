import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { msats } from '../../../src/lib/money/amount.ts'
import { EXAMPLE_INVOICE, type Operation, operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, type RawAnswer, ServiceWorld, type TestProject } from '../harness.ts'

let world: ServiceWorld
let project: TestProject

beforeAll(async () => {
  world = await ServiceWorld.open()
  project = await world.project(msats(0))
})
afterAll(() => world.close())

/** A value that each required field takes. */
const GOOD: Readonly<Record<string, unknown>> = {
  amount: '1000',
  count: 1,
  minAmount: '1000',
  maxAmount: '1000',
  gamertag: 'nobody',
  description: 'a test',
  invoice: EXAMPLE_INVOICE,
  pubkey: `02${'ab'.repeat(32)}`,
  lnAddress: 'nobody@127.0.0.1:1',
  lnaddress: 'nobody@127.0.0.1:1',
  receiverWalletId: 'nobody',
  code: 'AAAAAAAA',
  reference: 'somebody',
  offer: 'lno1pg257enxv4ezqcneype82um50ynhxgrwdajx283qfwdpl28qqmc78ymlvhmxcsywdk5wrjnj36jryg488qwlrnzyjczs',
}
const NOT_AMOUNTS = [
  '',
  '0',
  '-1',
  '+1',
  '01',
  '1.0',
  '1e3',
  ' 1000',
  '1000 ',
  '0x3e8',
  '１０００',
  '٣',
  '1_000',
  'NaN',
]
const TOO_MUCH = ['9223372036854775807', '9223372036854775808', '9'.repeat(400)]
const NUL = 'a\u0000b'
const HOSTILE = [
  '\'; DROP TABLE "Account"; --',
  '$1 OR 1=1',
  '__proto__',
  'constructor',
  '💸'.repeat(40),
  '\u202e',
  '<b>',
  '../..',
  '%00',
]

function goodOf(field: string): unknown {
  if (GOOD[field] === undefined) throw new Error(`GOOD has no value that ${field} takes`)
  return GOOD[field]
}

interface Field {
  readonly name: string
  readonly type: unknown
  readonly required: boolean
}

function fieldsOf(operation: Operation): Field[] {
  const schema = z.toJSONSchema(operation.body ?? z.object({}), { io: 'input' })
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    type: (property as { type?: unknown }).type,
    required: schema.required?.includes(name) ?? false,
  }))
}

/** Values of every type but the field's own. */
function wrongTypes({ type }: Field): unknown[] {
  const values = [null, true, 7.5, 'text', [], [{}], {}]
  const own = { string: 'string', integer: 'number', number: 'number', object: 'object', array: 'array' }[String(type)]
  return values.filter((value) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value) !== own)
}

const send = (operation: Operation, body: object): Promise<RawAnswer> =>
  world.raw(operation.verb, operation.path.replace(/\{\w+\}/g, 'something'), { apiKey: project.apiKey, body })

/** A 4xx in the error shape. */
function expectRefused(answer: RawAnswer, what: unknown): void {
  expect({ what, ok: answer.status >= 400 && answer.status < 500, body: answer.json }).toEqual({
    what,
    ok: true,
    body: { success: false, message: expect.stringMatching(/\w/), code: expect.stringMatching(/^[a-z_]+$/) },
  })
}

describe.each(Object.values(operations).filter((each) => each.body !== undefined))('$name', (operation: Operation) => {
  const fields = fieldsOf(operation)
  const good = Object.fromEntries(fields.filter(({ required }) => required).map(({ name }) => [name, goodOf(name)]))

  it('422 missing_field: requires each required field, by name', async () => {
    for (const { name } of fields.filter(({ required }) => required)) {
      const answer = await send(operation, { ...good, [name]: undefined })
      expectRefusal(answer, 422, 'missing_field')
      expect(answer.json.message).toContain(name)
    }
  })

  it('400: refuses values of every wrong type, and names the field', async () => {
    for (const field of fields) {
      for (const value of wrongTypes(field)) {
        const answer = await send(operation, { ...good, [field.name]: value })
        expect({ field, value, status: answer.status }).toEqual({ field, value, status: 400 })
        expectRefused(answer, value)
        expect(answer.json.message).toContain(field.name)
      }
    }
  })

  it('400: refuses invalid amounts, and more than can exist', async () => {
    for (const { name } of fields.filter((field) => /amount|maxFee/i.test(field.name))) {
      for (const value of NOT_AMOUNTS) {
        expectRefusal(await send(operation, { ...good, [name]: value }), 400, 'invalid_amount')
      }
      for (const value of TOO_MUCH) expectRefused(await send(operation, { ...good, [name]: value }), value)
    }
  })

  it('400: refuses text with NUL, and takes other hostile strings as text or refuses', async () => {
    for (const { name } of fields.filter(({ type }) => type === 'string')) {
      expectRefused(await send(operation, { ...good, [name]: NUL }), NUL)
      for (const value of HOSTILE) {
        const answer = await send(operation, { ...good, [name]: value })
        // The sandbox pays no offers, and says so of a good one.
        const isTaken = answer.status === 200 || ['not_found', 'not_offered'].includes(answer.json?.code)
        if (!isTaken) expectRefused(answer, value)
      }
    }
  })

  it('413: refuses ten megabytes of anything, as a value or a name', async () => {
    const huge = 'x'.repeat(10 * 2 ** 20)
    expectRefusal(await send(operation, { ...good, [fields[0]?.name ?? '']: huge }), 413, 'body_too_large')
    expectRefusal(await send(operation, { [huge]: 1 }), 413, 'body_too_large')
  })

  it('400: refuses names that reach for the prototype, and JSON nested too deeply', async () => {
    const path = operation.path.replace(/\{\w+\}/g, 'something')
    for (const text of [
      '{"__proto__":{"amount":"1"}}',
      '{"constructor":{"prototype":{}}}',
      `${'['.repeat(9_000)}`,
      '{"a":1}{',
      '\ufeff',
    ]) {
      expectRefused(await world.raw(operation.verb, path, { apiKey: project.apiKey, text }), text.slice(0, 40))
    }
    const deep = `{"${fields[0]?.name}":${'['.repeat(9_000)}${']'.repeat(9_000)}}`
    expectRefused(await world.raw(operation.verb, path, { apiKey: project.apiKey, text: deep }), 'deep')
  })
})

describe.each(Object.values(operations).filter((each) => each.path.includes('{')))('$name', (operation: Operation) => {
  const IDS = [
    '%00',
    '%ff',
    '%',
    '..%2f..%2fwallet',
    '%F0%9F%92%B8',
    "'%20OR%201=1--",
    '__proto__',
    'x'.repeat(3_000),
    '-1',
  ]

  it.each(IDS)('refuses the path with "%s" in it', async (id) => {
    const body = operation.body === undefined ? {} : { body: {} }
    const path = operation.path.replace(/\{\w+\}/, id)
    const answer = await world.raw(operation.verb, path, { apiKey: project.apiKey, ...body })
    // An address that is none is the answer "not valid", and no error.
    if (operation.name === 'validateLightningAddress' && answer.status === 200) {
      expect(answer.json.data).toEqual({ valid: false })
    } else {
      expectRefused(answer, id)
    }
  })
})

it('no hostile request moved anything', async () => {
  expect(await world.service.parts.ledger.prove()).toMatchObject({ entries: 0, moves: 0 })
})
