import type { LinkedRoles } from '../../src/tipping/tipping.ts'

/** The linked roles of a bot that does not offer any. */
export const NO_LINKED_ROLES: LinkedRoles = {
  offered: false,
  useAttempt: async () => false,
  connect: () => Promise.reject(new Error('not offered')),
  mine: async () => undefined,
  takeDue: async () => [],
  renewed: async () => false,
  told: async () => {},
  end: async () => {},
  disconnect: async () => false,
  onForgotten: () => {},
}
