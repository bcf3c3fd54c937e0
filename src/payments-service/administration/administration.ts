import { createLedger, type Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Entropy, token } from '../../lib/entropy.ts'
import type { Msats } from '../../lib/money/amount.ts'
import { newCallbackSecret } from '../../payments-api/payments-api.ts'
import { sandboxToken } from '../backends/sandbox/sandbox-token.ts'
import { CHART, NODE, wallet } from '../core/chart-of-accounts.ts'
import { openPaymentsDatabase, type PaymentsDatabase, type Tx } from '../core/database.ts'
import { hashSecret } from '../core/secrets.ts'
import type { ServiceSettings } from '../core/settings.ts'
import { listGamertags, type NameRequest, renameUser, takeName } from '../engine/names/gamertags.ts'
import { type ReleasedName, releaseName } from '../engine/names/identifiers.ts'
import { readBookNode } from '../engine/node/book-node.ts'
import { newLinkCode } from '../users/link-code.ts'
import { newSignInToken } from '../users/sign-in-token.ts'
import { AdministrationRefusal } from './administration-refusal.ts'
import { adoptNode, CannotAdopt, type NewNode } from './adopt-node.ts'
import { callbacks } from './callbacks.ts'
import { coverOperator } from './cover-operator.ts'
import { decidePayments, type PaymentVerdict } from './decide-payments.ts'
import type {
  CallbackLine,
  DecisionLine,
  FeeLine,
  KeyLine,
  NodeLine,
  OpenPaymentLine,
  ProjectLine,
  SuspenseLine,
  UserLine,
} from './lines.ts'
import { type LogInClients, logInClients } from './log-in-clients.ts'
import { type Gift, suspense } from './suspense.ts'
import { takeNames } from './take-names.ts'

export { AdministrationRefusal } from './administration-refusal.ts'

/** The possible scopes of a key: for reading, for requesting money, and for sending money. */
export const SCOPES = ['read', 'receive', 'send'] as const
export type Scope = (typeof SCOPES)[number]

/** The maximum number of lines in one page of a list. */
const PAGE = 1_000

export interface AdministrationParts {
  readonly database: PaymentsDatabase
  readonly ledger: Ledger<Tx>
  readonly clock: Clock
  readonly entropy: Entropy
  readonly settings: Pick<ServiceSettings, 'gamertagReservedDays' | 'reservedNames'>
  /** Whether the money is not real, so projects may be funded out of nothing. */
  readonly sandbox: boolean
  /** The folder with the sandbox's token; undefined if the sandbox's routes are closed. */
  readonly sandboxFolder?: string
}

