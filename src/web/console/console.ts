import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import type { Logger } from '../../lib/logger.ts'
import type { OperatorPasskeys, OperatorSignIns, Tipping, TippingRefusal } from '../../tipping/tipping.ts'
import type { OperatorsFigures } from '../operators-page/figures.ts'
import type { PasswordLock } from './password-lock.ts'
import type { SettingsAdministration } from './settings.ts'

/** The access that a password gives: an operator's, or a viewer's, who may look and change nothing. */
export type Access = 'operator' | 'reader'

/** The console's dependencies. Each of these throws HttpProblem while there is no book to look into. */
export interface Console {
  readonly signIns: () => OperatorSignIns
  readonly passkeys: () => OperatorPasskeys
  /** Whether somebody on Discord is an operator at this moment. Throws where Discord does not say. */
  readonly isOperator: (id: string) => Promise<boolean>
  /**
   * Seals the id of a passkey under the operators' present password; undefined if there is none. It tells nothing of
   * the password.
   */
  readonly sealOf: (passkey: string) => Promise<string | undefined>
  /** The administration of `/admin` and of the command line. */
  readonly administration: () => Pick<
    Tipping['administration'],
    'pause' | 'resume' | 'audit' | 'decide' | 'book' | 'cancel' | 'proposals' | 'pools' | 'tellOfOperator'
  >
  /** Makes a backup to download; undefined if this process makes none. Throws Problem. */
  readonly backUp: (() => Promise<BackupDownload>) | undefined
  /** Makes the service deliver dead-lettered callbacks again; undefined if it is another program. */
  readonly redeliver: (() => Promise<unknown>) | undefined
  /** The bundled service; undefined unless it runs in this process. */
  readonly atService: () => ServiceAdministration | undefined
  /** Settings that may be changed; undefined if there are none, as in a playground. */
  readonly settings: SettingsAdministration | undefined
  /** The process's log of the last hour, newest first, without secrets; undefined if it keeps none. */
  readonly log: (() => readonly string[]) | undefined
  /** Name of a server; undefined if the bot does not see it. */
  readonly serverName: (guild: string) => string | undefined
  /** Name of a server's role; undefined if the bot does not see it. */
  readonly roleName: (guild: string, role: string) => string | undefined
  /** Name of somebody on Discord; undefined where Discord does not say. Throws while the bot starts. */
  readonly memberName: (member: string) => Promise<{ readonly shown: string; readonly username: string } | undefined>
  /** Whether the sats are test sats. */
  readonly testMoney: () => boolean
  /** The present state, with the visitor's last action in it. */
  readonly figures: () => Promise<OperatorsFigures>
  /** Whether one operator decides alone, with a delay. */
  readonly isAlone: boolean
  /** Finds the access of a password. */
  readonly accessOf: (password: string) => Access | undefined
  /** Whether there is a password at all. */
  readonly hasPassword: boolean
  /** One for all servers that have the console. */
  readonly lock: PasswordLock
  /** A refusal in words for a page, without marks. */
  readonly inWords: (refusal: TippingRefusal) => string
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
}

/** Scopes that a key made here may have: to look, to ask for money. One that sends is made at the machine. */
export const SCOPES = ['read', 'receive'] as const
export type Scope = (typeof SCOPES)[number]

/** Of a project's name. */
export const MAX_NAME = 100

export interface ProjectLine {
  readonly projectId: string
  readonly name: string
  /** ISO 8601, as everywhere here. */
  readonly createdAt: string
}

export interface KeyLine {
  readonly keyId: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  /** Null: it lasts for good. */
  readonly expiresAt: string | null
  readonly revokedAt: string | null
}

export interface UserLine {
  readonly userId: string
  readonly gamertag: string
  readonly createdAt: string
}

export interface CallbackLine {
  readonly messageId: string
  readonly resource: string
  readonly receiver: string
  readonly state: 'waiting' | 'dead-lettered'
  readonly attempts: number
  readonly createdAt: string
  readonly lastError: string
}

/** Operators' actions at the bundled service, as at the command line. Each throws Problem for a refusal. */
export interface ServiceAdministration {
  /** The bot's own project; undefined before it has one. */
  readonly ownProject: string | undefined
  /** By id, 1,000 at most: those after the id `after`, or the first ones. */
  listProjects(after?: string): Promise<readonly ProjectLine[]>
  createProject(name: string): Promise<{ projectId: string; apiKey: string; callbackSecret: string }>
  listKeys(projectId: string): Promise<readonly KeyLine[]>
  /** Resolves to the key. */
  createKey(projectId: string, options: { scopes: readonly Scope[]; expiresAt?: Date }): Promise<string>
  revokeKey(keyId: string): Promise<void>
  /** By gamertag, 1,000 at most. */
  listUsers(after?: string): Promise<readonly UserLine[]>
  /** Resolves to a link that signs the user in on the wallet page, once, within a day. */
  createUser(gamertag: string): Promise<string>
  /** Waiting and dead-lettered callbacks, the oldest first, 1,000 at most. */
  listCallbacks(): Promise<readonly CallbackLine[]>
  /** Delivers a dead-lettered callback again. */
  redeliver(messageId: string): Promise<void>
}

/** A backup on its way to a browser. */
export interface BackupDownload {
  readonly fileName: string
  readonly pieces: AsyncIterable<Buffer>
  /** To be called when it was sent, or its reader went away. */
  readonly end: () => void
}

/** All who sign in with the operators' password are one operator: two words of theirs count as one. */
export const BY_PASSWORD = { id: 'console:password', name: 'Operator' } as const
export const READER = { id: 'console:read-only', name: 'Reader' } as const
