import { z } from 'zod'
import type { Logger } from '../../lib/logger.ts'
import type { Tipping } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { colour, panel } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import type { Messenger } from '../transport/messenger.ts'

const id = z.string().regex(/^\d{1,20}$/)
/**
 * The event that somebody has installed the application.
 * https://docs.discord.com/developers/events/webhook-events#application-authorized
 */
const AUTHORIZED = z.object({
  type: z.literal('APPLICATION_AUTHORIZED'),
  data: z.object({
    /**
     * The place of the installation: 0 for a server, 1 for the person. Missing if somebody only identifies themselves,
     * without installing anything.
     */
    integration_type: z.union([z.literal(0), z.literal(1)]).optional(),
    user: z.object({ id, locale: z.string().optional() }),
    guild: z
      .object({
        id,
        name: z.string(),
        preferred_locale: z.string().optional(),
        features: z.array(z.string()).optional(),
      })
      .optional(),
  }),
})
/**
 * The event that somebody has removed the application.
 * https://docs.discord.com/developers/events/webhook-events#application-deauthorized
 */
const DEAUTHORIZED = z.object({
  type: z.literal('APPLICATION_DEAUTHORIZED'),
  data: z.object({ user: z.object({ id }) }),
})
const EVENT = z.union([AUTHORIZED, DEAUTHORIZED])

interface InstallOptions {
  readonly messenger: Pick<Messenger, 'privateChannel' | 'post'>
  readonly tipping: Pick<Tipping, 'preferences'>
  readonly translatorFor: (locale: string) => Translator
  readonly log: Logger
}

/**
 * Welcomes people who install the bot, and logs who removes it. Ignores other events. Never rejects, because no caller
 * handles errors.
 */
export async function hearInstallation(told: unknown, options: InstallOptions): Promise<void> {
  const { success, data: event } = EVENT.safeParse(told)
  if (!success) return
  const { log } = options
  if (event.type === 'APPLICATION_DEAUTHORIZED') {
    log.info({ user: event.data.user.id }, 'somebody has removed the bot, from a server or for themselves')
    return
  }
  const { integration_type: kind, guild, user } = event.data
  if (kind === undefined) return
  log.info(
    { user: user.id, guild: guild?.id },
    kind === 0 ? 'a server has added the bot' : 'a person has installed the bot',
  )
  try {
    await welcome(event.data, options)
  } catch (error) {
    log.info({ err: error, user: user.id }, 'the person who installed the bot takes no private messages')
  }
}

async function welcome(
  { user, guild }: z.output<typeof AUTHORIZED>['data'],
  { messenger, tipping, translatorFor }: InstallOptions,
): Promise<void> {
  // Discord gives a server that is not a Community the language English, whatever its members speak.
  const ofServer = guild?.features?.includes('COMMUNITY') ? guild.preferred_locale : undefined
  const t = translatorFor(tipping.preferences.languageOf(user.id) ?? user.locale ?? ofServer ?? 'en')
  const text = guild === undefined ? t('install.person') : t('install.server', { server: quotable(guild.name, 100) })
  const channel = await messenger.privateChannel(user.id)
  await messenger.post(channel, { embeds: [panel(colour.satchel, text)] })
}
