import type { Key, Translator } from '../i18n/translator.ts'
import { CommandRefusal } from './command-refusal.ts'

/**
 * Creates the refusal of an option that would change nothing in combination with the others. A person who sets an
 * option expects it to have an effect.
 */
export function optionUnused(name: Extract<Key, `commands.${string}.name`>, t: Translator): CommandRefusal {
  return new CommandRefusal('commandRefusals.option-unused', { option: t(name) })
}
