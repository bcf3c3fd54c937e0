import { type Nobodys, type Ownership, OwnershipLost } from '../../src/lib/ownership/ownership.ts'

/** Creates an ownership that the test decides: by default, `me` is among the `living` and has all jobs. */
export function scriptedOwnership<Tx, Job extends string>(
  said: Partial<Ownership<Tx, Job>> & { readonly living?: readonly string[] } = {},
): Ownership<Tx, Job> {
  const { living, ...some } = said
  const ownership: Ownership<Tx, Job> = {
    me: 'us',
    alone: false,
    isLive: () => true,
    isMine: (owner) => owner === ownership.me && ownership.isLive(),
    has: () => ownership.isLive(),
    tenureOf: () => 1,
    untilHas: async () => new AbortController().signal,
    assertLive: async () => {
      if (!ownership.isLive()) throw new OwnershipLost(ownership.me)
    },
    assertHas: (tx) => ownership.assertLive(tx),
    livingIn: async () => [...(living ?? [ownership.me])],
    async nobodysIn<Column extends string>(tx: Tx, column = 'process' as Column): Promise<Nobodys<Column>> {
      return { OR: [{ [column]: null }, { [column]: { notIn: await ownership.livingIn(tx) } }] } as Nobodys<Column>
    },
    async takeOverIn<Column extends string>(tx: Tx, column = 'process' as Column) {
      await ownership.assertLive(tx)
      const mine = { [column]: ownership.me } as Record<Column, string>
      return { nobodys: await ownership.nobodysIn(tx, column), mine }
    },
    afterEachLook: () => undefined,
    start: async () => undefined,
    close: async () => undefined,
    ...some,
  }
  return ownership
}
