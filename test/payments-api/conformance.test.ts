import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { signedEvent } from '../../src/payments-api/event-stream.ts'
import {
  eventStream,
  logInEndpoints,
  type Operation,
  operations,
  refusals,
} from '../../src/payments-api/payments-api.ts'
import { besideOperations } from './additions-as-written.ts'
import { interfaceAsWritten } from './interface-as-written.ts'

type Schema = z.core.JSONSchema.BaseSchema

const declared: Record<string, Operation> = operations

/**
 * Returns the sorted fields of a text such as `*amount string, +maxFee string`, without the marks of additive fields.
 */
function lines(written: string | undefined): string[] {
  if (written === undefined || written === '') return []
  return written
    .split(',')
    .map((part) => part.trim().replace('+', ''))
    .sort()
}

function typeOf(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map((option) => typeOf(option as Schema)).join(' or ')
  const names = [schema.type].flat().map((name) => (name === 'integer' ? 'number' : String(name)))
  return names.join(' or ')
}

/**
 * Returns every field of a declared shape as `*name type`: nested fields with dots, and those of a list's items after
 * `[]`.
 */
function fieldsOf(schema: Schema, markRequired: boolean, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (typeof property === 'boolean') return []
    const mark = markRequired && schema.required?.includes(name) ? '*' : ''
    const own = `${mark}${prefix}${name} ${typeOf(property)}`
    const { items } = property
    const members =
      typeof items === 'object' && !Array.isArray(items) ? fieldsOf(items as Schema, false, `${prefix}${name}[].`) : []
    return [own, ...fieldsOf(property, markRequired, `${prefix}${name}.`), ...members]
  })
}

/** Returns a path with its parameters in camel case: `{VOUCHER_ID}` becomes `{voucherId}`. */
function camelCased(path: string): string {
  return path.replace(/\{([A-Z_]+)\}/g, (_, name: string) => {
    return `{${name.toLowerCase().replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase())}}`
  })
}

describe('the declared operations', () => {
  it('are exactly those of the interface and of our additions', () => {
    expect(Object.keys(declared).sort()).toEqual(interfaceAsWritten.map((operation) => operation.name).sort())
    expect(interfaceAsWritten.filter((operation) => !operation.additive)).toHaveLength(20)
  })

  it.each(interfaceAsWritten)('match the written interface for $name', (written) => {
    const operation = declared[written.name]
    if (operation === undefined) throw new Error(`${written.name} is not declared`)
    const { verb, path, host, additive } = operation
    expect({ name: operation.name, verb, path, host, additive }).toEqual({
      name: written.name,
      verb: written.verb,
      path: camelCased(written.path),
      host: written.host,
      additive: written.additive ?? false,
    })
    const body = operation.body === undefined ? [] : fieldsOf(z.toJSONSchema(operation.body, { io: 'input' }), true)
    expect(body.filter((line) => !line.includes('.')).sort()).toEqual(lines(written.body))
    const query = operation.query === undefined ? [] : fieldsOf(z.toJSONSchema(operation.query, { io: 'input' }), true)
    expect(query.sort()).toEqual(lines(written.query))
    const headers =
      operation.headers === undefined ? [] : fieldsOf(z.toJSONSchema(operation.headers, { io: 'input' }), true)
    expect(headers.sort()).toEqual(lines(written.headers))
    const data = fieldsOf(z.toJSONSchema(operation.response.data.wire, { io: 'input' }), false)
    expect(data.sort()).toEqual(lines(written.data))
    expect([...operation.response.fields].sort()).toEqual(lines(written.envelope))
    expect(Object.keys(operation.response.wire.shape).sort()).toEqual(lines(written.envelope))
  })

  it('are accompanied by the log-in routes and the event stream of the interface', () => {
    const [authorize, requestToken] = logInEndpoints
    const fields = (schema: z.ZodType | undefined) =>
      fieldsOf(z.toJSONSchema(schema ?? z.never(), { io: 'input' }), true)
    const written = (text: string) => {
      const [at = '', of] = text.includes(': ') ? text.split(': ') : ['', text]
      return { at, fields: lines(of) }
    }
    const declaredAs = (at: { verb: string; path: string } | undefined, schema: z.ZodType | undefined) => ({
      at: at === undefined ? '' : `${at.verb} ${at.path}`,
      fields: fields(schema).sort(),
    })
    expect(declaredAs(authorize, authorize?.fields)).toEqual(written(besideOperations.authorize))
    expect(declaredAs(requestToken, requestToken?.fields)).toEqual(written(besideOperations.requestToken))
    expect(declaredAs(undefined, requestToken?.answer)).toEqual(written(besideOperations.token))
    expect(declaredAs(eventStream, signedEvent.wire)).toEqual(written(besideOperations.events))
  })

  it.each(Object.values(declared))(
    'declare each path parameter and each known refusal of $name only once',
    (operation) => {
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      expect(Object.keys(operation.params.shape)).toEqual(inPath)
      expect(new Set(operation.refusals).size).toBe(operation.refusals.length)
      for (const code of operation.refusals) expect(refusals).toHaveProperty(code)
    },
  )

  it('are marked as idempotent if and only if they are reads', () => {
    for (const operation of Object.values(declared)) expect(operation.idempotent).toBe(operation.verb === 'GET')
  })

  it('require the scope “send” or “receive” in exactly the listed cases', () => {
    const scopes = (scope: string) =>
      Object.values(declared)
        .filter((operation) => operation.scope === scope)
        .map((operation) => operation.name)
        .sort()
    expect(scopes('send')).toEqual([
      'cancelWithdrawalRequest',
      'createSignInLink',
      'createVoucher',
      'createVoucherBatch',
      'createWithdrawalRequest',
      'fetchOfferInvoice',
      'internalTransfer',
      'payLightningAddress',
      'payToGamertag',
      'retrieveVoucher',
      'retrieveWithdrawalRequest',
      'revokeVoucher',
      'sendKeysendPayment',
      'sendPayment',
    ])
    expect(scopes('receive')).toEqual([
      'chargeFromAddress',
      'createCharge',
      'createGamertagCharge',
      'createStaticCharge',
      'openUser',
      'proveGamertag',
      'redeemVoucher',
      'updateStaticCharge',
    ])
  })
})
