import type { DiscordConfig } from '../config/config.ts'
import type { Logger } from '../lib/logger.ts'

/** Warns if the operators have no server, so that there is no /admin, or no channel, so that alerts are only logged. */
export function warnOfNoOperators(
  { homeGuildId, operatorsChannelId }: Pick<DiscordConfig, 'homeGuildId' | 'operatorsChannelId'>,
  logger: Logger,
): void {
  if (homeGuildId === undefined) {
    logger.warn(
      'HOME_GUILD_ID and OPERATORS_CHANNEL_ID are not set, so there is no /admin on Discord, and alerts are in this log alone. ' +
        'Set them to your own server and a channel in it: npm run setup asks for both',
    )
  } else if (operatorsChannelId === undefined) {
    logger.warn(
      'OPERATORS_CHANNEL_ID is not set, so alerts are in this log alone. Set it to a channel of the operators’ server',
    )
  }
}
