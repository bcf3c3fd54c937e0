import type { z } from 'zod'

/**
 * Returns an input's first fault as a sentence: `"amount" is missing.` Messages that schemas define for their own rules
 * (types, patterns, refinements) are clauses such as "must be a whole number", and are used as they are. `whole` is the
 * name of the input itself.
 */
export function firstFault({ issues: [issue] }: z.ZodError, input: unknown, whole = 'The input'): string {
  if (issue === undefined) return `${whole} cannot be read.`
  const place = issue.path.length === 0 ? whole : `"${issue.path.join('.')}"`
  return `${place} ${clauseOf(issue, valueAt(input, issue.path))}.`
}

function clauseOf(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return 'is missing'
      return ownClause(issue) ?? `must be ${things[issue.expected] ?? issue.expected}`
    case 'too_small':
      return sized(issue.origin, `at least ${issue.minimum}`)
    case 'too_big':
      return sized(issue.origin, `at most ${issue.maximum}`)
    case 'invalid_value':
      return value === undefined ? 'is missing' : `must be one of ${issue.values.map(String).join(', ')}`
    case 'unrecognized_keys':
      return `has no field ${issue.keys.map((key) => JSON.stringify(key.slice(0, 40))).join(', ')}`
    case 'invalid_union':
      return 'is of a kind that cannot be used here'
    case 'invalid_key':
    case 'invalid_element':
      return 'holds something that cannot be used here'
    default:
      return ownClause(issue) ?? 'has the wrong form'
  }
}

/** Returns the schema's own clause; undefined if the message is zod's. */
function ownClause({ message }: z.core.$ZodIssue): string | undefined {
  return message.startsWith('Invalid') ? undefined : message
}

const things: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}

const units: Readonly<Record<string, string>> = { string: ' characters long', array: ' items long', set: ' items long' }

function sized(origin: string, limit: string): string {
  return `must be ${limit}${units[origin] ?? ''}`
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return value
}
