import { shownSettings } from '../../config/config.ts'
import { BACKENDS } from '../../payments-service/engine/node/backend-list.ts'
import type { FixedReason, SettingField, SettingsShown } from '../../web/web-server.ts'
import type { Variables } from '../set-up/ask-node.ts'
import { type Holder, type QuestionGroup, questionGroups, type SettingQuestion } from '../set-up/questions.ts'

/** The settings file as of one moment, and the environment, which takes precedence over it. */
export interface Stored {
  readonly file: string
  readonly environment: Variables
  readonly stored: Variables
  readonly version: string
}

/**
 * The settings that one operator may change alone. Changes to all others could send sats elsewhere, or let one operator
 * act as two.
 */
const ALONE: ReadonlySet<string> = new Set([
  'DISCORD_TOKEN',
  'DISCORD_USER_INSTALL',
  'TRUST_PROXY',
  'OPERATORS_CHANNEL_ID',
])

/** The settings that the console never changes, and why. */
const FIXED: Readonly<Record<string, FixedReason>> = {
  CUSTODY: 'holder',
  LIGHTNING_BACKEND: 'holder',
  DATA_FOLDER: 'books',
  TIPPING_DATABASE_URL: 'books',
  PAYMENTS_DATABASE_URL: 'books',
  WALLET_KEY_FILE: 'key',
}

export function needsTwo(name: string): boolean {
  return !ALONE.has(name)
}

/**
 * Returns the name of the environment variable that takes precedence over a setting, even if it is empty; undefined if
 * there is none.
 */
export function lockOf(name: string, environment: Variables): string | undefined {
  return [name, twinOf(name)].find((each) => each !== undefined && environment[each] !== undefined)
}

/**
 * Returns the name of a secret's other variable, with or without `_FILE`; undefined if this is not a secret's variable.
 */
export function twinOf(name: string): string | undefined {
  const whole = name.replace(/_FILE$/, '')
  if (whole !== name) return SECRETS.has(whole) ? whole : undefined
  return SECRETS.has(name) ? `${name}_FILE` : undefined
}

const SECRETS: ReadonlySet<string> = new Set([
  'DISCORD_TOKEN',
  'PAYMENTS_API_KEY',
  ...BACKENDS.flatMap(({ variables }) =>
    Object.values(variables).flatMap(({ form, name }) => (form === 'secret' ? [name] : [])),
  ),
])

export function questionsOf(before: Stored): SettingQuestion[] {
  return groupsOf(before).flatMap(({ questions }) => questions)
}

function groupsOf({ stored, environment }: Stored): QuestionGroup[] {
  const now = { ...stored, ...environment }
  const holder: Holder = now.CUSTODY === 'none' ? 'nobody' : now.PAYMENTS_BASE_URL ? 'other' : 'own'
  return questionGroups(holder, BACKENDS.find(({ kind }) => kind === now.LIGHTNING_BACKEND)?.kind)
}

/**
 * Returns what the console shows of the settings. `atStart` is what the settings file contained when this process
 * started.
 */
export function showSettings(before: Stored, atStart: Variables): Omit<SettingsShown, 'proposal'> {
  const { file, version, stored, environment } = before
  const groups = groupsOf(before).map(({ name, questions }) => ({
    name,
    fields: questions.map((question) => fieldOf(question, before)),
  }))
  const asked = new Set(groups.flatMap(({ fields }) => fields.map(({ name }) => name)))
  const set = shownSettings(environment, stored)
  const fixed = Object.entries(FIXED).map(([name, why]) => {
    const { value, from } = set.find((each) => each.name === name) ?? { value: undefined, from: undefined }
    return { name, value, from, why }
  })
  const others = set.filter(({ name }) => !asked.has(name) && !asked.has(twinOf(name) ?? '') && !(name in FIXED))
  const names = new Set([...Object.keys(stored), ...Object.keys(atStart)])
  const waiting = [...names].filter((name) => environment[name] === undefined && stored[name] !== atStart[name])
  return { file, version, groups, fixed, others, waiting }
}

function fieldOf(question: SettingQuestion, { stored, environment }: Stored): SettingField {
  const { name, what, hidden = false, choices = [] } = question
  const [value = '', twin = ''] = [name, twinOf(name) ?? ''].map((each) => environment[each] ?? stored[each])
  return {
    ...{ name, what, choices, isSecret: hidden },
    value: hidden ? '' : choices.length > 0 ? asChoice(question, value) : value,
    isSet: value !== '' || twin !== '',
    lockedBy: lockOf(name, environment),
    needsTwo: needsTwo(name),
  }
}

const SAME_AS: readonly (readonly [words: RegExp, value: string])[] = [
  [/^(1|true|yes|on)$/i, 'on'],
  [/^(0|false|no|off)$/i, 'off'],
]

/** Returns the choice that a stored value means; for an empty one, the usual choice. */
export function asChoice({ choices = [], usual = '' }: SettingQuestion, stored: string): string {
  const value = stored === '' ? usual : stored
  if (choices.some((choice) => choice.value === value)) return value
  return SAME_AS.find(([words]) => words.test(value))?.[1] ?? value
}
