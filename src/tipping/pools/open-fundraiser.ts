import { token } from '../../lib/entropy.ts'
import { ceilDivide, formatSats, type Msats } from '../../lib/money/amount.ts'
import { commitDurably } from '../core/commit-end.ts'
import { type CoreContext, now } from '../core/context.ts'
import { refusalOf } from '../core/provider-refusal.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { atPresentProvider } from '../engine/alerts/present-provider.ts'
import { createFixedCharge, failToCreate, smallestCharge } from '../engine/incoming/create-charge.ts'
import { mustAcceptDeposits } from '../engine/incoming/deposits-open.ts'
import { ensureOpened } from '../engine/incoming/opening-balance.ts'
import type { StaticCharge } from '../engine/incoming/read-charge.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { operationValues } from '../engine/once-only/once-only.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { FundraiserView, PoolCommand } from './pools.ts'
import { readFundraiserView } from './view-pool.ts'

/** The most open fundraisers of one server. Charges that only one person sees are counted separately. */
const MAX_OPEN = 5
/** The most payments to a fundraiser, which the database enforces, too. */
const MAX_PAYMENTS = 10_000

type Command = PoolCommand & { readonly goal?: string }

interface Plan {
  readonly id: string
  readonly card: string
  readonly key: string
  readonly digest: string
  readonly amount: Msats
  readonly goal: Msats
  readonly slots: number
  /** Whether everybody sees the fundraiser. */
  readonly isPublic: boolean
}

/**
 * Opens a charge that fills a server's pool: one immediate payment, or, with a goal, as many payments of the same
 * amount as the goal needs. All payments have the same amount, so the number of paid slots proves their sum.
 */
export async function openFundraiser(context: TippingContext, command: Command): Promise<FundraiserView> {
  const { guild, member, amount, goal = null, origin } = command
  const content = [guild, member, amount, goal]
  const id = await context.once.perform({ interaction: origin.interaction, verb: 'fundraiser', content }, (digest) =>
    perform(context, command, digest),
  )
  return await readFundraiserView(context, id)
}

async function perform(context: TippingContext, command: Command, digest: string): Promise<string> {
  const plan = planFor(context, command, digest)
  await mustAcceptDeposits(context)
  await ensureOpened(context).catch((error) => {
    throw refusalOf(error)
  })
  await record(context, command, plan)
  const { id, key, amount, slots } = plan
  const callbackToken = token(context.entropy)
  try {
    const data = await createFixedCharge(context, {
      ...{ id, key, amount, slots, callbackToken },
      description: `${formatSats(amount)} sats for a community's pool`,
      successMessage: 'Thank you! It is in the pool.',
    })
    await open(context, command, plan, { callbackToken, data })
  } catch (error) {
    throw await failToCreate(context, { noun: 'fundraiser', id }, error, (reason) =>
      commitDurably(context, {
        write: (tx) =>
          tx.fundraiser.updateMany({ where: { id, state: 'creating' }, data: { state: 'failed', reason } }),
      }),
    )
  }
  void context.poller.wake()
  return id
}

function planFor(context: CoreContext, command: Command, digest: string): Plan {
  const limits = { smallest: smallestCharge(context), largest: context.settings.maxAmount, rates: context.rates }
  const amount = readAmount(command.amount, limits)
  const goal = command.goal === undefined ? amount : readAmount(command.goal, { ...limits, smallest: amount })
  const slots = ceilDivide(goal, amount)
  if (slots > MAX_PAYMENTS) throw new TippingRefusal('fundraiser-too-fine', { most: MAX_PAYMENTS })
  const [id, card] = [context.entropy.uuid(), context.entropy.uuid()]
  const isPublic = command.goal !== undefined
  return { id, card, key: `fundraiser-${id}`, digest, amount, goal, slots: Number(slots), isPublic }
}

/** Writes a fundraiser before its charge is requested. The same transaction counts the server's open fundraisers. */
async function record(context: TippingContext, { guild, member, origin }: Command, plan: Plan): Promise<void> {
  const { id, card, key, digest, amount, goal, slots, isPublic } = plan
  const createdAt = now(context)
  await context.commit({
    write: async (tx) => {
      const provider = atPresentProvider(context)
      const where = { guild, public: isPublic, state: { in: ['creating', 'open'] }, provider }
      const most = MAX_OPEN
      if ((await tx.fundraiser.count({ where })) >= most) throw new TippingRefusal('too-many-fundraisers', { most })
      await noteMember(tx, member, createdAt)
      const { interaction } = origin
      await tx.operation.create({
        data: operationValues({ id, verb: 'fundraiser', record: id, interaction, digest, createdAt }),
      })
      await tx.fundraiser.create({
        data: {
          ...{
            id,
            guild,
            channel: origin.channel,
            member,
            public: isPublic,
            amount,
            slots,
            goal,
            card,
            key,
            createdAt,
          },
          state: 'creating',
          process: context.ownership.me,
          provider: context.payments.provider,
        },
      })
      const action = isPublic ? 'fundraiser' : 'fund'
      await logModeration(context, tx, { guild, member, action, about: { fundraiser: id, amount, goal } })
    },
  })
}

async function open(
  context: TippingContext,
  { member, origin }: Command,
  { id, card, isPublic }: Plan,
  { callbackToken, data }: { callbackToken: string; data: StaticCharge },
): Promise<void> {
  const bornAt = now(context)
  const audience = isPublic ? { channel: origin.channel } : { member }
  await context.commit({
    write: async (tx) => {
      await tx.fundraiser.update({
        where: { id, state: 'creating' },
        data: { state: 'open', chargeId: data.id, request: data.invoice.request },
      })
      await tx.card.create({
        data: context.cards.values({ id: card, kind: 'fundraiser', record: id, audience, origin }),
      })
      const first = new Date(bornAt.getTime() + 2_000)
      await schedulePoll(tx, { id, kind: 'fundraiser', bornAt, token: callbackToken }, first)
    },
  })
}
