import type { AutocompleteInteraction } from 'discord.js'
import { cut } from '../messages/panel.ts'
import { guildOf } from './guest.ts'
import { commandNameOf } from './handlers.ts'
import { isOperator, localeOf, memberContextOf } from './member-context.ts'
import type { RouterOptions } from './router-options.ts'

const MAX_SUGGESTIONS = 25
const MAX_LENGTH = 100

/**
 * Creates the function that sends suggestions to somebody who types into an option. If an error occurs, the function
 * logs it and suggests nothing.
 */
export function createSuggestions(
  options: Pick<RouterOptions, 'commands' | 'tipping' | 'translatorFor' | 'homeGuildId' | 'clock' | 'log'>,
): (interaction: AutocompleteInteraction) => Promise<void> {
  const { commands, tipping, translatorFor, homeGuildId, clock, log } = options
  return async (interaction) => {
    const { name, value } = interaction.options.getFocused(true)
    const command = commands.find((each) => each.name === commandNameOf(interaction))
    const guild = guildOf(interaction)
    const caller = memberContextOf(interaction, tipping)
    const closed = command?.where === 'home' && !isOperator({ caller, guild }, homeGuildId)
    const option = closed ? undefined : command?.options[name]
    try {
      const suggest = option?.kind === 'text' ? option.suggest : undefined
      const found = await suggest?.({
        member: interaction.user.id,
        caller,
        guild,
        t: translatorFor(localeOf(interaction, tipping)),
        tipping,
        typed: String(value),
        at: new Date(clock.now()),
      })
      const choices = (found ?? [])
        .slice(0, MAX_SUGGESTIONS)
        .map((one) => ({ name: cut(one.name, MAX_LENGTH), value: one.value }))
      await interaction.respond(choices)
    } catch (error) {
      log.warn({ err: error, interaction: interaction.id, option: name }, 'nothing could be suggested')
    }
  }
}
