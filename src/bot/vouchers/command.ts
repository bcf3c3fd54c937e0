import { TimestampStyles, time } from 'discord.js'
import type { DropView, Tipping, VoucherBatchView, VoucherView } from '../../tipping/tipping.ts'
import { suggestSendable } from '../amounts/suggestions.ts'
import { sayClosed } from '../drops/buttons.ts'
import { drawOwnDrop } from '../drops/card.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Call, Command, Options, Suggestion, Typing } from '../interactions/command.ts'
import { colour, mention, panel, relative } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { FROM_POOL, poolToPay } from '../spending/from-pool.ts'
import { drawBatchEnd, mayEnd } from './batch-card.ts'
import { cardHere } from './card-here.ts'

const MAX_LISTED = 15
const MAX_SUGGESTED = 25

const createOptions = {
  amount: { kind: 'text', required: true, longest: 40, suggest: suggestSendable },
  description: { kind: 'text', longest: 200 },
  for: { kind: 'member' },
  ...FROM_POOL,
} as const satisfies Options

export const voucherCreate = {
  name: 'voucher create',
  answer: 'private',
  where: 'anywhere',
  options: createOptions,
  async run({ member, guild, caller, origin, options, tipping, t }: Call<typeof createOptions>) {
    const { amount, description, for: recipient } = options
    const pool = await poolToPay({ guild, caller }, options)
    const { accountSince } = caller
    const command = { member, amount, description, recipient, accountSince, origin }
    if (pool === undefined) return { card: (await tipping.vouchers.create(command)).card }
    const made = await tipping.vouchers.createFromPool({ ...command, pool })
    // The question to a second moderator is public, but this answer is not.
    return 'reward' in made ? { say: { content: t('reward.asked') } } : { card: made.card }
  },
} satisfies Command<typeof createOptions>

const redeemOptions = { code: { kind: 'text', required: true, longest: 100 } } as const satisfies Options

export const voucherRedeem = {
  name: 'voucher redeem',
  answer: 'private',
  where: 'anywhere',
  options: redeemOptions,
  async run({ member, caller: { accountSince }, origin, options: { code }, tipping }: Call<typeof redeemOptions>) {
    const { card } = await tipping.vouchers.redeem({ member, code, accountSince, origin })
    return { card }
  },
} satisfies Command<typeof redeemOptions>

const statusOptions = {
  voucher: {
    kind: 'text',
    required: true,
    suggest: (typing) =>
      suggest(
        typing,
        () => true,
        () => true,
      ),
  },
} as const satisfies Options

export const voucherStatus = {
  name: 'voucher status',
  answer: 'private',
  where: 'anywhere',
  options: statusOptions,
  async run({ member, origin, options: { voucher }, tipping, t }: Call<typeof statusOptions>) {
    if (await isMyDrop(voucher, member, tipping))
      return { say: await drawOwnDrop(await tipping.drops.view(voucher), t) }
    const batch = await myBatch(voucher, member, tipping)
    return await cardHere(batch ?? (await tipping.vouchers.status({ member, voucher })), { origin, tipping })
  },
} satisfies Command<typeof statusOptions>

const revokeOptions = {
  voucher: {
    kind: 'text',
    required: true,
    suggest: (typing) => suggest(typing, ({ state }) => state === 'live', isOpen),
  },
} as const satisfies Options

export const voucherRevoke = {
  name: 'voucher revoke',
  answer: 'private',
  where: 'anywhere',
  options: revokeOptions,
  async run({ member, origin, options: { voucher }, tipping, t }: Call<typeof revokeOptions>) {
    if (await isMyDrop(voucher, member, tipping)) {
      return sayClosed(await tipping.drops.close({ drop: voucher, member, moderator: false, origin }), t)
    }
    const batch = await myBatch(voucher, member, tipping)
    if (batch !== undefined && mayEnd(batch)) return { say: drawBatchEnd(batch, t) }
    return await cardHere(batch ?? (await tipping.vouchers.revoke({ member, voucher, origin })), { origin, tipping })
  },
} satisfies Command<typeof revokeOptions>

