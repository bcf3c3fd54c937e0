import { type Action, mustHave, WrongForm } from './action.ts'
import { type Console, MAX_NAME, SCOPES, type ServiceAdministration } from './console.ts'

const page = '/console/service'

/** Operators' actions at the bundled service, by the last part of the path to which the form is sent. */
export const SERVICE_ACTIONS: Readonly<Record<string, Action>> = {
  'project-create': {
    ...{ fresh: true, page },
    async run(parts, form, operator) {
      const name = mustHave(form, 'name')
      if (name.length > MAX_NAME) throw new WrongForm('refused.name')
      const { projectId, apiKey, callbackSecret } = await serviceOf(parts).createProject(name)
      await told(parts, operator, `made the project “${name}” of the payments service`)
      return {
        said: 'said.project-created',
        once: [
          ['service.projectId', projectId],
          ['service.apiKey', apiKey],
          ['service.callbackSecret', callbackSecret],
        ],
      }
    },
  },
  'key-create': {
    ...{ fresh: true, page },
    async run(parts, form, operator) {
      const project = notOwn(parts, mustHave(form, 'project'))
      const asked = form.getAll('scope')
      // The wallet may hold people's sats, so no single operator may get a key to it.
      if (asked.includes('send')) throw new WrongForm('refused.send')
      const scopes = SCOPES.filter((scope) => asked.includes(scope))
      if (scopes.length === 0) throw new WrongForm('refused.scopes')
      const days = readDays(form)
      const expiresAt = days === undefined ? {} : { expiresAt: new Date(parts.clock.now() + days * DAY_MS) }
      const apiKey = await serviceOf(parts).createKey(project, { scopes, ...expiresAt })
      await told(parts, operator, `made a key (${scopes.join(', ')}) for the project ${project}`)
      return { said: 'said.key-created', once: [['service.apiKey', apiKey]] }
    },
  },
  'key-revoke': {
    ...{ fresh: true, page },
    async run(parts, form, operator) {
      const [project, key] = [notOwn(parts, mustHave(form, 'project')), mustHave(form, 'key')]
      const service = serviceOf(parts)
      // The form names the project, but only the service knows it.
      const isTheirs = (await service.listKeys(project)).some(({ keyId }) => keyId === key)
      if (!isTheirs) throw new WrongForm('refused.key')
      await service.revokeKey(key)
      await told(parts, operator, `revoked the key ${key} of the project ${project}`)
      return 'said.key-revoked'
    },
  },
  'user-create': {
    ...{ fresh: true, page },
    async run(parts, form, operator) {
      const gamertag = mustHave(form, 'gamertag')
      const link = await serviceOf(parts).createUser(gamertag)
      await told(parts, operator, `made the user “${gamertag}” of the payments service`)
      return { said: 'said.user-created', once: [['service.link', link]] }
    },
  },
  'callback-redeliver': {
    ...{ fresh: false, page },
    async run(parts, form, operator) {
      const id = mustHave(form, 'callback')
      await serviceOf(parts).redeliver(id)
      await told(parts, operator, `had the callback ${id} delivered again`)
      return 'said.callback-redelivered'
    },
  },
}

const DAY_MS = 24 * 3_600_000
const MAX_DAYS = 3_650

function serviceOf({ atService }: Console): ServiceAdministration {
  const running = atService()
  if (running === undefined) throw new WrongForm('refused.elsewhere')
  return running
}

/**
 * Refuses the bot's own project. The bot pays members with that project's key, so no single operator may create or
 * revoke a key of that project.
 */
function notOwn(parts: Console, project: string): string {
  const { ownProject } = serviceOf(parts)
  if (ownProject === undefined) throw new WrongForm('refused.ownUnknown')
  if (project === ownProject) throw new WrongForm('refused.own')
  return project
}

/**
 * Reads the number of days for which a key is valid; undefined if it never expires. Throws WrongForm for any other
 * text.
 */
function readDays(form: URLSearchParams): number | undefined {
  const text = form.get('days')?.trim() ?? ''
  if (text === '') return undefined
  const days = Number(text)
  if (!/^\d{1,4}$/.test(text) || days < 1 || days > MAX_DAYS) throw new WrongForm('refused.days')
  return days
}

async function told({ administration }: Console, operator: string, did: string): Promise<void> {
  await administration().tellOfOperator({ operator, did })
}