/** The operator's actions, which can also be used beside a running service, from another process. */
export interface Administration extends LogInClients {
  createProject(
    name: string,
    fund?: Msats,
  ): Promise<{ projectId: string; keyId: string; apiKey: string; callbackSecret: string }>
  /** Lists projects by id, at most 1,000: those after the id `after`, or the first ones. */
  listProjects(after?: string): Promise<ProjectLine[]>
  /** Credits a project's wallet with new sats. Throws AdministrationRefusal if the backend is not the sandbox. */
  fundProject(projectId: string, amount: Msats): Promise<{ projectId: string; balance: string }>
  /**
   * Moves sats from a project's wallet to the operator's account, at most the amount that the account lacks (rounded up
   * to a sat) because of fees beyond their limit and deductions by the node from receipts. Throws AdministrationRefusal
   * for a larger amount, or if the wallet holds too little.
   */
  coverOperator(
    projectId: string,
    amount: Msats,
  ): Promise<{ projectId: string; covered: string; operator: string; balance: string }>
  /**
   * Charges a project's wallet, once, with what the node deducted from a payment by operators into the wallet, so that
   * their float equals the sum that arrived. Resolves to the deducted amount; zero if everything arrived.
   */
  bearShort(paymentHash: string): Promise<Msats>
  /**
   * Renames a project's users who have never had a sat, and frees their names, including former ones. Resolves to the
   * numbers of users who were renamed, and who were not because they have had sats.
   */
  takeNames(projectId: string): Promise<{ projectId: string; taken: number; kept: number }>
  /** Creates a signing secret. The previous one stays active, and older ones are retired. */
  rotateSecret(projectId: string): Promise<{ projectId: string; callbackSecret: string }>
  /**
   * Creates a user. `token` signs the user in on the wallet page, once. `reserved` also permits a name that is reserved
   * for the operator. `opener` is the project to which the user belongs. Throws ServiceRefusal (identifier_taken).
   */
  createUser(
    gamertag: string,
    reserved?: boolean,
    opener?: { readonly projectId: string; readonly reference: string },
  ): Promise<{ userId: string; gamertag: string; token: string }>
  /** Lists users by gamertag, at most 1,000: those after the gamertag `after`, or the first ones. */
  listUsers(after?: string): Promise<UserLine[]>
  renameUser(userId: string, gamertag: string, reserved?: boolean): Promise<{ userId: string; gamertag: string }>
  /**
   * Takes an identifier from its static charge and reserves it, or frees a reserved name. Throws AdministrationRefusal
   * for a gamertag in use and for a name that nobody has.
   */
  releaseName(name: string): Promise<ReleasedName>
  userToken(userId: string): Promise<{ userId: string; token: string }>
  /**
   * Creates a code that proves once, within ten minutes, that a gamertag belongs to a user. The wallet page shows the
   * same kind of code.
   */
  linkCode(userId: string): Promise<{ userId: string; code: string }>
  createKey(
    projectId: string,
    options: { scopes: readonly Scope[]; expiresAt?: Date },
  ): Promise<{ keyId: string; apiKey: string; scopes: readonly Scope[]; expiresAt: string | null }>
  revokeKey(keyId: string): Promise<{ keyId: string; revokedAt: string }>
  listKeys(projectId: string): Promise<KeyLine[]>
  /** Lists callbacks that are waiting or dead-lettered, oldest first, at most 1,000. */
  listCallbacks(): Promise<CallbackLine[]>
  /** Schedules dead-lettered callbacks for another delivery: the one with this message id, or all. */
  redeliverCallbacks(messageId?: string): Promise<{ redelivered: number }>
  /** Reports the node's fees for sending, and who bore them, in msats as text. */
  showFees(): Promise<FeeLine>
  /** Returns the book's node; null if no node has been reached yet. */
  showNode(): Promise<NodeLine | null>
  /** Ties the book to another node: see `adoptNode`. Throws AdministrationRefusal if that is not possible now. */
  adoptNode(node: NewNode): Promise<NodeLine>
  /**
   * Lists payments without an owner, oldest first, at most 1,000: those on the suspense account, or, with `given`,
   * those that operators have given to somebody. `after` is the last id of the previous page.
   */
  listSuspense(options?: { readonly given?: boolean; readonly after?: string }): Promise<SuspenseLine[]>
  /**
   * Gives a payment on the suspense account to a wallet or to the operator, in full and only once. Throws
   * AdministrationRefusal if the payment or the wallet does not exist, or if the payment was given before.
   */
  giveSuspense(gift: Gift): Promise<SuspenseLine>
  /** Lists open payments that may have left, and decisions to be corrected, oldest first, at most 1,000. */
  listOpenPayments(): Promise<OpenPaymentLine[]>
  /**
   * Records one operator's decision about an open payment. The decision is proof if a second person agrees, or with the
   * preimage; the service then ends the payment. If a decision has ended the payment before, proof of the other outcome
   * corrects that decision at the operator's expense. Throws AdministrationRefusal for an impossible decision.
   */
  decidePayment(verdict: PaymentVerdict): Promise<DecisionLine>
  /**
   * Returns the token that the sandbox's routes require. Throws AdministrationRefusal if the Lightning backend is not
   * the sandbox.
   */
  sandboxToken(): Promise<{ token: string }>
}

/** Opens the administration of a service's database from another process. Throws DatabaseProblem on failure. */
export async function openAdministration(
  options: Omit<AdministrationParts, 'database' | 'ledger'> & { readonly databaseUrl: string },
): Promise<Administration & { close(): Promise<void> }> {
  const database = await openPaymentsDatabase(options.databaseUrl)
  const ledger = createLedger<Tx, PaymentsDatabase['write']>({ database, chart: CHART, clock: options.clock })
  return {
    ...createAdministration({ ...options, database, ledger }),
    async close() {
      await ledger.close()
      await database.close()
    },
  }
}

/** Creates the administration of a service in this process. */
export function createAdministration(parts: AdministrationParts): Administration {
  const sandbox = { sandboxToken: async () => readSandboxToken(parts) }
  return {
    ...projects(parts),
    ...users(parts),
    ...keys(parts),
    ...callbacks(parts),
    ...nodes(parts),
    ...suspense(parts),
    ...coverOperator(parts),
    ...takeNames(parts),
    ...logInClients(parts),
    ...decidePayments(parts),
    ...sandbox,
  }
}

function readSandboxToken({ sandboxFolder, entropy }: AdministrationParts): { token: string } {
  if (sandboxFolder !== undefined) return { token: sandboxToken(sandboxFolder, entropy) }
  throw new AdministrationRefusal(
    'There is no sandbox here, so there is no token. Only a service with LIGHTNING_BACKEND=sandbox has a token.',
  )
}

