import type { REST } from '@discordjs/rest'
import {
  type APIApplication,
  ApplicationIntegrationType,
  OAuth2Scopes,
  type RESTPatchCurrentApplicationJSONBody,
  Routes,
} from 'discord.js'
import type { Logger } from '../../lib/logger.ts'
import { PERMISSIONS, SCOPES } from './invitation.ts'

const { GuildInstall, UserInstall } = ApplicationIntegrationType

/**
 * The application's tags: at most five, of at most twenty characters each.
 * https://docs.discord.com/developers/resources/application#edit-current-application
 */
const TAGS = ['bitcoin', 'lightning', 'tips', 'giveaways', 'wallet']

/** The owner's wishes for the application's installation. */
export interface InstallationRequest {
  /**
   * Whether people may install the application for themselves. Undefined leaves the developer portal's setting
   * unchanged.
   */
  readonly userInstall: boolean | undefined
}

type Config = NonNullable<APIApplication['integration_types_config']>

/**
 * Returns the changes after which Discord's "Add App" button adds the bot together with its commands, and people can
 * install the application for themselves only if that is permitted; undefined if nothing has to change.
 * https://docs.discord.com/developers/resources/application#install-links
 */
export function changesOf(
  application: Pick<APIApplication, 'integration_types_config' | 'tags'>,
  { userInstall }: InstallationRequest,
): RESTPatchCurrentApplicationJSONBody | undefined {
  const { integration_types_config: config = {}, tags = [] } = application
  const forPeople = config[UserInstall] ?? {
    oauth2_install_params: { scopes: [OAuth2Scopes.ApplicationsCommands], permissions: '0' },
  }
  const allows = userInstall ?? config[UserInstall] !== undefined
  const wanted: Config = {
    [GuildInstall]: {
      oauth2_install_params: { scopes: SCOPES as OAuth2Scopes[], permissions: PERMISSIONS.toString() as `${bigint}` },
    },
    ...(allows && { [UserInstall]: forPeople }),
  }
  const isInstalledSo = bringsBot(config) && allows === (config[UserInstall] !== undefined)
  const changes = {
    ...(!isInstalledSo && { integration_types_config: wanted }),
    ...(tags.length === 0 && { tags: TAGS }),
  }
  return Object.keys(changes).length === 0 ? undefined : (changes as RESTPatchCurrentApplicationJSONBody)
}

/** Whether a server that adds the application also gets the bot, with every permission that the bot needs. */
function bringsBot(config: Config): boolean {
  const params = config[GuildInstall]?.oauth2_install_params
  const scopes: readonly string[] = params?.scopes ?? []
  return (
    SCOPES.every((scope) => scopes.includes(scope)) && (BigInt(params?.permissions ?? 0) & PERMISSIONS) === PERMISSIONS
  )
}

/**
 * Corrects the application's settings, and logs who can install the application. If Discord refuses the changes, logs
 * what the owner must do. Resolves to the application with the resulting settings.
 */
export async function configure(
  rest: REST,
  application: APIApplication,
  requested: InstallationRequest,
  log: Logger,
): Promise<APIApplication> {
  const changes = changesOf(application, requested)
  const now = changes === undefined ? application : await change(rest, application, changes, log)
  const userInstall = now.integration_types_config?.[UserInstall] !== undefined
  log.info({ userInstall }, userInstall ? 'servers and people can install the bot' : 'only servers can install the bot')
  return now
}

const EVENTS = ['APPLICATION_AUTHORIZED', 'APPLICATION_DEAUTHORIZED']
const ENABLED = 2

interface Subscribed {
  readonly event_webhooks_url?: string | null
  readonly event_webhooks_status?: number
  readonly event_webhooks_types?: readonly string[]
}

/**
 * Makes Discord report to this address who installs or removes the application. Discord tests the address at once.
 * https://docs.discord.com/developers/resources/application#edit-current-application
 */
export async function subscribe(rest: REST, application: APIApplication, url: string, log: Logger): Promise<void> {
  const now = application as Subscribed
  const has = EVENTS.every((event) => now.event_webhooks_types?.includes(event))
  if (now.event_webhooks_url === url && now.event_webhooks_status === ENABLED && has) return
  const types = [...new Set([...(now.event_webhooks_types ?? []), ...EVENTS])]
  const body = { event_webhooks_url: url, event_webhooks_status: ENABLED, event_webhooks_types: types }
  try {
    await rest.patch(Routes.currentApplication(), { body })
    log.info({ url }, 'Discord reports who installs the bot')
  } catch (error) {
    log.warn(
      { err: error, url },
      'Discord does not report who installs the bot, because it could not reach this address. Compare CALLBACK_PUBLIC_URL with what your reverse proxy serves; the next start tries again.',
    )
  }
}

async function change(
  rest: REST,
  application: APIApplication,
  body: RESTPatchCurrentApplicationJSONBody,
  log: Logger,
): Promise<APIApplication> {
  try {
    const changed = (await rest.patch(Routes.currentApplication(), { body })) as APIApplication
    log.info({ changed: Object.keys(body) }, "the application's settings at Discord were completed")
    return changed
  } catch (error) {
    log.warn(
      { err: error },
      'Discord\'s "Add App" button adds the commands without the bot, and Discord did not let that be changed. In the developer portal, on the page Installation, give Guild Install the scopes bot and applications.commands with the permissions View Channels, Send Messages, Send Messages in Threads, Embed Links, Attach Files and Read Message History.',
    )
    return application
  }
}
