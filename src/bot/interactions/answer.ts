import { replyToken } from '../transport/reply-token.ts'
import type { Acknowledgements } from './acknowledgements.ts'
import type { Answerable } from './answerable.ts'
import { askingOf } from './asking.ts'
import { type Begun, beginAnswer, endAnnouncement } from './begin-answer.ts'
import { claimWaiting, hasUnclaimed, LINK_COMMAND } from './claim-waiting.ts'
import type { Asking } from './command.ts'
import { dryRun, type Foreseen } from './dry-run.ts'
import { explain, give } from './give-answer.ts'
import { isGuest } from './guest.ts'
import type { Handler } from './handlers.ts'
import type { RouterOptions } from './router-options.ts'

/**
 * Answers an interaction from start to end: a dry run determines who sees the answer, Discord receives the
 * acknowledgement, the command runs, and earlier events are reported below the answer. A command waits for other
 * commands only after its acknowledgement, and no sats move before the acknowledgement.
 */
export async function answer(
  interaction: Answerable,
  finding: Promise<Handler>,
  acknowledgements: Acknowledgements,
  options: RouterOptions,
): Promise<void> {
  const { clock } = options
  const startedMs = clock.monotonic()
  const handler = await finding
  const log = options.log.child({ interaction: interaction.id, command: handler.name })
  const reply = replyToken(interaction, clock.now(), isGuest(interaction))
  const named = new Set<string>()
  const asking = askingOf(interaction, { reply, log, named }, options)
  // Read at once, but awaited only if there is time: when many commands arrive together, no acknowledgement waits for
  // it.
  const waiting = hasUnclaimed(asking, handler.name)
  const foreseen = await dryRun({ handler, asking, waiting }, acknowledgements, clock)
  const begun = await beginAnswer({ interaction, handler, asking, reply, named }, foreseen, acknowledgements, options)
  if (begun === undefined) return
  await acknowledgements.drained()
  const command = { handler, asking, foreseen, begun, waits: await waiting, linksFirst: handler.name === LINK_COMMAND }
  const claimed = await carryOut(command, options)
  await tellWhatWas(command, claimed, options)
  log.debug({ ms: Math.round(clock.monotonic() - startedMs) }, 'answered')
}

/** A command after its acknowledgement. */
interface CommandUnderWay {
  readonly handler: Handler
  readonly asking: Asking
  readonly foreseen: Foreseen
  readonly begun: Begun
  /** Whether sats wait for the member. */
  readonly waits: boolean
  /**
   * Whether the waiting sats are claimed only after the command, because the command links the wallet to which these
   * sats then go.
   */
  readonly linksFirst: boolean
}

/**
 * Runs the command and shows its answer. Reports errors privately. Resolves to the card of the sats that were claimed
 * before the command; undefined if none were.
 */
async function carryOut(
  { handler, asking, foreseen, begun, waits, linksFirst }: CommandUnderWay,
  options: Pick<RouterOptions, 'board' | 'messenger'>,
): Promise<string | undefined> {
  const { t, log, caller } = asking
  const { answer } = foreseen
  const { reply, acknowledged, announcement } = begun
  let claimed: string | undefined
  try {
    if (waits && !linksFirst) claimed = await claimWaiting(asking)
    const refused = begun.refused ?? foreseen.refused
    if (refused !== undefined) throw refused
    await give(await handler.run(asking), { answer, reply, acknowledged, t }, options)
    await endAnnouncement(announcement, asking)
  } catch (error) {
    const explaining = { reply, answer, t, log, again: handler.again, caller }
    if (await explain(error, explaining, options)) await endAnnouncement(announcement, asking)
  }
  return claimed
}

/** Shows below the answer what was claimed with the command, and earlier messages that could not be delivered. */
async function tellWhatWas(
  { asking, begun: { reply, release }, waits, linksFirst }: CommandUnderWay,
  claimedBefore: string | undefined,
  { board }: Pick<RouterOptions, 'board'>,
): Promise<void> {
  const { member, t, log } = asking
  try {
    const claimed = waits && linksFirst ? await claimWaiting(asking) : claimedBefore
    if (claimed !== undefined) await board.tell(claimed, reply, t)
    release()
    await board.tellUntold(member, reply, t)
  } catch (error) {
    log.warn({ err: error }, 'earlier events could not be shown; the next command will show them')
    release()
  }
}
