import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import {
  type CallbackKind,
  callbackOccasions,
  callbacks,
  checkBody,
  type Operation,
  openApiDocument,
  operations,
} from '../../src/payments-api/payments-api.ts'

const info = { version: '1.2.3', serverUrl: 'https://pay.example.com' }

interface Media {
  readonly 'application/json': { readonly example?: unknown; readonly schema: { readonly $ref: string } }
}
interface Described {
  readonly operationId: string
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly $ref?: string }[]
  readonly requestBody?: { readonly content: Media }
  readonly responses: Readonly<Record<string, { readonly content: Media }>>
}

const paths = openApiDocument(info).paths as Record<string, Record<string, Described>>

function described(operation: Operation): Described {
  const found = paths[operation.path]?.[operation.verb.toLowerCase()]
  if (found === undefined) throw new Error(`${operation.name} is not in the document`)
  return found
}

describe('the OpenAPI document', () => {
  it('passes a third-party validator as OpenAPI 3.1 with resolvable references', async () => {
    const validator = new Validator()
    const verdict = await validator.validate(structuredClone(openApiDocument(info)))
    expect(verdict).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
    expect(() => validator.resolveRefs()).not.toThrow()
  })

  it('fails the same validation if it is broken', async () => {
    const broken = structuredClone(openApiDocument(info)) as { paths: Record<string, unknown> }
    broken.paths['/v0/wallet'] = { get: { responses: 'none' } }
    expect((await new Validator().validate(broken)).valid).toBe(false)
  })

  it.each(Object.values<Operation>(operations))(
    'describes the parameters, key, body and refusals of $name',
    (operation) => {
      const { operationId, parameters = [], requestBody, responses } = described(operation)
      expect(operationId).toBe(operation.name)
      expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(
        Object.keys(operation.params.shape),
      )
      expect(parameters.some((one) => one.$ref === '#/components/parameters/IdempotencyKey')).toBe(
        operation.verb === 'POST',
      )
      expect(requestBody !== undefined).toBe(operation.body !== undefined)
      for (const status of ['401', '403', '429', '500', '503']) {
        expect(responses[status]?.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' })
      }
      expect(responses[422] !== undefined).toBe(operation.body !== undefined)
    },
  )

  it('shows examples that the service accepts and that match their schemas', () => {
    const { components } = openApiDocument(info) as { components: { schemas: Record<string, object> } }
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addSchema({ $id: 'document', components: { schemas: components.schemas } })
    for (const operation of Object.values<Operation>(operations)) {
      const media = described(operation).requestBody?.content['application/json']
      if (media === undefined) continue
      expect(checkBody(operation, media.example), operation.name).toMatchObject({ ok: true })
      const validate = ajv.getSchema(`document${media.schema.$ref}`)
      expect(validate?.(media.example), operation.name).toBe(true)
      expect(validate?.({ unheardOf: 1 }), operation.name).toBe(false)
    }
  })

  it('describes the operation, signing headers and body of each callback', () => {
    const { webhooks, components } = openApiDocument(info) as {
      webhooks: Record<string, { post: Described & { requestBody: { content: Media } } }>
      components: { schemas: Record<string, { properties?: object }> }
    }
    expect(Object.keys(webhooks)).toEqual(Object.keys(callbacks))
    for (const [kind, { post }] of Object.entries(webhooks)) {
      expect(post).toMatchObject({ security: [], operationId: `${kind}Callback` })
      expect(post.parameters?.map(({ name, in: place }) => `${place} ${name}`)).toEqual([
        'header webhook-id',
        'header webhook-timestamp',
        'header webhook-signature',
      ])
      const { $ref } = post.requestBody.content['application/json'].schema
      const schema = components.schemas[$ref.replace('#/components/schemas/', '')]
      expect(Object.keys(schema?.properties ?? {})).toEqual(Object.keys(callbacks[kind as CallbackKind].fields))
    }
  })

  it('names as causes of callbacks exactly the operations with a callbackUrl', () => {
    const asking = Object.values(callbackOccasions).flatMap(({ askedBy }) => askedBy)
    const taking = Object.values<Operation>(operations).filter(({ body }) => body && 'callbackUrl' in body.shape)
    expect([...asking].sort()).toEqual(taking.map(({ name }) => name).sort())
  })

  it('requires the apikey header for every operation', () => {
    expect(openApiDocument(info)).toMatchObject({
      security: [{ apikey: [] }],
      servers: [{ url: info.serverUrl }],
      components: { securitySchemes: { apikey: { type: 'apiKey', in: 'header', name: 'apikey' } } },
    })
  })
})
