import type { Part, PlaygroundWorld } from '../world.ts'

/** The part of a world that the page shows. */
export type PageWorld = Pick<
  PlaygroundWorld,
  'emulator' | 'custody' | 'cast' | 'phone' | 'ownWallets' | 'books' | 'waiting' | 'wire'
> & {
  readonly bot: Part
  readonly service: Part & Pick<PlaygroundWorld['service'], 'walletLink'>
}
