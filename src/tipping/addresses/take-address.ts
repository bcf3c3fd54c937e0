import { token } from '../../lib/entropy.ts'
import { decodeLnurl, InvalidLnurl } from '../../lib/lightning/lnurl.ts'
import { type Msats, msats, sats } from '../../lib/money/amount.ts'
import { isReservedName } from '../../lib/reserved-names.ts'
import {
  type DataOf,
  type InputOf,
  type Operations,
  PaymentsError,
  progressOf,
} from '../../payments-api/payments-api.ts'
import { commitDurably } from '../core/commit-end.ts'
import { type CoreContext, now } from '../core/context.ts'
import { refusalOf } from '../core/provider-refusal.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { atPresentProvider } from '../engine/alerts/present-provider.ts'
import { mustAcceptDeposits } from '../engine/incoming/deposits-open.ts'
import { ensureOpened } from '../engine/incoming/opening-balance.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { operationValues } from '../engine/once-only/once-only.ts'
import { pollAgain, schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Address } from '../generated/client.ts'
import type { Addresses, AddressView } from './addresses.ts'
import { viewAddress } from './view-address.ts'

type Command = Parameters<Addresses['take']>[0]
type Body = InputOf<Operations['createStaticCharge']>
type StaticCharge = DataOf<Operations['createStaticCharge']>

/** The most addresses that one member can have at one provider. */
const MAX_ADDRESSES = 3
/** The names that members can choose, which are fewer than the interface's identifiers (LUD-16). */
const NAME = /^[a-z0-9](?:[a-z0-9._-]{1,62})[a-z0-9]$/

/**
 * Finds a member's address, or makes one. An address is a charge with a variable amount at the provider, and is used
 * only if the provider can list the charge's payments one by one.
 */
export async function takeAddress(context: TippingContext, command: Command): Promise<AddressView> {
  if (!context.replaysKeys()) throw new TippingRefusal('address-not-offered', {})
  const name = command.name === undefined ? undefined : readName(command.name)
  const found = await find(context, command.member, name)
  if (found) {
    // The member who asks for it may be waiting for a payment.
    await context.commit({ write: (tx) => pollAgain(tx, [found.id], now(context)) })
    void context.poller.wake()
    return await viewAddress(context, found)
  }
  await mustAcceptDeposits(context)
  const names = name === undefined ? sensible(command.ideas) : [name]
  const [first = ''] = names
  for (const each of names) {
    const taken = await make(context, command, each)
    if (taken) return await viewAddress(context, taken)
  }
  throw new TippingRefusal('address-taken', { name: first })
}

function readName(typed: string): string {
  const [name = ''] = typed.trim().toLowerCase().split('@')
  if (!NAME.test(name)) throw new TippingRefusal('address-malformed', { name: typed })
  if (isReservedName(name)) throw new TippingRefusal('address-taken', { name })
  return name
}

function sensible(ideas: readonly string[]): string[] {
  const names = ideas.map((idea) => idea.toLowerCase())
  return [...new Set(names)].filter((name) => NAME.test(name) && !isReservedName(name))
}

