import { createHash } from 'node:crypto'
import { withoutTag } from '../../lib/lightning/lnurl.ts'
import type { Tx } from '../core/database.ts'

const PREFIX = 'address:'
/** The most names in one statement. */
const PAGE = 500

/**
 * Returns the recipient key of a Lightning Address, which limits and approvals count like a member. A tag (LUD-16) does
 * not change the recipient, because the payment goes to the same name. The key remains when the address itself is
 * deleted.
 */
export function addressRecipient(address: string): string {
  const [user = '', host = ''] = address.toLowerCase().split('@')
  const hash = createHash('sha256')
    .update(`${withoutTag(user)}@${host}`)
    .digest('hex')
  return `${PREFIX}${hash}`
}

export function isAddressRecipient(recipient: string): boolean {
  return recipient.startsWith(PREFIX)
}

/** Returns the recipient key of a member's Lightning Address elsewhere; undefined if none is known. */
export async function ownAddressRecipient(client: Pick<Tx, 'member'>, member: string): Promise<string | undefined> {
  const owner = await client.member.findFirst({ where: { id: member }, select: { forwardTo: true } })
  return owner?.forwardTo ? addressRecipient(owner.forwardTo) : undefined
}

/** Returns the recipient keys of those addresses that belong to this bot, and therefore fill a member's balance. */
export async function recipientsHere(
  client: Pick<Tx, 'address'>,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const names = [...new Set(addresses.flatMap((address) => [address, withoutTagOf(address)]))]
  const here = new Set<string>()
  for (let at = 0; at < names.length; at += PAGE) {
    const where = { address: { in: names.slice(at, at + PAGE) } }
    for (const { address } of await client.address.findMany({ where, select: { address: true } }))
      if (address !== null) here.add(addressRecipient(address))
  }
  return here
}

function withoutTagOf(address: string): string {
  const [user = '', host = ''] = address.split('@')
  return `${withoutTag(user)}@${host}`
}
