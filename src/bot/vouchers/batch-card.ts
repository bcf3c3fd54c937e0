import { type APIButtonComponentWithCustomId, ButtonStyle, TimestampStyles, time } from 'discord.js'
import { msats } from '../../lib/money/amount.ts'
import type { VoucherBatchView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { button, type Message } from '../messages/message.ts'
import { colour, panel, small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { poolLines } from '../spending/from-pool.ts'

/** Shows a batch to its maker: how many codes are in each state, with buttons for files of the codes. */
export const batchRenderer = renderCard({
  load: (tipping, record) => tipping.voucherBatches.view(record),
  draw: drawBatch,
  // A thousand codes change one by one.
  restMs: 1_500,
})

/** The verbs of the buttons below a batch's card, in a `custom_id`. */
export const BATCH_CSV_VERB = 'batch-csv'
export const BATCH_PRINT_VERB = 'batch-print'
export const BATCH_END_VERB = 'batch-end'
export const BATCH_END_SURE_VERB = 'batch-end-sure'
export const BATCH_KEEP_VERB = 'batch-keep'

const MAX_DESCRIPTION_LENGTH = 300
const STATES = ['creating', 'unknown', 'live', 'redeemed', 'revoking', 'revoked', 'failed'] as const

export function drawBatch(batch: VoucherBatchView, t: Translator): Drawing {
  const { amount, count, codes, description, fee, state } = batch
  const redeemed = t('batch.redeemed', { redeemed: codes.redeemed, codes: count - codes.failed })
  const lines = [
    description === '' || description === batch.reason ? '' : `> ${quotable(description, MAX_DESCRIPTION_LENGTH)}`,
    ...poolLines(batch, t),
    `**${redeemed}**`,
    STATES.filter((each) => each !== 'redeemed' && codes[each] > 0)
      .map((each) => t('batch.inState', { state: t(`voucher.state.${each}`), codes: codes[each] }))
      .join(' · '),
    end(batch, t),
    state === 'open' && codes.live > 0 ? small(t('batch.keepSafe')) : '',
    codes.failed > 0 ? small(t('batch.failed', { count: codes.failed })) : '',
    fee > 0n ? small(t(state === 'closed' ? 'voucher.feeKept' : 'voucher.fee', { fee })) : '',
  ]
  const edge = codes.creating > 0 ? colour.inFlight : state === 'open' ? colour.satchel : colour.over
  const title = t('batch.title', { codes: count, amount })
  return { message: { embeds: [panel(edge, lines, { title })], buttons: buttonsOf(batch, t) } }
}

function end({ state, expiresAt, codes }: VoucherBatchView, t: Translator): string {
  if (state === 'closed') return t(codes.revoking + codes.unknown > 0 ? 'batch.closing' : 'batch.closed')
  if (expiresAt === undefined) return t('batch.endless')
  return t('batch.expires', { when: time(expiresAt, TimestampStyles.ShortDateTime) })
}

/** Draws the question whether to end the codes that people may still hold, which then stop working. */
export function drawBatchEnd(batch: VoucherBatchView, t: Translator): Message {
  const { id, amount, fee } = batch
  const left = unredeemed(batch)
  const lines = [
    t('batch.endQuestion', { left, amount: msats(amount * BigInt(left)) }),
    fee > 0n ? small(t('voucher.feeKept', { fee })) : '',
  ]
  return {
    embeds: [panel(colour.inFlight, lines, { title: t('batch.title', { codes: batch.count, amount }) })],
    buttons: [
      button(BATCH_END_SURE_VERB, id, t('batch.endButton'), { style: ButtonStyle.Primary }),
      button(BATCH_KEEP_VERB, id, t('batch.keepButton')),
    ],
  }
}

/** Returns whether any of a batch's codes can be taken back. */
export function mayEnd(batch: VoucherBatchView): boolean {
  return batch.state === 'open' && unredeemed(batch) > 0
}

/** Returns the number of codes that exist, or may exist, and that somebody may still redeem. */
function unredeemed({ codes: { creating, unknown, live } }: VoucherBatchView): number {
  return creating + unknown + live
}

function buttonsOf(batch: VoucherBatchView, t: Translator): APIButtonComponentWithCustomId[] {
  const { id, codes } = batch
  return [
    button(BATCH_CSV_VERB, id, t('batch.csvButton'), { emoji: '📄' }),
    ...(codes.live > 0 ? [button(BATCH_PRINT_VERB, id, t('batch.printButton'), { emoji: '🖨️' })] : []),
    ...(mayEnd(batch) ? [button(BATCH_END_VERB, id, t('batch.endButton'))] : []),
  ]
}
