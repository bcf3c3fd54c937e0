import { token } from '../../lib/entropy.ts'
import { decodeInvoice, InvalidInvoice } from '../../lib/lightning/bolt11.ts'
import { type Msats, msats, sats } from '../../lib/money/amount.ts'
import { commitDurably } from '../core/commit-end.ts'
import { type CoreContext, now, type Provider } from '../core/context.ts'
import { refusalOf } from '../core/provider-refusal.ts'
import { readAmount } from '../core/read-amount.ts'
import { MAX_DESCRIPTION, MAX_INVOICE_MINUTES } from '../core/settings.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { notCreated } from '../engine/incoming/not-created.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { CarriedOut, operationValues } from '../engine/once-only/once-only.ts'
import { type LiveLink, liveLink } from '../engine/payouts/live-link.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { InvoiceCommand, InvoiceView } from './invoices.ts'
import { viewInvoice } from './view-invoice.ts'

const DEFAULT_MINUTES = 10

/** Creates a charge that pays into the member's own gamertag wallet, and not into the member's balance here. */
export async function createInvoice(context: TippingContext, command: InvoiceCommand): Promise<InvoiceView> {
  const { member, amount, description = '', expiresInMinutes = DEFAULT_MINUTES, origin } = command
  const content = [member, amount, description, expiresInMinutes]
  const id = await context.once.perform({ interaction: origin.interaction, verb: 'invoice', content }, (digest) =>
    perform(context, command, digest),
  )
  return await viewInvoice(context, id)
}

interface NewInvoice {
  readonly id: string
  readonly key: string
  readonly card: string
  readonly link: LiveLink
  readonly gamertag: string
  readonly amount: Msats
  readonly description: string
  readonly expiresInSeconds: number
  readonly token: string
}

async function perform(context: TippingContext, command: InvoiceCommand, digest: string): Promise<string> {
  const description = command.description ?? ''
  if (description.length > MAX_DESCRIPTION) {
    throw new TippingRefusal('text-too-long', { what: 'description', most: MAX_DESCRIPTION })
  }
  const smallest = msats(context.settings.minAmount > sats(1) ? context.settings.minAmount : sats(1))
  const amount = readAmount(command.amount, { smallest, largest: context.settings.maxAmount, rates: context.rates })
  const link = await liveLink(context.database.read, command.member)
  if (!link) throw new TippingRefusal('not-linked', {})
  const id = context.entropy.uuid()
  const minutes = Math.min(Math.max(Math.round(command.expiresInMinutes ?? DEFAULT_MINUTES), 1), MAX_INVOICE_MINUTES)
  const invoice: NewInvoice = {
    id,
    key: `invoice-${id}`,
    card: context.entropy.uuid(),
    link,
    gamertag: await gamertagOf(context, link),
    amount,
    description,
    expiresInSeconds: minutes * 60,
    token: token(context.entropy),
  }
  await record(context, command, invoice, digest)
  try {
    await open(context, command, invoice, await charge(context, invoice))
    // A provider that does not name its network has just shown it.
    await context.network.look(context)
  } catch (error) {
    throw await fail(context, id, error)
  }
  void context.poller.wake()
  return id
}

async function gamertagOf({ payments }: Provider, link: LiveLink): Promise<string> {
  try {
    return (await payments.getGamertagByUserId({ id: link.lightningId })).data.gamertag
  } catch (error) {
    throw refusalOf(error)
  }
}

async function record(
  context: CoreContext,
  { member, origin }: InvoiceCommand,
  invoice: NewInvoice,
  digest: string,
): Promise<void> {
  const { id, key, card, link, gamertag, amount, description, expiresInSeconds } = invoice
  const createdAt = now(context)
  await context.commit({
    write: async (tx) => {
      await noteMember(tx, member, createdAt)
      await tx.operation.create({
        data: operationValues({ id, verb: 'invoice', record: id, interaction: origin.interaction, digest, createdAt }),
      })
      await tx.invoice.create({
        data: {
          id,
          member,
          lightningId: link.lightningId,
          gamertag,
          amount,
          description,
          state: 'creating',
          process: context.ownership.me,
          card,
          channel: origin.channel,
          key,
          provider: context.payments.provider,
          createdAt,
          expiresAt: new Date(createdAt.getTime() + expiresInSeconds * 1_000),
        },
      })
    },
  })
}

interface Charge {
  readonly id: string | null
  readonly request: string
  readonly expiresAt: Date | null
}

/** Requests an invoice's charge, and checks its amount and its payee. Nobody sees the charge before these checks. */
async function charge(context: CoreContext, invoice: NewInvoice): Promise<Charge> {
  const { id, key, gamertag, amount, description, expiresInSeconds, link } = invoice
  const { data } = await context.payments.createGamertagCharge(
    {
      amount,
      gamertag,
      description,
      expiresIn: expiresInSeconds,
      internalId: id,
      callbackUrl: context.settings.callbackUrl(invoice.token),
    },
    { idempotencyKey: key },
  )
  if (data.amount !== amount || amountOf(data.invoiceRequest) !== amount) {
    throw new TippingRefusal('provider-refused', { message: 'The new invoice is for another amount.' })
  }
  // The gamertag may have changed hands since it was looked up.
  const owner = (await context.payments.getIdByGamertag({ gamertag })).data.id
  if (owner !== link.lightningId) {
    throw new TippingRefusal('provider-refused', { message: 'The gamertag has just changed its owner. Try again.' })
  }
  return { id: data.id, request: data.invoiceRequest, expiresAt: data.invoiceExpiresAt }
}

function amountOf(request: string): Msats | undefined {
  try {
    return decodeInvoice(request).amount
  } catch (error) {
    if (error instanceof InvalidInvoice) return undefined
    throw error
  }
}

async function open(
  context: TippingContext,
  { origin }: InvoiceCommand,
  { id, card, token }: NewInvoice,
  { id: chargeId, request, expiresAt }: Charge,
): Promise<void> {
  const bornAt = now(context)
  await context.commit({
    write: async (tx) => {
      await tx.invoice.update({
        where: { id, state: 'creating' },
        data: { state: 'open', chargeId, request, ...(expiresAt === null ? {} : { expiresAt }) },
      })
      const audience = { channel: origin.channel }
      await tx.card.create({
        data: context.cards.values({ id: card, kind: 'invoice', record: id, audience, origin }),
      })
      await schedulePoll(tx, { id, kind: 'invoice', bornAt, token }, new Date(bornAt.getTime() + 2_000))
    },
  })
}

/**
 * Ends an invoice that was never shown, and returns its command's refusal. Nobody will pay the invoice, even if it is
 * open at the provider.
 */
async function fail(context: CoreContext, id: string, error: unknown): Promise<CarriedOut> {
  const refusal = refusalOf(error)
  if (!(refusal instanceof TippingRefusal)) {
    context.logger.error({ err: error, invoice: id }, 'an invoice could not be made')
  }
  const refused = refusal instanceof TippingRefusal && refusal.code === 'provider-refused'
  const reason = refused ? (refusal as TippingRefusal<'provider-refused'>).facts.message : null
  await commitDurably(context, {
    write: (tx) => tx.invoice.updateMany({ where: { id, state: 'creating' }, data: { state: 'failed', reason } }),
  })
  return new CarriedOut(notCreated(reason))
}
