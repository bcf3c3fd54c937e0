import type { Emulator } from '../../discord-emulator/emulator.ts'
import type { Databases } from './databases.ts'

/** Names for the ids in the books. */
export interface Names {
  /** Returns a member's username, or the id if no name is known. */
  person(discordId: string): string
  /** Resolves to a function that returns the name of an account's owner for people. */
  botAccounts(): Promise<(account: Account) => string>
  serviceAccounts(): Promise<(account: Account) => string>
  /** Resolves to a function that returns an operation's name for people, such as "tip" or "deposit". */
  botOperations(ids: readonly string[]): Promise<(id: string) => string>
  serviceOperation(id: string): string
}

interface Account {
  readonly kind: string
  readonly owner: string
}

export function createNames(emulator: Emulator, { tipping, payments }: Databases): Names {
  const person = (id: string) => emulator.world.people().find((each) => each.id === id)?.username ?? id
  const server = (id: string) => emulator.world.servers().find((each) => each.id === id)?.name ?? id
  const channel = (id: string) => {
    const channels = emulator.world.servers().flatMap(({ channels }) => channels)
    const found = channels.find((each) => each.id === id)
    return found ? `#${found.name}` : 'a direct message'
  }
  return {
    person,
    async botAccounts() {
      const [drops, giveaways] = await Promise.all([tipping.read.drop.findMany(), tipping.read.giveaway.findMany()])
      const pots = new Map([
        ...drops.map((drop) => [drop.id, `drop in ${channel(drop.channel)} by ${person(drop.member)}`] as const),
        ...giveaways.map(
          ({ id, channel: at, starter }) => [id, `giveaway in ${channel(at)} by ${person(starter)}`] as const,
        ),
      ])
      return ({ kind, owner }) => {
        if (kind === 'pot') return pots.get(owner) ?? owner
        if (kind === 'pool') return server(owner)
        return owner.startsWith('pool:') ? `pool of ${server(owner.slice('pool:'.length))}` : person(owner)
      }
    },
    async serviceAccounts() {
      const [users, projects, vouchers] = await Promise.all([
        payments.read.user.findMany(),
        payments.read.project.findMany(),
        payments.read.voucher.findMany({ where: { redeemedAt: null, revokedAt: null } }),
      ])
      const holders = new Map([
        ...users.map(({ id, gamertag }) => [`user:${id}`, gamertag] as const),
        ...projects.map(({ id, name }) => [`project:${id}`, name] as const),
      ])
      const escrows = new Map(
        vouchers.map(({ id, projectId, description }) => [
          id,
          description || `of ${holders.get(`project:${projectId}`)}`,
        ]),
      )
      return ({ kind, owner }) => (kind === 'voucher_escrow' ? escrows : holders).get(owner) ?? owner
    },
    async botOperations(ids) {
      const known = await tipping.read.operation.findMany({ where: { id: { in: [...ids] } } })
      const verbs = new Map(known.map(({ id, verb }) => [id, verb]))
      return (id) => (verbs.get(id) ?? id.split('-')[0] ?? id).replaceAll('-', ' ')
    },
    serviceOperation: (id) => (id.split(':')[0] ?? id).replaceAll('-', ' '),
  }
}
