import type { Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { type Entropy, token as newToken } from '../../lib/entropy.ts'
import { LOG_IN_SCOPES } from '../../payments-api/payments-api.ts'
import type { PaymentsDatabase, Tx } from '../core/database.ts'
import { hashSecret } from '../core/secrets.ts'
import { clientOf, readScopes } from '../log-in/clients.ts'
import { faultOfRedirectUri } from '../log-in/redirect-uris.ts'
import { AdministrationRefusal } from './administration-refusal.ts'

const MAX_NAME = 60
const MAX_REDIRECTS = 20

interface ClientParts {
  readonly database: PaymentsDatabase
  readonly ledger: Ledger<Tx>
  readonly clock: Clock
  readonly entropy: Entropy
}

/** A program that users may log in to. */
export interface ClientLine {
  readonly clientId: string
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly scopes: readonly string[]
  /** Whether the program has a secret. */
  readonly isConfidential: boolean
  readonly createdAt: string
  readonly removedAt: string | null
}

export interface NewClient {
  /** The program's name, as users see it. */
  readonly name: string
  readonly redirectUris: readonly string[]
  /** The scopes that the program may request. Default: only `user`, for the profile. */
  readonly scopes?: string | undefined
  /**
   * Whether the program, such as a game or a phone app, runs where its user could read a secret. Such a program gets no
   * secret.
   */
  readonly isPublic?: boolean | undefined
}

/** The actions on programs that users may log in to. */
export interface LogInClients {
  /**
   * Registers a program. `clientSecret` is shown only once, and is null for a public program. Throws
   * AdministrationRefusal for an unknown project, and for a name, address or scope that cannot be registered.
   */
  createClient(
    projectId: string,
    about: NewClient,
  ): Promise<{ projectId: string; clientId: string; clientSecret: string | null }>
  /** Lists a project's programs, oldest first, including removed ones. */
  listClients(projectId: string): Promise<ClientLine[]>
  /** Removes a program: nobody can log in to it any more, and its tokens stop working. */
  removeClient(clientId: string): Promise<{ clientId: string; removedAt: string }>
}

export function logInClients({ database, ledger, clock, entropy }: ClientParts): LogInClients {
  const mustHaveProject = async (id: string) => {
    if ((await database.read.project.findUnique({ where: { id } })) !== null) return
    throw new AdministrationRefusal(`There is no project ${id}. "project list" shows all projects.`)
  }
  return {
    createClient: async (projectId, about) => {
      const { name, redirectUris, scopes } = check(about)
      await mustHaveProject(projectId)
      const clientId = entropy.uuid()
      const clientSecret = about.isPublic ? null : `satchel_client_${newToken(entropy)}`
      const secretHash = clientSecret === null ? null : hashSecret(clientSecret)
      const texts = { name, redirectUris: redirectUris.join('\n'), scopes: scopes.join(','), secretHash }
      const values = { id: clientId, projectId, ...texts, createdAt: new Date(clock.now()) }
      await ledger.commit({ rows: [{ table: 'LogInClient', values }] })
      return { projectId, clientId, clientSecret }
    },
    listClients: async (projectId) => {
      await mustHaveProject(projectId)
      const rows = await database.read.logInClient.findMany({ where: { projectId }, orderBy: { createdAt: 'asc' } })
      return rows.map((row) => {
        const { id: clientId, name, redirectUris, scopes, secretHash } = clientOf(row)
        const times = { createdAt: row.createdAt.toISOString(), removedAt: row.removedAt?.toISOString() ?? null }
        return { clientId, name, redirectUris, scopes, isConfidential: secretHash !== undefined, ...times }
      })
    },
    removeClient: async (clientId) => {
      const removedAt = new Date(clock.now())
      const where = { id: clientId, removedAt: null }
      const { count } = await ledger.commit({
        write: (tx) => tx.logInClient.updateMany({ where, data: { removedAt } }),
      })
      if (count === 1) return { clientId, removedAt: removedAt.toISOString() }
      throw new AdministrationRefusal(
        `There is no client ${clientId} that can be removed. "client list PROJECTID" shows the clients of a project.`,
      )
    },
  }
}

function check({ name: given, redirectUris, scopes: asked = 'user' }: NewClient) {
  const name = given.trim()
  // Characters that are invisible, or that change the direction of the text, could make one name look like another.
  if (name === '' || name.length > MAX_NAME || /\p{C}/u.test(name)) {
    throw new AdministrationRefusal(
      `A client needs a name of 1 to ${MAX_NAME} visible characters, which users see when they are asked for permission.`,
    )
  }
  if (redirectUris.length === 0 || redirectUris.length > MAX_REDIRECTS) {
    throw new AdministrationRefusal(
      `A client needs 1 to ${MAX_REDIRECTS} addresses to which users return. Example: --redirect https://game.example/callback`,
    )
  }
  for (const uri of redirectUris) {
    const fault = faultOfRedirectUri(uri)
    if (fault !== undefined) throw new AdministrationRefusal(`The redirect address "${uri}" ${fault}.`)
  }
  const scopes = readScopes(asked)
  if (scopes === undefined || scopes.length === 0) {
    throw new AdministrationRefusal(`--scope must be one or more of ${LOG_IN_SCOPES.join(',')}; it is "${asked}".`)
  }
  return { name, redirectUris: [...new Set(redirectUris)], scopes }
}
