import { markRestored } from '../../src/tipping/audit/restored.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'
import type { StatusView } from '../../src/tipping/tipping.ts'
import { goOn } from '../people/administration.ts'
import type { Stage } from '../people/people.ts'
import type { Complaint } from '../world/watchful-log.ts'
import type { Fault } from './fault.ts'

const LOOK_EVERY_MS = 60_000

/**
 * The bot stops, and its book is replaced by a backup of that moment, for example on another machine, while payers and
 * the provider continue. An older backup would contradict what people were told, which no book can mend. This fault
 * proves that a restored book sends nothing before it is proven, sends nothing twice, and continues in the end.
 */
export const restoredBook: Fault = {
  name: 'a book that is restored',
  async strike({ world, chance, stage, later, happened }) {
    const { bot, provider, trace, timeline } = world
    // A restored book could repeat an operation whose end it does not know.
    provider.loseAnswers(chance.between(1, 3))
    await stage.pause(20_000)
    bot.held = true
    bot.kill()
    await world.passing(chance.between(1, 30) * 60_000)
    await bot.closeFiles()
    // By default, an operator must also agree before anything leaves.
    const paused = chance.happens(0.5)
    const database = await openTippingDatabase(world.botUrl)
    try {
      const madeAt = new Date(timeline.now()).toISOString()
      await markRestored(database, { madeAt, now: new Date(timeline.now()), paused })
    } finally {
      await database.close()
    }
    // Nothing leaves until the bot has proven its book. Only the bot knows when that is.
    const { judge } = world
    const proven = judge.pauses.restored(judge.now(), judge.now())
    if (paused) {
      // The end of the operators' own pause is also known.
      judge.pauses.said('pause', judge.now())(judge.now())
      later(chance.between(5, 60), () => goOn(stage))
    }
    judge.wire.restored()
    trace.note(`the book is restored${paused ? ', and waits for an operator' : ''}`)
    // The wallet cannot be read for a while, so nothing may leave until it can.
    provider.tellsWallet = false
    bot.held = false
    happened()
    void world.passing(chance.between(1, 10) * 60_000).then(() => {
      provider.tellsWallet = true
    })
    untilProven(stage).then(
      () => proven(judge.now()),
      (error: unknown) => void world.bugs.push(`operators look at a restored book: ${error}`),
    )
  },
  excuses: { bot: saysRestored },
}

interface StatusAnswer extends Pick<StatusView, 'paused'> {
  readonly id?: string
}

/** Waits until the book is proven, which it is once nothing, or only the operators' pause, stops payments. */
async function untilProven(stage: Stage): Promise<void> {
  for (;;) {
    await stage.world.passing(LOOK_EVERY_MS)
    const seen = await stage.insist<StatusAnswer>(
      'operators look at a restored book',
      async ({ administration }) => ({ paused: (await administration.status()).paused }),
      'once',
    )
    if ('done' in seen && (seen.done.paused?.source ?? 'operator') === 'operator') return
  }
}

/** Whether a complaint tells operators that nothing leaves, and why. */
function saysRestored({ alert }: Complaint): boolean {
  return alert === 'restored'
}
