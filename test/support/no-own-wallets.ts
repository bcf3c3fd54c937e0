import type { OwnWallets } from '../../src/tipping/tipping.ts'

/** The own wallets of a bot to which nobody can connect a wallet. */
export const NO_OWN_WALLETS: OwnWallets = {
  offered: false,
  invite: () => Promise.reject(new Error('not offered')),
  invited: async () => undefined,
  connect: async () => ({ problem: 'link-over' }),
  begin: async () => undefined,
  finish: async () => ({ problem: 'link-over' }),
  mine: async () => undefined,
  holds: async () => undefined,
  budget: async () => undefined,
  disconnect: async () => false,
  ofServer: async () => undefined,
  spendable: async () => undefined,
  disconnectServer: async () => false,
  promises: async () => [],
  promise: () => Promise.reject(new Error('not offered')),
  revoke: () => Promise.reject(new Error('not offered')),
  byHand: () => Promise.reject(new Error('not offered')),
}
