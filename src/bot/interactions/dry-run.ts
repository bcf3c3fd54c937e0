import type { Clock } from '../../lib/clock.ts'
import { type ForeseenTip, TippingRefusal } from '../../tipping/tipping.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import type { Acknowledgements } from './acknowledgements.ts'
import type { AnswerMode, Asking } from './command.ts'
import type { Handler } from './handlers.ts'

/** The findings of a dry run, for the acknowledgement. */
export interface Foreseen {
  readonly answer: AnswerMode
  /** The refusal that the command would cause. If there is one, the command does not start. */
  readonly refused?: TippingRefusal | CommandRefusal
  /** The tip as it would be given. */
  readonly tip?: ForeseenTip | undefined
}

/** The longest time that a dry run may take before an acknowledgement. */
const MAX_DRY_RUN_MS = 500

interface ToDryRun {
  readonly handler: Handler
  readonly asking: Asking
  /** Whether sats wait for the member. If so, the command would claim these sats first. */
  readonly waiting: Promise<boolean>
}

/**
 * Tries a public command in a dry run first, because the acknowledgement fixes who sees the answer. A refusal or a
 * question is then private from the start, and leaves no public trace. If many commands arrive at once, there is no
 * time for a dry run.
 */
export async function dryRun(command: ToDryRun, acknowledgements: Acknowledgements, clock: Clock): Promise<Foreseen> {
  const { answer, dryRun } = command.handler
  if (!dryRun || answer !== 'public') return { answer }
  return (await acknowledgements.beforehand(() => run(command, clock))) ?? { answer }
}

async function run({ handler, asking, waiting }: ToDryRun, clock: Clock): Promise<Foreseen> {
  const { answer } = handler
  const late = Promise.withResolvers<'goes'>()
  const cancel = clock.after(MAX_DRY_RUN_MS, () => late.resolve('goes'))
  let tip: ForeseenTip | undefined
  const attempt = waiting.then((waits) =>
    asking.tipping.dryRun(
      (tipping) => handler.run({ ...asking, tipping }),
      waits ? asking.member : undefined,
      (foreseen) => {
        tip = foreseen
      },
    ),
  )
  // Ignore a dry run that outlasts the limit.
  attempt.catch(() => undefined)
  try {
    return (await Promise.race([attempt, late.promise])) === 'asks' ? { answer: 'private' } : { answer, tip }
  } catch (error) {
    if (error instanceof TippingRefusal || error instanceof CommandRefusal) return { answer: 'private', refused: error }
    return { answer }
  } finally {
    cancel()
  }
}
