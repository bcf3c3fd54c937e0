import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import type { Logger } from '../../lib/logger.ts'
import type { OperatorPasskeys, OperatorSignIns, Tipping, TippingRefusal } from '../../tipping/tipping.ts'
import type { OperatorsFigures } from '../operators-page/figures.ts'
import type { PasswordLock } from './password-lock.ts'
import type { SettingsAdministration } from './settings.ts'

/** What a password permits. An operator can act; a reader can only look. */
export type Access = 'operator' | 'reader'

/** The console's dependencies. Those that read the book throw HttpProblem while there is no book. */
export interface Console {
  readonly signIns: () => OperatorSignIns
  readonly passkeys: () => OperatorPasskeys
  /** Whether a person on Discord is an operator now. Throws if Discord does not answer. */
  readonly isOperator: (id: string) => Promise<boolean>
  /**
   * Seals a passkey's id under the operators' present password; undefined if there is no password. The seal reveals
   * nothing about the password.
   */
  readonly sealOf: (passkey: string) => Promise<string | undefined>
  /** Returns the administration that `/admin` and the command line use. */
  readonly administration: () => Pick<
    Tipping['administration'],
    'pause' | 'resume' | 'audit' | 'decide' | 'book' | 'cancel' | 'proposals' | 'pools' | 'tellOfOperator'
  >
  /** Makes a backup to download; undefined if this process makes no backups. Throws Problem. */
  readonly backUp: (() => Promise<BackupDownload>) | undefined
  /** Makes the service deliver dead-lettered callbacks again; undefined if the service is another program. */
  readonly redeliver: (() => Promise<unknown>) | undefined
  /** Returns the bundled service; undefined unless it runs in this process. */
  readonly atService: () => ServiceAdministration | undefined
  /** Settings that operators may change; undefined if there are none, as in a playground. */
  readonly settings: SettingsAdministration | undefined
  /**
   * Returns the process's log of the last hour, newest first, without secrets; undefined if the process keeps no log.
   */
  readonly log: (() => readonly string[]) | undefined
  /** Returns the name of a server; undefined if the bot does not see that server. */
  readonly serverName: (guild: string) => string | undefined
  /** Returns the name of a server's role; undefined if the bot does not see that role. */
  readonly roleName: (guild: string, role: string) => string | undefined
  /**
   * Resolves to the name of a person on Discord; undefined if Discord does not know the person. Throws while the bot
   * starts.
   */
  readonly memberName: (member: string) => Promise<{ readonly shown: string; readonly username: string } | undefined>
  /** Whether the sats are test sats. */
  readonly testMoney: () => boolean
  /** Reads the present figures, which include the visitor's last action. */
  readonly figures: () => Promise<OperatorsFigures>
  /** Whether one operator decides alone, after a delay. */
  readonly isAlone: boolean
  /** Returns what a password permits; undefined for a wrong password. */
  readonly accessOf: (password: string) => Access | undefined
  /** Whether a password is set. */
  readonly hasPassword: boolean
  /** The lock that all web servers with the console share. */
  readonly lock: PasswordLock
  /** Describes a refusal in words for a page, without Markdown. */
  readonly inWords: (refusal: TippingRefusal) => string
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
}

/**
 * The scopes that a key can have if it is created in the console: reading and receiving. A key that can send must be
 * created at the machine.
 */
export const SCOPES = ['read', 'receive'] as const
export type Scope = (typeof SCOPES)[number]

/** The maximum length of a project's name. */
export const MAX_NAME = 100

export interface ProjectLine {
  readonly projectId: string
  readonly name: string
  /** In ISO 8601, like all times in these lines. */
  readonly createdAt: string
}

export interface KeyLine {
  readonly keyId: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  /** Null if the key never expires. */
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

/** Operators' actions at the bundled service, as on the command line. Each throws Problem for a refusal. */
export interface ServiceAdministration {
  /** The bot's own project; undefined before the bot has a project. */
  readonly ownProject: string | undefined
  /** Lists at most 1,000 projects in the order of their ids: those after the id `after`, or else the first. */
  listProjects(after?: string): Promise<readonly ProjectLine[]>
  createProject(name: string): Promise<{ projectId: string; apiKey: string; callbackSecret: string }>
  listKeys(projectId: string): Promise<readonly KeyLine[]>
  /** Creates a key, and resolves to it. */
  createKey(projectId: string, options: { scopes: readonly Scope[]; expiresAt?: Date }): Promise<string>
  revokeKey(keyId: string): Promise<void>
  /** Lists at most 1,000 users in the order of their gamertags. */
  listUsers(after?: string): Promise<readonly UserLine[]>
  /** Creates a user. Resolves to a link that signs them in on the wallet page once, within a day. */
  createUser(gamertag: string): Promise<string>
  /** Lists at most 1,000 waiting and dead-lettered callbacks, oldest first. */
  listCallbacks(): Promise<readonly CallbackLine[]>
  /** Delivers a dead-lettered callback again. */
  redeliver(messageId: string): Promise<void>
}

/** A backup on its way to a browser. */
export interface BackupDownload {
  readonly fileName: string
  readonly pieces: AsyncIterable<Buffer>
  /** Must be called when the backup has been sent, or when its reader has gone away. */
  readonly end: () => void
}

/** All who sign in with the operators' password count as one operator, so they cannot approve their own proposal. */
export const BY_PASSWORD = { id: 'console:password', name: 'Operator' } as const
export const READER = { id: 'console:read-only', name: 'Reader' } as const
