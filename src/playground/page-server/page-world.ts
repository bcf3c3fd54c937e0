import type { Part, World } from '../world.ts'

/** As much of a world as the page shows. */
export type PageWorld = Pick<World, 'emulator' | 'cast' | 'phone' | 'books' | 'waiting' | 'wire'> & {
  readonly bot: Part
  readonly service: Part
}
