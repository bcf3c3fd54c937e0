import { type Api, type ApiOperation, answerName, isAmount, nameOf, type Schema } from './api-model.ts'

/** Python's reserved words, which cannot be names. */
const KEYWORDS = new Set([
  'from',
  'import',
  'in',
  'is',
  'class',
  'def',
  'pass',
  'global',
  'lambda',
  'async',
  'with',
  'return',
])
const WIDTH = 100

/** Returns the generated module of a client in Python: types, the operations as data, and a class with a method for each. */
export function pythonOf(api: Api): string {
  const answers = [...api.types].filter(([name]) => !name.endsWith('Input'))
  const hasStream = api.operations.some((each) => each.isStream)
  return [
    `"""${api.about} \`npm run docs\` makes this file from the OpenAPI document."""`,
    '',
    'from __future__ import annotations',
    '',
    `from typing import Any, Dict, ${hasStream ? 'Iterator, ' : ''}List, Optional, TypedDict, Union`,
    '',
    `from .core import Answer, ApiClient, ApiFacts, Operation${hasStream ? ', StreamEvent' : ''}`,
    '',
    ...answers.flatMap(([name, schema]) => ['', ...typeOf(name, schema), '']),
    '',
    `_API = ApiFacts(header=${api.hasEnvelope ? '("apikey", "")' : '("authorization", "Bearer ")'}, has_envelope=${literal(api.hasEnvelope)}, proving_codes=${literal(api.provingCodes)})`,
    '',
    '_OPERATIONS: Dict[str, Operation] = {',
    ...api.operations.map((each) => `    "${each.name}": ${dataOf(each)},`),
    '}',
    '',
    '',
    `class ${api.client}(ApiClient):`,
    `    """${api.about}`,
    '',
    '    Each method raises only ``PaymentsError``, whatever the server or the network does. Amounts are strings of',
    '    millisatoshis: ``int(amount) // 1000`` is the amount in sats. Requests also accept an int.',
    '    """',
    '',
    '    _api = _API',
    ...api.operations.flatMap((each) => ['', ...methodOf(each)]),
    '',
  ].join('\n')
}

function dataOf({ name, verb, path, host, idempotent, query, headers, hasBody, needs, input }: ApiOperation): string {
  const amounts = Object.entries(input.properties ?? {}).flatMap(([field, schema]) => (isAmount(schema) ? [field] : []))
  const inHeaders = headers.length > 0 && { headers }
  const fields = { name, verb, path, host, idempotent, query, has_body: hasBody, needs, amounts, ...inHeaders }
  return `Operation(${Object.entries(fields)
    .map(([field, value]) => `${field}=${literal(value)}`)
    .join(', ')})`
}

function methodOf(operation: ApiOperation): string[] {
  const { name, description, input, isStream, verb } = operation
  const { properties = {}, required = [] } = input
  const fields = Object.entries(properties)
  const ordered = [
    ...fields.filter(([field]) => required.includes(field)),
    ...fields.filter(([field]) => !required.includes(field)),
  ]
  const isPost = verb === 'POST'
  const parameters = [
    'self',
    ...(ordered.length > 0 || isPost || isStream ? ['*'] : []),
    ...ordered.map(([field, schema]) => {
      const type = textOf(schema, false)
      return required.includes(field)
        ? `${nameInPython(field)}: ${type}`
        : `${nameInPython(field)}: Optional[${type}] = None`
    }),
    ...(isPost ? ['idempotency_key: Optional[str] = None'] : []),
    ...(isStream ? ['after: Optional[str] = None'] : []),
  ]
  const data = operation.answer === undefined ? 'Any' : answerName(operation)
  const given = `{${ordered.map(([field]) => `"${field}": ${nameInPython(field)}`).join(', ')}}`
  const about = ordered.flatMap(([field, schema]) =>
    schema.description === undefined ? [] : [`        ${nameInPython(field)}: ${schema.description}`],
  )
  const [, first = description, more = ''] = /^(.*?\.)\s+(.*)$/s.exec(description) ?? []
  const call = isStream
    ? `self._stream(_OPERATIONS["${name}"], ${given}, after)`
    : `self._call(_OPERATIONS["${name}"], ${given}, ${isPost ? 'idempotency_key' : 'None'})`
  return [
    `    def ${snake(name)}(${parameters.join(', ')}) -> ${isStream ? `Iterator[StreamEvent]` : `Answer[${data}]`}:`,
    `        """${first}`,
    ...(more === '' ? [] : ['', ...more.split('\n').map((line) => `        ${line}`.trimEnd())]),
    ...(about.length === 0 ? [] : ['', ...about]),
    '        """',
    `        return ${call}`,
  ]
}

function typeOf(name: string, schema: Schema): string[] {
  if (schema.properties === undefined) return [`${name} = ${textOf(schema, true)}`]
  const fields = Object.entries(schema.properties)
  if (fields.some(([field]) => KEYWORDS.has(field))) {
    const inner = fields.map(([field, type]) => `    "${field}": ${textOf(type, true)},`)
    return [`${name} = TypedDict("${name}", {`, ...inner, '}, total=False)']
  }
  const lines = fields.flatMap(([field, inner]) => [
    ...(inner.description === undefined ? [] : wrapped(inner.description).map((line) => `    # ${line}`)),
    `    ${field}: ${textOf(inner, true)}`,
  ])
  const about = schema.description ?? `The fields of a ${name} in an answer.`
  return [`class ${name}(TypedDict, total=False):`, `    """${about}"""`, '', ...lines]
}

function textOf(schema: Schema, isAnswer: boolean): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.anyOf !== undefined) return union(schema.anyOf.map((each) => textOf(each, isAnswer)))
  if (isAmount(schema)) return isAnswer ? 'str' : 'Union[str, int]'
  if (schema.const !== undefined || schema.enum !== undefined) return 'str'
  const types = [schema.type ?? 'any'].flat()
  return union(types.map((type) => ofType(type, schema, isAnswer)))
}

function union(types: readonly string[]): string {
  const each = [...new Set(types)]
  const others = each.filter((type) => type !== 'None')
  if (others.length === 0) return 'None'
  const inner = others.length === 1 ? (others[0] ?? 'Any') : `Union[${others.join(', ')}]`
  return others.length === each.length ? inner : `Optional[${inner}]`
}

function ofType(type: string, { items = {} }: Schema, isAnswer: boolean): string {
  switch (type) {
    case 'string':
      return 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'array':
      return `List[${textOf(items, isAnswer)}]`
    case 'object':
      return 'Dict[str, Any]'
    default:
      return 'Any'
  }
}

/** Converts a name to Python's style: `callbackUrl` to `callback_url`. */
function snake(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
}

function nameInPython(field: string): string {
  const name = snake(field)
  return KEYWORDS.has(name) ? `${name}_` : name
}

function literal(value: unknown): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, inner]) => `${JSON.stringify(name)}: ${literal(inner)}`)
      .join(', ')}}`
  return JSON.stringify(value)
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