function projects(parts: AdministrationParts) {
  const { database, ledger, clock, entropy } = parts
  const fundProject: Administration['fundProject'] = async (projectId, amount) => {
    if (!parts.sandbox) {
      throw new AdministrationRefusal(
        'This command works only on the sandbox. Elsewhere, pay sats in with "project deposit SATS PROJECTID".',
      )
    }
    await mustHaveProject(database, projectId)
    const account = wallet({ kind: 'project', id: projectId })
    const moves = [{ from: NODE, to: account, amount }]
    await ledger.commit({ entries: [{ operation: `funding:${entropy.uuid()}`, step: 'post', moves }] })
    return { projectId, balance: (await ledger.balance(account)).toString() }
  }
  return {
    fundProject,
    createProject: async (name, fund) => {
      if (name.trim() === '') throw new AdministrationRefusal('A project needs a name.')
      const projectId = entropy.uuid()
      const createdAt = new Date(clock.now())
      const { keyId, apiKey, row } = newKey(parts, projectId, SCOPES)
      const callbackSecret = newCallbackSecret(entropy)
      await ledger.commit({
        rows: [
          { table: 'Project', values: { id: projectId, name, createdAt } },
          row,
          secretRow(parts, projectId, callbackSecret),
        ],
      })
      if (fund !== undefined) await fundProject(projectId, fund)
      return { projectId, keyId, apiKey, callbackSecret }
    },
    listProjects: async (after = '') => {
      const where = { id: { gt: after } }
      const rows = await database.read.project.findMany({ where, orderBy: { id: 'asc' }, take: PAGE })
      return rows.map(({ id, name, createdAt }) => ({ projectId: id, name, createdAt: createdAt.toISOString() }))
    },
    rotateSecret: async (projectId) => {
      await mustHaveProject(database, projectId)
      const callbackSecret = newCallbackSecret(entropy)
      await ledger.commit({
        rows: [secretRow(parts, projectId, callbackSecret)],
        write: async (tx) => {
          const where = { projectId, retiredAt: null }
          const active = await tx.callbackSecret.findMany({ where, orderBy: { createdAt: 'desc' }, skip: 1 })
          await tx.callbackSecret.updateMany({
            where: { id: { in: active.map((secret) => secret.id) } },
            data: { retiredAt: new Date(clock.now()) },
          })
        },
      })
      return { projectId, callbackSecret }
    },
  } satisfies Partial<Administration>
}

function users(parts: AdministrationParts) {
  const { database, ledger, clock, entropy } = parts
  return {
    createUser: async (gamertag, reserved, opener) => {
      const request = readGamertag(gamertag, reserved)
      const userId = entropy.uuid()
      const now = clock.now()
      const { token, row } = newSignInToken(parts, userId)
      await ledger.commit({
        rows: [
          {
            table: 'User',
            values: { id: userId, gamertag, createdAt: new Date(now), projectId: null, reference: null, ...opener },
          },
          row,
        ],
        write: (tx) => takeName(parts, tx, request, { userId }),
      })
      return { userId, gamertag, token }
    },
    listUsers: async (after = '') => {
      const gamertags = await listGamertags(database.read, after, PAGE)
      // Stryker disable next-line ObjectLiteral: avoids reading other rows. The shown row is found among them by its
      // own key.
      const users = await database.read.user.findMany({ where: { id: { in: gamertags.map(({ userId }) => userId) } } })
      const createdAt = new Map(users.map((user) => [user.id, user.createdAt.toISOString()]))
      return gamertags.map((line) => ({ ...line, createdAt: createdAt.get(line.userId) ?? '' }))
    },
    renameUser: async (userId, gamertag, reserved) => {
      const request = readGamertag(gamertag, reserved)
      await mustHaveUser(database, userId)
      await ledger.commit({ write: (tx) => renameUser(parts, tx, userId, request) })
      return { userId, gamertag }
    },
    releaseName: async (name) => {
      const released = await ledger.commit({ write: (tx) => releaseName(parts, tx, name) })
      if (released === undefined)
        throw new AdministrationRefusal(`Nobody has the name "${name}", so there is nothing to release.`)
      if (released === 'in use') {
        throw new AdministrationRefusal(`"${name}" is a user's gamertag. Rename the user first, with "user rename".`)
      }
      return released
    },
    userToken: async (userId) => {
      await mustHaveUser(database, userId)
      const { token, row } = newSignInToken(parts, userId)
      await ledger.commit({ rows: [row] })
      return { userId, token }
    },
    linkCode: async (userId) => {
      await mustHaveUser(database, userId)
      const { code, row } = newLinkCode(parts, userId)
      await ledger.commit({ rows: [row] })
      return { userId, code }
    },
  } satisfies Partial<Administration>
}

