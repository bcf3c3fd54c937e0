import { Problem } from '../lib/problem.ts'
import { type Administration, AdministrationRefusal } from '../payments-service/administration/administration.ts'
import { ServiceRefusal } from '../payments-service/core/service-refusal.ts'
import { signInLink } from '../payments-service/users/sign-in-token.ts'
import type { ServiceAdministration } from '../web/web-server.ts'

export interface OperatedService {
  readonly administration: Administration
  /** The id of the bot's own project. */
  readonly ownProject: string | undefined
  /** The address at which browsers reach the wallet page. */
  readonly publicUrl: string
}

/**
 * Returns what the console can do with the service in this process: a part of what `satchel admin` can do. Refusals are
 * thrown as Problems.
 */
export function operateService({ administration, ownProject, publicUrl }: OperatedService): ServiceAdministration {
  return {
    ownProject,
    listProjects: (after) => inWords(administration.listProjects(after)),
    async createProject(name) {
      const { projectId, apiKey, callbackSecret } = await inWords(administration.createProject(name))
      return { projectId, apiKey, callbackSecret }
    },
    listKeys: (projectId) => inWords(administration.listKeys(projectId)),
    createKey: async (projectId, options) => (await inWords(administration.createKey(projectId, options))).apiKey,
    revokeKey: async (keyId) => void (await inWords(administration.revokeKey(keyId))),
    listUsers: (after) => inWords(administration.listUsers(after)),
    createUser: async (gamertag) =>
      signInLink({ publicUrl }, (await inWords(administration.createUser(gamertag))).token),
    listCallbacks: () => inWords(administration.listCallbacks()),
    redeliver: async (messageId) => void (await inWords(administration.redeliverCallbacks(messageId))),
  }
}

/** Rethrows a refusal as a Problem for people, without the terminal commands that its message may contain. */
async function inWords<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result
  } catch (error) {
    if (error instanceof AdministrationRefusal || error instanceof ServiceRefusal)
      throw new Problem(error.message.replace(/\. "[^"]+".*$/, '.'), { cause: error })
    throw error
  }
}
