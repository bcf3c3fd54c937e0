import type { Form, JsonObject } from './form.ts'
import { isSnowflake } from './snowflake.ts'

/** Which mentions in a message may notify: all of the kinds in `parse`, and those of single people and roles. */
export interface AllowedMentions {
  readonly parse: readonly string[]
  readonly users: readonly string[]
  readonly roles: readonly string[]
  readonly repliedUser: boolean
}

/** Whom a message notifies in fact. */
export interface Mentions {
  readonly userIds: readonly string[]
  readonly roleIds: readonly string[]
  readonly everyone: boolean
}

/**
 * The default for messages outside interactions: every mention notifies. In interactions, `mentionPeopleOnly` is the
 * default.
 */
export const mentionEverything: AllowedMentions = {
  parse: ['users', 'roles', 'everyone'],
  users: [],
  roles: [],
  repliedUser: true,
}
export const mentionPeopleOnly: AllowedMentions = { parse: ['users'], users: [], roles: [], repliedUser: true }

const kinds = ['users', 'roles', 'everyone']

/**
 * Checks `allowed_mentions`: it can contain only known kinds, at most 100 ids of each, and no kind that is both parsed
 * and listed.
 */
export function checkAllowedMentions(form: Form, body: JsonObject): AllowedMentions | undefined {
  const source = form.object(body, 'allowed_mentions', [])
  if (source === undefined) return undefined
  const at = ['allowed_mentions']
  const parse = texts(form, source, 'parse', at, (item) => kinds.includes(item), 3)
  const users = texts(form, source, 'users', at, isSnowflake, 100)
  const roles = texts(form, source, 'roles', at, isSnowflake, 100)
  for (const [kind, ids] of [
    ['users', users],
    ['roles', roles],
  ] as const)
    if (parse.includes(kind) && ids.length > 0)
      form.fault(
        at,
        'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
        `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
      )
  return { parse, users, roles, repliedUser: form.boolean(source, 'replied_user', at) ?? false }
}

function texts(
  form: Form,
  source: JsonObject,
  key: string,
  at: readonly string[],
  valid: (item: string) => boolean,
  max: number,
): string[] {
  const value = source[key]
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string' || !valid(item))) {
    form.fault(
      [...at, key],
      'BASE_TYPE_CHOICES',
      `Value must be a list of ${key === 'parse' ? kinds.join(', ') : 'ids'}.`,
    )
    return []
  }
  if (value.length > max) form.fault([...at, key], 'BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`)
  return [...new Set(value as string[])]
}

/** Returns the mentions in a text (`<@user>`, `<@&role>`, `@everyone` and `@here`) that are allowed to notify. */
export function mentionsIn(content: string, allowed: AllowedMentions): Mentions {
  const users = ids(content, /<@!?(\d{15,20})>/g)
  const roles = ids(content, /<@&(\d{15,20})>/g)
  return {
    userIds: allowed.parse.includes('users') ? users : users.filter((id) => allowed.users.includes(id)),
    roleIds: allowed.parse.includes('roles') ? roles : roles.filter((id) => allowed.roles.includes(id)),
    everyone: allowed.parse.includes('everyone') && /@(everyone|here)\b/.test(content),
  }
}

function ids(content: string, pattern: RegExp): string[] {
  if (!content.includes('<@')) return []
  return [...new Set([...content.matchAll(pattern)].map((match) => match[1] ?? ''))]
}
