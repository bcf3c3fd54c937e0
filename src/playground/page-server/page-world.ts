import type { Tipping } from '../../tipping/tipping.ts'
import type { Part, PlaygroundWorld } from '../world.ts'

type Languages = Pick<Tipping['preferences'], 'languageOf'>

/** The part of a world that the page shows. */
export type PageWorld = Pick<
  PlaygroundWorld,
  'emulator' | 'custody' | 'cast' | 'phone' | 'ownWallets' | 'books' | 'waiting' | 'wire'
> & {
  /**
   * The bot, with the languages that people have chosen in its settings. `tipping` throws while the bot is not running.
   */
  readonly bot: Part & { readonly tipping: { readonly preferences: Languages } }
  readonly service: Part & Pick<PlaygroundWorld['service'], 'walletLink'>
}