export const voucherList = {
  name: 'voucher list',
  answer: 'private',
  where: 'anywhere',
  options: {},
  async run({ member, tipping, t }: Call) {
    const vouchers = await tipping.vouchers.mine(member, MAX_LISTED)
    const drops = await tipping.drops.mine(member, MAX_LISTED)
    const batches = await tipping.voucherBatches.mine(member, MAX_LISTED)
    if (vouchers.length + drops.length + batches.length === 0) {
      throw new CommandRefusal(
        tipping.vouchers.offered ? 'commandRefusals.no-vouchers' : 'commandRefusals.vouchers-not-offered',
      )
    }
    const lines = [
      ...drops.map((drop) => `• ${describeDrop(drop, t, relative(drop.closesAt))}`),
      ...batches.map((batch) => `• ${describeBatch(batch, t)}`),
      ...vouchers.map(
        (voucher) =>
          `• ${describe(voucher, t, time(voucher.createdAt, TimestampStyles.ShortDateTime))}${voucher.recipient === undefined ? '' : ` · ${mention(voucher.recipient)}`}`,
      ),
    ]
    return { say: { embeds: [panel(colour.satchel, lines, { title: t('voucher.listTitle') })] } }
  },
} satisfies Command

async function suggest(
  { member, tipping, t, typed, at }: Typing,
  fits: (voucher: VoucherView) => boolean,
  fitsBatch: (batch: VoucherBatchView) => boolean,
): Promise<Suggestion[]> {
  const drops = await tipping.drops.mine(member, MAX_SUGGESTED)
  const batches = (await tipping.voucherBatches.mine(member, MAX_SUGGESTED)).filter(fitsBatch)
  const vouchers = (await tipping.vouchers.mine(member, MAX_SUGGESTED)).filter(fits)
  return [
    ...drops.map((drop) => ({ name: describeDrop(drop, t, t.fromNow(drop.closesAt, at)), value: drop.id })),
    ...batches.map((batch) => ({ name: describeBatch(batch, t), value: batch.id })),
    ...vouchers.map((voucher) => ({ name: describe(voucher, t, t.fromNow(voucher.createdAt, at)), value: voucher.id })),
  ].filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase()))
}

/** Whether an id from the list is that of one of the member's drops, which are listed together with vouchers. */
async function isMyDrop(id: string, member: string, { drops }: Tipping): Promise<boolean> {
  return (await drops.mine(member, MAX_SUGGESTED)).some((drop) => drop.id === id)
}

const isOpen = ({ state }: VoucherBatchView) => state === 'open'

/** Returns the batch with this id; undefined if it is not among the member's newest. */
async function myBatch(id: string, member: string, { voucherBatches }: Tipping): Promise<VoucherBatchView | undefined> {
  return (await voucherBatches.mine(member, MAX_SUGGESTED)).find((batch) => batch.id === id)
}

/** Describes a batch in a line, with the number of its redeemed codes. */
function describeBatch({ amount, count, codes, description }: VoucherBatchView, t: Translator): string {
  const redeemed = t('batch.redeemed', { redeemed: codes.redeemed, codes: count - codes.failed })
  return [t('batch.title', { codes: count, amount }), redeemed, quotable(description, 40)]
    .filter((part) => part !== '')
    .join(' · ')
}

/**
 * Describes a drop in a line. `until`: the drop's end, in a form that suits the place, because only a message shows a
 * relative time that stays correct.
 */
function describeDrop({ share, shares, claimed }: DropView, t: Translator, until: string): string {
  return t('drop.name', { share, claimed, shares, until })
}

/**
 * Describes a voucher in a line, with the time of its creation in a form that suits the place. Omits the voucher's
 * code, which must not be shown in passing.
 */
function describe({ amount, state, description }: VoucherView, t: Translator, made: string): string {
  const what = [t.amount(amount), t(`voucher.state.${state}`), made]
  return [...what, quotable(description, 40)].filter((part) => part !== '').join(' · ')
}