function find(context: CoreContext, member: string, name: string | undefined) {
  return context.database.read.address.findFirst({
    where: { member, state: 'live', provider: atPresentProvider(context), ...(name === undefined ? {} : { name }) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
}

/** Makes the address with this name. Resolves to undefined if somebody else has the name. */
async function make(context: TippingContext, command: Command, name: string): Promise<Address | undefined> {
  await ensureOpened(context).catch((error) => {
    throw refusalOf(error)
  })
  const { asked, isNew } = await record(context, command.member, name)
  try {
    const { data } = await context.payments.createStaticCharge(readBody(asked.body), { idempotencyKey: asked.key })
    const address = await prove(context, asked, data)
    return await open(context, command, asked, { address, data })
  } catch (error) {
    if (error instanceof PaymentsError && error.code === 'identifier_taken') {
      await forget(context, asked.id)
      return undefined
    }
    const refusal = refusalOf(error)
    if (error instanceof TippingRefusal || (isRefused(refusal) && (isNew || isReplayed(error)))) {
      await forget(context, asked.id)
    }
    // A request without an answer is repeated with the same key when the member comes back.
    throw refusal
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof TippingRefusal && error.code === 'provider-refused'
}

/**
 * Whether a refusal is the replayed answer to the first request, which means that nothing was created. A new refusal
 * says nothing about an earlier request that got no answer.
 */
function isReplayed(error: unknown): boolean {
  return error instanceof PaymentsError && error.replayed
}

/** Records the address, with everything needed to repeat the request for its charge, before that request is sent. */
async function record(
  context: CoreContext,
  member: string,
  name: string,
): Promise<{ readonly asked: Address; readonly isNew: boolean }> {
  const { provider } = context.payments
  const present = { member, provider: atPresentProvider(context) }
  const [id, callbackToken] = [context.entropy.uuid(), token(context.entropy)]
  const { minAmount, maxAmount, callbackUrl } = context.settings
  const least = msats(minAmount > sats(1) ? minAmount : sats(1))
  const body = writeBody({ id, name, least, most: maxAmount, callbackUrl: callbackUrl(callbackToken) })
  const createdAt = now(context)
  return await context.commit({
    write: async (tx) => {
      const before = await tx.address.findFirst({ where: { ...present, name } })
      if (before) return { asked: before, isNew: false }
      const most = MAX_ADDRESSES
      if ((await tx.address.count({ where: present })) >= most) {
        throw new TippingRefusal('too-many-addresses', { most })
      }
      await noteMember(tx, member, createdAt)
      const asked = await tx.address.create({
        data: {
          ...{ id, member, name, state: 'creating', least, most: maxAmount },
          ...{ key: `address-${id}`, token: callbackToken, body, provider, createdAt },
        },
      })
      return { asked, isNew: true }
    },
  })
}

interface Asked {
  readonly id: string
  readonly name: string
  readonly least: Msats
  readonly most: Msats
  readonly callbackUrl: string | undefined
}

function writeBody({ id, name, least, most, callbackUrl }: Asked): string {
  return JSON.stringify({
    minAmount: least.toString(),
    maxAmount: most.toString(),
    description: `Payment to ${name}`,
    successMessage: 'Thank you. It is on its way into the balance.',
    internalId: id,
    callbackUrl,
    identifier: name,
  })
}

function readBody(text: string): Body {
  const body = JSON.parse(text) as Omit<Body, 'minAmount' | 'maxAmount'> & { minAmount: string; maxAmount: string }
  return { ...body, minAmount: msats(BigInt(body.minAmount)), maxAmount: msats(BigInt(body.maxAmount)) }
}

/**
 * Resolves to the address if payments to it can be proven and it leads to this charge. Throws TippingRefusal if either
 * cannot be proven, or if the charge is not the one that was requested.
 */
async function prove(context: CoreContext, asked: Address, charge: StaticCharge): Promise<string> {
  if (charge.minAmount !== asked.least || charge.maxAmount !== asked.most || progressOf(charge.status) !== 'open') {
    throw new TippingRefusal('provider-refused', { message: 'The new charge is not the one that was asked for.' })
  }
  try {
    const { host } = decodeLnurl(charge.invoice.request, context.egress.lnurl)
    const address = `${asked.name}@${host}`
    const { data } = await context.payments.listStaticChargePayments({ id: charge.id, after: '0' })
    const known = await context.payments.validateLightningAddress({ address })
    const isOurs = known.data.valid && known.data.metadata?.maxSendable === asked.most
    if (data.payments.length === 0 && isOurs) return address
  } catch (error) {
    if (!isInability(error)) throw error
    context.logger.info({ reason: error.message }, 'this provider offers no addresses whose payments can be read')
  }
  throw new TippingRefusal('address-not-offered', {})
}

/** Whether an error means that the provider cannot do what was requested, so a repetition would change nothing. */
function isInability(error: unknown): error is PaymentsError | InvalidLnurl {
  if (error instanceof InvalidLnurl) return true
  if (!(error instanceof PaymentsError) || error.status === 429 || error.status === 503) return false
  return error.kind === 'refused' || error.kind === 'malformed'
}

async function open(
  context: TippingContext,
  { member, origin }: Command,
  { id, token: callbackToken }: Address,
  { address, data }: { address: string; data: StaticCharge },
): Promise<Address> {
  const bornAt = now(context)
  const { interaction } = origin
  const opened = await context.commit({
    write: async (tx) => {
      const before = await tx.address.findUniqueOrThrow({ where: { id } })
      if (before.state === 'live') return before
      // The same command may have made another address. The history shows each.
      const isFirst = (await tx.operation.findFirst({ where: { interaction, ordinal: 0 } })) === null
      const operation = { id, verb: 'address', record: id, createdAt: bornAt, ...(isFirst && { interaction }) }
      await tx.operation.create({ data: operationValues(operation) })
      await noteMember(tx, member, bornAt)
      const first = new Date(bornAt.getTime() + 60_000)
      await schedulePoll(tx, { id, kind: 'address', bornAt, token: callbackToken }, first)
      return await tx.address.update({
        where: { id },
        data: { state: 'live', address, chargeId: data.id, request: data.invoice.request },
      })
    },
  })
  void context.poller.wake()
  return opened
}

/**
 * Deletes an address that the provider has definitely refused. Tries again while the database is unreachable; otherwise
 * a name that belongs to somebody else would count towards the member's addresses.
 */
async function forget(context: CoreContext, id: string): Promise<void> {
  await commitDurably(context, { write: (tx) => tx.address.deleteMany({ where: { id, state: 'creating' } }) })
}
