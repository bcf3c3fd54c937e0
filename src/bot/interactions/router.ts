import type { Interaction } from 'discord.js'
import type { Logger } from '../../lib/logger.ts'
import { NewestNames } from '../../lib/newest-names.ts'
import { createAcknowledgements } from './acknowledgements.ts'
import { answer } from './answer.ts'
import { createForms } from './forms.ts'
import { createHandlers } from './handlers.ts'
import type { RouterOptions } from './router-options.ts'
import { createSuggestions } from './suggestions.ts'

/** The only entrance for everything that people do at Discord. */
export interface Router {
  /** Handles an interaction. Never throws. */
  handle(interaction: Interaction): Promise<void>
  /** Resolves when every started command has been answered. */
  settled(): Promise<void>
}

/** The number of latest interactions that are remembered, in case Discord delivers an interaction again. */
const MAX_ANSWERED = 5_000

export function createRouter(options: RouterOptions): Router {
  const handlerOf = createHandlers(options)
  const forms = createForms(options)
  const suggest = createSuggestions(options)
  const running = new Map<string, Promise<void>>()
  const answered = new NewestNames<true>(MAX_ANSWERED)
  const acknowledgements = createAcknowledgements(options.clock)

  function begin(interaction: Interaction): Promise<void> | undefined {
    if (interaction.isAutocomplete()) return suggest(interaction)
    if (interaction.isContextMenuCommand()) return forms.ofMenu(interaction)
    if (!interaction.isChatInputCommand() && !interaction.isMessageComponent() && !interaction.isModalSubmit()) {
      return undefined
    }
    const form = interaction.isModalSubmit() ? undefined : forms.of(interaction)
    if (form !== undefined) return form
    return answer(interaction, handlerOf(interaction), acknowledgements, options)
  }

  return {
    async handle(interaction) {
      // Discord may deliver an interaction again when a connection is resumed.
      if (running.has(interaction.id) || answered.get(interaction.id)) return
      const answering = attempt(
        () => acknowledgements.heard().then(() => begin(interaction)),
        options.log.child({ interaction: interaction.id }),
      )
      running.set(interaction.id, answering)
      await answering.finally(() => running.delete(interaction.id))
      answered.set(interaction.id, true)
    },
    async settled() {
      await Promise.all(running.values())
    },
  }
}

/**
 * Begins to handle an interaction and logs any error, so that an interaction of an undocumented form does not end the
 * process.
 */
async function attempt(begin: () => Promise<void> | undefined, log: Logger): Promise<void> {
  try {
    await begin()
  } catch (error) {
    log.error({ err: error }, 'an interaction could not be read')
  }
}
