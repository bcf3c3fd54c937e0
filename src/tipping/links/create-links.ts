import { liveLink } from '../engine/payouts/live-link.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { linkMember } from './link-member.ts'
import type { Links } from './links.ts'
import { linkOwnAccount, openWallet, ownAccount } from './own-account.ts'
import { readEndedLink, releaseLink } from './release-link.ts'
import { unlinkMember } from './unlink-member.ts'

/** Manages the Lightning accounts to which members' tips go. */
export function createLinks(context: TippingContext): Links {
  return {
    link: (command) => linkMember(context, command),
    unlink: (command) => unlinkMember(context, command),
    openWallet: (command) => openWallet(context, command),
    ownAccount: (command) => ownAccount(context, command),
    linkOwnAccount: (command) => linkOwnAccount(context, command),
    release: (command) => releaseLink(context, command),
    endedLink: (id) => readEndedLink(context, id),
    isLinked: async (member) => (await liveLink(context.database.read, member)) !== undefined,
  }
}
