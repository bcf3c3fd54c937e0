import type { TippingContext } from '../engine/tipping-context.ts'
import { askToRain, letItRain, letItRainFromPool } from './let-it-rain.ts'
import type { Presence } from './presence.ts'
import type { Rain } from './rain.ts'

export function bindRain(context: TippingContext, presence: Presence): Rain {
  return {
    heard: (guild, member, by) => presence.heard(guild, member, by),
    fall: (command) => letItRain(context, presence, command),
    ask: (command) => askToRain(context, presence, command),
    fallFromPool: (command) => letItRainFromPool(context, presence, command),
  }
}
