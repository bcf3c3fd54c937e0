import type { z } from 'zod'
import type { BodyOf, HeadersOf, Operation, ParamsOf, QueryOf } from './operation.ts'
import { type RefusalCode, refusals } from './refusals.ts'

/** A fault of a request, ready for an answer in the error format. */
export interface Complaint {
  readonly status: number
  readonly code: RefusalCode
  /** A sentence for a person that names the field. */
  readonly message: string
}

export type Checked<Value> = { readonly ok: true; readonly value: Value } | ({ readonly ok: false } & Complaint)

/**
 * Reads a request body (parsed JSON) as the operation declares it: strictly, with amounts as `Msats`. The status is 400
 * for an unknown field or a wrong value, and 422 for a missing required field. Never throws. Builds a message only for
 * a refusal.
 */
export function checkBody<Op extends Operation>(operation: Op, body: unknown): Checked<BodyOf<Op>> {
  if (operation.body === undefined) return { ok: true, value: {} as BodyOf<Op> }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return complain('invalid_body', 'The body must be a JSON object.')
  }
  const result = operation.body.safeParse(body)
  if (result.success) return { ok: true, value: result.data as BodyOf<Op> }
  return explain(result.error.issues, body, { name: 'The body', shape: operation.body.shape })
}

/** Reads the path parameters (decoded) as the operation declares them. The status of any fault is 400. Never throws. */
export function checkParams<Op extends Operation>(operation: Op, params: unknown): Checked<ParamsOf<Op>> {
  const result = operation.params.safeParse(params)
  if (result.success) return { ok: true, value: result.data as ParamsOf<Op> }
  return explain(result.error.issues, params, { name: 'The path', shape: operation.params.shape })
}

/**
 * Reads the query (decoded) as the operation declares it. An operation that declares no query accepts any. Never
 * throws.
 */
export function checkQuery<Op extends Operation>(operation: Op, query: unknown): Checked<QueryOf<Op>> {
  if (operation.query === undefined) return { ok: true, value: {} as QueryOf<Op> }
  const result = operation.query.safeParse(query)
  if (result.success) return { ok: true, value: result.data as QueryOf<Op> }
  return explain(result.error.issues, query, { name: 'The query', shape: operation.query.shape })
}

/** Reads the headers that the operation declares, and ignores all others. Never throws. */
export function checkHeaders<Op extends Operation>(operation: Op, headers: unknown): Checked<HeadersOf<Op>> {
  if (operation.headers === undefined) return { ok: true, value: {} as HeadersOf<Op> }
  const result = operation.headers.safeParse(headers)
  if (result.success) return { ok: true, value: result.data as HeadersOf<Op> }
  return explain(result.error.issues, headers, { name: 'The request', shape: operation.headers.shape })
}

/**
 * Explains one fault at a time: first an unknown field (often misspelt), then a missing field, then any other fault.
 */
function explain(
  issues: readonly z.core.$ZodIssue[],
  body: unknown,
  { name, shape }: { readonly name: string; readonly shape: object },
): { ok: false } & Complaint {
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const place = issue.path.length > 0 ? fieldName(issue.path) : name
    const known = issue.path.length > 0 ? '' : ` Its fields are: ${Object.keys(shape).join(', ')}.`
    return complain('unknown_field', `${place} has no field ${issue.keys.map(quote).join(', ')}.${known}`)
  }
  const missing = issues.find((issue) => issue.code === 'invalid_type' && valueAt(body, issue.path) === undefined)
  if (missing) return complain('missing_field', `${fieldName(missing.path)} is required.`)
  const [issue] = issues
  if (issue === undefined) return complain('invalid_body', 'The body cannot be read.')
  return complain(codeOf(issue), `${fieldName(issue.path)} ${issue.message}.`)
}

function codeOf(issue: z.core.$ZodIssue): RefusalCode {
  const named = issue.code === 'custom' ? issue.params?.refusal : undefined
  if (typeof named === 'string' && named in refusals) return named as RefusalCode
  return amountNames.has(String(issue.path.at(-1))) ? 'invalid_amount' : 'invalid_field'
}

const amountNames = new Set(['amount', 'minAmount', 'maxAmount', 'maxFee'])

function complain(code: RefusalCode, message: string): { ok: false } & Complaint {
  return { ok: false, status: refusals[code].status, code, message }
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = body
  for (const key of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return value
}

/** Returns a field's name with its path, such as `tlvRecords[0].value`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`))
    .join('')
}

/** Quotes a field's name as the caller wrote it, but shortened, because it may be ten megabytes long. */
function quote(name: string): string {
  return JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name)
}
