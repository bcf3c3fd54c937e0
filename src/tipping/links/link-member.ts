import { readPaymentText } from '../../lib/lightning/payment-text.ts'
import { readPasted } from '../../lib/pasted-text.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { type Book, now, type Provider } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { lacksOperation, refusalOf } from '../core/provider-refusal.ts'
import { shown } from '../core/shown.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { NOT_FORWARDED } from '../engine/gifts/onward.ts'
import { endLink } from '../engine/members/end-link.ts'
import { noteMember } from '../engine/members/note-member.ts'
import { liveLink } from '../engine/payouts/live-link.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Link, LinkCommand, ProvenLink } from './links.ts'

/**
 * Links a member to the Lightning account that now owns the gamertag, after the provider has confirmed that the
 * gamertag is the member's. If a provider cannot confirm that, trusts the member. Linking again replaces the link, and
 * unfreezes a frozen link, because the member has stated again where the money goes. Throws TippingRefusal
 * `gamertag-malformed`, `gamertag-not-found`, `gamertag-unproven`, `gamertag-code-wrong`, `gamertag-linked-elsewhere`,
 * `provider-unreachable` or `provider-refused`.
 */
export async function linkMember(context: TippingContext, command: LinkCommand): Promise<ProvenLink> {
  const gamertag = gamertagAsTyped(command.gamertag)
  const code = command.code?.trim()
  if (code !== undefined && !/^[0-9A-Za-z-]{1,40}$/.test(code)) {
    throw new TippingRefusal('gamertag-code-wrong', { gamertag })
  }
  const lightningId = await provenIdOf(context, { gamertag, member: command.member, code })
  const proven = lightningId !== undefined
  const account = { lightningId: lightningId ?? (await idOf(context, gamertag)), gamertag }
  return { ...(await bindAccount(context, command.member, account, proven)), proven }
}

/**
 * Reads a gamertag as people write it, with or without an @ in front. Throws TippingRefusal `gamertag-malformed` or
 * `destination-on-chain`.
 */
export function gamertagAsTyped(typed: string): string {
  const read = readPaymentText(typed)
  if (read.kind === 'on-chain') throw new TippingRefusal('destination-on-chain', { text: shown(read.text) })
  const gamertag = readPasted(typed).replace(/^@/, '')
  if (/^[A-Za-z0-9_.-]{1,64}$/.test(gamertag) && !/^\.+$/.test(gamertag)) return gamertag
  throw new TippingRefusal('gamertag-malformed', { gamertag: gamertag.slice(0, 64) })
}

/**
 * Links a member to a Lightning account. The member who proved the account last owns it, and another member's link to
 * it ends. Throws TippingRefusal `gamertag-linked-elsewhere`.
 */
export async function bindAccount(
  context: TippingContext,
  member: string,
  account: Link,
  proven: boolean,
): Promise<Link> {
  const { lightningId, gamertag } = account
  return await context.commit({
    write: async (tx) => {
      const holder = await tx.link.findFirst({ where: { lightningId, endedAt: null } })
      if (holder && holder.member !== member) await takeOver(context, tx, holder, proven)
      await noteMember(tx, member, now(context))
      await replaceLink(context, tx, { member, lightningId, gamertag })
      await tx.member.update({ where: { id: member }, data: NOT_FORWARDED })
      return { lightningId, gamertag }
    },
  })
}

async function takeOver(
  context: TippingContext,
  tx: Tx,
  holder: { id: string; member: string; gamertag: string },
  proven: boolean,
): Promise<void> {
  if (!proven) throw new TippingRefusal('gamertag-linked-elsewhere', { gamertag: holder.gamertag })
  await endLink(context, tx, holder)
}

/**
 * Returns the id of the account that the provider confirms as the member's; undefined if the provider cannot confirm
 * this gamertag.
 */
async function provenIdOf(
  { payments }: Provider,
  { gamertag, member, code }: { gamertag: string; member: string; code: string | undefined },
): Promise<string | undefined> {
  if (!USUAL.test(gamertag)) return undefined
  try {
    return (await payments.proveGamertag({ gamertag, reference: member, code })).data.id
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    if (error.code === 'proof_required') throw new TippingRefusal('gamertag-unproven', { gamertag })
    if (error.code === 'wrong_proof') throw new TippingRefusal('gamertag-code-wrong', { gamertag })
    if (error.code === 'gamertag_not_found') throw new TippingRefusal('gamertag-not-found', { gamertag })
    if (lacksOperation(error)) return undefined
    throw refusalOf(error)
  }
}

const USUAL = /^[A-Za-z0-9_-]{3,30}$/

/** Returns the id of a gamertag's present owner at the provider. Throws TippingRefusal. */
export async function idOf(context: Provider, gamertag: string): Promise<string> {
  try {
    return (await context.payments.getIdByGamertag({ gamertag })).data.id
  } catch (error) {
    const status = error instanceof PaymentsError && error.kind === 'refused' ? error.status : undefined
    // For names that no wallet gives out, explain the rule. The provider decides which names exist.
    if (status === 404 && USUAL.test(gamertag)) throw new TippingRefusal('gamertag-not-found', { gamertag })
    if (status === 404 || status === 400) throw new TippingRefusal('gamertag-malformed', { gamertag })
    throw refusalOf(error)
  }
}

async function replaceLink(
  context: Book,
  tx: Tx,
  link: { member: string; lightningId: string; gamertag: string },
): Promise<void> {
  const before = await liveLink(tx, link.member)
  const where = { member: link.member, endedAt: null }
  if (before?.lightningId === link.lightningId) {
    await tx.link.updateMany({ where, data: { gamertag: link.gamertag, frozenAt: null } })
    return
  }
  await tx.link.updateMany({ where, data: { endedAt: now(context) } })
  await tx.link.create({ data: { id: context.entropy.uuid(), ...link, createdAt: now(context) } })
}