function keys(parts: AdministrationParts) {
  const { database, ledger, clock } = parts
  return {
    createKey: async (projectId, { scopes, expiresAt }) => {
      await mustHaveProject(database, projectId)
      if (expiresAt !== undefined && expiresAt.getTime() <= clock.now()) {
        throw new AdministrationRefusal(`${expiresAt.toISOString()} is in the past. Give a later time.`)
      }
      const { keyId, apiKey, row } = newKey(parts, projectId, scopes, expiresAt)
      await ledger.commit({ rows: [row] })
      return { keyId, apiKey, scopes, expiresAt: expiresAt?.toISOString() ?? null }
    },
    revokeKey: async (keyId) => {
      const revokedAt = new Date(clock.now())
      const where = { id: keyId, revokedAt: null }
      const { count } = await ledger.commit({ write: (tx) => tx.apiKey.updateMany({ where, data: { revokedAt } }) })
      if (count === 0) {
        throw new AdministrationRefusal(
          `There is no key ${keyId} that can be revoked. "project list" shows all projects, and "key list PROJECTID" shows the keys of a project.`,
        )
      }
      return { keyId, revokedAt: revokedAt.toISOString() }
    },
    listKeys: async (projectId) => {
      await mustHaveProject(database, projectId)
      const rows = await database.read.apiKey.findMany({ where: { projectId }, orderBy: { createdAt: 'asc' } })
      return rows.map((key) => ({
        keyId: key.id,
        scopes: key.scopes.split(','),
        createdAt: key.createdAt.toISOString(),
        expiresAt: key.expiresAt?.toISOString() ?? null,
        revokedAt: key.revokedAt?.toISOString() ?? null,
      }))
    },
  } satisfies Partial<Administration>
}

function nodes(parts: AdministrationParts) {
  return {
    showFees: async () => {
      const fees = await parts.database.read.routingFee.findMany()
      const of = (kind: string) => fees.find((one) => one.kind === kind) ?? { total: 0n, payments: 0 }
      const [charged, absorbed, untold] = [of('charged'), of('absorbed'), of('untold')]
      const cost = charged.total - untold.total + absorbed.total
      return {
        charged: `${charged.total}`,
        payments: charged.payments,
        absorbed: `${absorbed.total}`,
        untold: `${untold.total}`,
        cost: `${cost}`,
      }
    },
    showNode: async () => {
      const node = await readBookNode(parts.database.read)
      return node && { kind: node.kind, pubkey: node.pubkey, network: node.network, since: node.since.toISOString() }
    },
    adoptNode: async (node) => {
      const since = await adoptNode(parts, node).catch((error: unknown) => {
        throw error instanceof CannotAdopt ? new AdministrationRefusal(error.message) : error
      })
      return { kind: node.kind, pubkey: node.pubkey, network: node.network, since: since.toISOString() }
    },
  } satisfies Partial<Administration>
}

function newKey(parts: AdministrationParts, projectId: string, scopes: readonly Scope[], expiresAt?: Date) {
  const keyId = parts.entropy.uuid()
  const apiKey = `satchel_${token(parts.entropy)}`
  const createdAt = new Date(parts.clock.now())
  const hash = hashSecret(apiKey)
  const values = { id: keyId, projectId, hash, scopes: scopes.join(','), createdAt, expiresAt: expiresAt ?? null }
  return { keyId, apiKey, row: { table: 'ApiKey', values } }
}

function secretRow({ clock, entropy }: AdministrationParts, projectId: string, secret: string) {
  const values = { id: entropy.uuid(), projectId, secret, createdAt: new Date(clock.now()) }
  return { table: 'CallbackSecret', values }
}

async function mustHaveProject({ read }: PaymentsDatabase, id: string): Promise<void> {
  if ((await read.project.findUnique({ where: { id } })) === null) {
    throw new AdministrationRefusal(`There is no project ${id}. "project list" shows all projects.`)
  }
}

async function mustHaveUser({ read }: PaymentsDatabase, id: string): Promise<void> {
  if ((await read.user.findUnique({ where: { id } })) === null) {
    throw new AdministrationRefusal(`There is no user ${id}. "user list" shows all users.`)
  }
}

function readGamertag(gamertag: string, reserved: boolean | undefined): NameRequest {
  if (/^[A-Za-z0-9_-]{3,30}$/.test(gamertag)) return { display: gamertag, reserved }
  throw new AdministrationRefusal('A gamertag must consist of 3 to 30 letters, digits, underscores or hyphens.')
}
