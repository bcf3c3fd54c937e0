import type { TippingContext } from '../context.ts'
import { askToRain, letItRain } from './let-it-rain.ts'
import type { Rain } from './rain.ts'

/** The rain's API. */
export function createRain(context: TippingContext): Rain {
  const { presence } = context
  return {
    heard: (guild, member) => presence.heard(guild, member),
    fall: (command) => letItRain(context, presence, command),
    ask: (command) => askToRain(context, presence, command),
  }
}
