import type { CoreContext, Provider } from '../core/context.ts'
import { lacksOperation, refusalOf } from '../core/provider-refusal.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { liveLink } from '../engine/payouts/live-link.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { bindAccount } from './link-member.ts'
import type { Link, WalletCommand, WalletLink } from './links.ts'

/** Opens a member's own account at the provider if there is none, and requests a link to its wallet page. */
export async function openWallet(context: CoreContext, command: WalletCommand): Promise<WalletLink> {
  const { id, gamertag, created } = await openAccount(context, command)
  // No key: a stored answer would be a stored way into somebody's wallet.
  const { data } = await context.payments.createSignInLink({ id }).catch(refuse)
  if (data.expiresAt === null) throw new TippingRefusal('wallet-not-offered', {})
  const link = await liveLink(context.database.read, command.member)
  return { url: data.url, until: data.expiresAt, gamertag, isNew: created, isLinked: link?.lightningId === id }
}

/** Returns the member's own account at the provider, with its present name. Opens the account if there is none. */
export async function ownAccount(context: Provider, command: WalletCommand): Promise<Link> {
  const { id, gamertag } = await openAccount(context, command)
  return { lightningId: id, gamertag }
}

/** Links a member to their own account at the provider. */
export async function linkOwnAccount(context: TippingContext, command: WalletCommand): Promise<Link> {
  return await bindAccount(context, command.member, await ownAccount(context, command), true)
}

async function openAccount({ payments }: Provider, { member, name }: WalletCommand) {
  return (await payments.openUser({ reference: member, gamertag: gamertagLike(name) }).catch(refuse)).data
}

function refuse(error: unknown): never {
  if (lacksOperation(error)) throw new TippingRefusal('wallet-not-offered', {})
  throw refusalOf(error)
}

/** Converts a name to a valid gamertag: 3 to 30 letters, digits, underscores and hyphens. */
function gamertagLike(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const letters = plain.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return letters.length < 3 ? 'member' : letters.slice(0, 30)
}
