import { type BackendName, definitionOf, type Variable } from '../../payments-service/engine/node/backend-list.ts'
import type { Choice } from './prompter.ts'

/**
 * A setting that people enter: set-up asks for one setting after another, and the console shows them as fields of a
 * page.
 */
export interface SettingQuestion {
  /** The variable's name in the settings file. */
  readonly name: string
  readonly what: string
  /** Whether typed text stays hidden. */
  readonly hidden?: boolean
  /** All valid answers, with the values that are stored. */
  readonly choices?: readonly Choice[]
  /** The value that applies if the variable is not set. */
  readonly usual?: string
}

/** Who holds the sats: the bundled service, another provider, or members' own wallets. */
export type Holder = 'own' | 'other' | 'nobody'

export const TOKEN = { name: 'DISCORD_TOKEN', what: 'The token', hidden: true } as const

export const INSTALL = {
  name: 'DISCORD_USER_INSTALL',
  what: 'May people install the bot for themselves?',
  choices: [
    { value: 'off', label: 'No, servers only' },
    { value: 'on', label: 'Yes, people too' },
  ],
} as const

export const PROVIDER_URL = { name: 'PAYMENTS_BASE_URL', what: 'The address of your provider' } as const
export const PROVIDER_KEY = { name: 'PAYMENTS_API_KEY', what: 'Your API key', hidden: true } as const

export const SERVICE_ADDRESS = { name: 'SERVICE_PUBLIC_URL', what: 'The address' } as const
export const WEB_ADDRESS = { name: 'CALLBACK_PUBLIC_URL', what: 'The address' } as const
export const PROXY = { name: 'TRUST_PROXY', what: 'The proxy' } as const

export const HOME_SERVER = { name: 'HOME_GUILD_ID', what: "The operators' server" } as const
export const ALERT_CHANNEL = { name: 'OPERATORS_CHANNEL_ID', what: 'The channel for alerts' } as const
export const OPERATORS = {
  name: 'OPERATORS',
  what: 'How many operators are there?',
  choices: [
    { value: 'two', label: 'Two or more' },
    { value: 'one', label: 'One: me' },
  ],
  usual: 'two',
} as const

/**
 * Returns the name of the variable that set-up writes. Set-up never writes a node's secret, but the path of the file
 * that contains it.
 */
export function writtenAs({ name, form }: Variable): string {
  return form === 'secret' ? `${name}_FILE` : name
}

/** Returns the questions about how to reach a node of this kind. */
export function nodeQuestions(kind: BackendName): SettingQuestion[] {
  return Object.values<Variable>(definitionOf(kind).variables).flatMap((variable) =>
    variable.form === 'choice' ? [] : [{ name: writtenAs(variable), what: variable.question.what }],
  )
}

export interface QuestionGroup {
  readonly name: 'discord' | 'payments' | 'address' | 'operators'
  readonly questions: readonly SettingQuestion[]
}

/** Returns all of set-up's questions for this holder of sats. `node` is undefined for the sandbox's test sats. */
export function questionGroups(holder: Holder, node: BackendName | undefined): QuestionGroup[] {
  const payments = {
    own: node === undefined ? [] : nodeQuestions(node),
    other: [PROVIDER_URL, PROVIDER_KEY],
    nobody: [],
  }[holder]
  return [
    { name: 'discord', questions: [TOKEN, INSTALL] },
    { name: 'payments', questions: payments },
    { name: 'address', questions: [holder === 'own' ? SERVICE_ADDRESS : WEB_ADDRESS, PROXY] },
    { name: 'operators', questions: [HOME_SERVER, ALERT_CHANNEL, OPERATORS] },
  ]
}
