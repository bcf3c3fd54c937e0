import { type Api, type ApiOperation, answerName, inputName, isAmount, nameOf, type Schema } from './api-model.ts'

/** Returns the generated module of a client in TypeScript: types, the operations as data, and a class with a method for each. */
export function typescriptOf(api: Api): string {
  const isUsed = (name: string) => api.operations.some((each) => (name === 'stream') === each.isStream)
  return [
    `/** ${api.about} \`npm run docs\` makes this file from the OpenAPI document. */`,
    "import { ApiClient, type ApiFacts, type ClientOptions, type OperationOfApi } from '../api-client.ts'",
    "import type { ApiAnswer, CallOptions } from '../call.ts'",
    ...(isUsed('stream') ? ["import type { StreamEvent, StreamOptions } from '../event-stream.ts'"] : []),
    '',
    '/** An amount in millisatoshis, as a string of digits. `BigInt(amount) / 1000n` is the amount in sats. */',
    'export type Msats = string',
    '',
    ...[...api.types].flatMap(([name, schema]) => [...typeOf(name, schema), '']),
    `const api: ApiFacts = ${factsOf(api)}`,
    '',
    `const operations = {`,
    ...api.operations.map((each) => `  ${each.name}: ${JSON.stringify(dataOf(each))},`),
    `} as const satisfies Record<string, OperationOfApi>`,
    '',
    `/** ${api.about} Each method throws only \`PaymentsError\`, whatever the server or the network does. */`,
    `export class ${api.client} extends ApiClient {`,
    '  constructor(options: ClientOptions) {',
    '    super(options, api)',
    '  }',
    ...api.operations.flatMap((each) => ['', ...methodOf(each)]),
    '}',
    '',
  ].join('\n')
}

function factsOf({ hasEnvelope, provingCodes }: Api): string {
  const authorization = hasEnvelope ? '{ apikey: apiKey }' : '{ authorization: `Bearer ${' + 'apiKey}` }'
  return `{ authorization: (apiKey) => (${authorization}), hasEnvelope: ${hasEnvelope}, provingCodes: ${JSON.stringify(provingCodes)} }`
}

function dataOf({ name, verb, path, host, idempotent, query, headers, hasBody, needs }: ApiOperation) {
  return {
    facts: { name, verb, path, host, idempotent },
    query,
    ...(headers.length > 0 && { headers }),
    hasBody,
    needs,
  }
}

function methodOf(operation: ApiOperation): string[] {
  const { name, description, input, isStream, verb } = operation
  const fields = Object.keys(input.properties ?? {})
  const isOptional = (input.required ?? []).length === 0
  const takes = fields.length === 0 ? '' : `input: ${inputName(operation)}${isOptional ? ' = {}' : ''}, `
  const given = fields.length === 0 ? '{}' : 'input'
  const data = operation.answer === undefined ? 'unknown' : answerName(operation)
  const comment = commentOf(
    `${description}${verb === 'POST' ? '\n\nSend an `idempotencyKey` of your own, so that a repeated request is carried out only once.' : ''}`,
    '  ',
  )
  if (isStream) {
    return [
      ...comment,
      `  ${name}(${takes}options: StreamOptions = {}): AsyncGenerator<StreamEvent<${data}>, void, undefined> {`,
      `    return this.stream(operations.${name}, ${given}, options)`,
      '  }',
    ]
  }
  return [
    ...comment,
    `  ${name}(${takes}options: CallOptions = {}): Promise<ApiAnswer<${data}>> {`,
    `    return this.call(operations.${name}, ${given}, options)`,
    '  }',
  ]
}

function typeOf(name: string, schema: Schema): string[] {
  const comment = schema.description === undefined ? [] : commentOf(schema.description, '')
  if (schema.properties === undefined)
    return [...comment, `export type ${name} = ${textOf(schema, '', !isInput(name))}`]
  return [...comment, `export interface ${name} ${objectOf(schema, '', !isInput(name))}`]
}

function isInput(name: string): boolean {
  return name.endsWith('Input')
}

function objectOf({ properties = {}, required = [] }: Schema, indent: string, isAnswer: boolean): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).flatMap(([name, field]) => [
    ...(field.description === undefined ? [] : commentOf(field.description, inner)),
    `${inner}readonly ${name}${required.includes(name) ? '' : '?'}: ${textOf(field, inner, isAnswer)}${required.includes(name) || isAnswer ? '' : ' | undefined'}`,
  ])
  return ['{', ...lines, `${indent}}`].join('\n')
}

function textOf(schema: Schema, indent: string, isAnswer: boolean): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf !== undefined) return schema.anyOf.map((each) => textOf(each, indent, isAnswer)).join(' | ')
  if (isAmount(schema)) return isAnswer ? 'Msats' : 'Msats | bigint'
  return [schema.type ?? 'any']
    .flat()
    .map((type) => ofType(type, schema, indent, isAnswer))
    .join(' | ')
}

function ofType(type: string, schema: Schema, indent: string, isAnswer: boolean): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `readonly ${bracketed(textOf(schema.items ?? {}, indent, isAnswer))}[]`
    case 'object':
      return schema.properties === undefined ? 'Readonly<Record<string, unknown>>' : objectOf(schema, indent, isAnswer)
    case 'any':
      return 'unknown'
    default:
      return type
  }
}

function bracketed(text: string): string {
  return text.includes(' | ') && !text.startsWith('{') ? `(${text})` : text
}

function commentOf(text: string, indent: string): string[] {
  const lines = text.replaceAll('*/', '* /').split('\n')
  if (lines.length === 1) return [`${indent}/** ${lines[0]} */`]
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`]
}
