import { ownerOfServer } from '../engine/own-wallets/connections.ts'
import { viewByHand } from '../engine/own-wallets/view-by-hand.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { connectWallet, disconnectServer, disconnectWallet, finishConnection, ownWalletOf } from './connect-wallet.ts'
import { askBudget, askHoldings, askSpendable } from './holdings.ts'
import type { OwnWallets } from './own-wallets.ts'
import { openPromisesOf, revokePromise, viewPromise } from './promises.ts'
import { beginConnection, findPass, invite } from './wallet-passes.ts'

/** Creates the object that manages members' own wallets. */
export function createOwnWallets(context: TippingContext): OwnWallets {
  return {
    offered: context.wallets.connections.offered,
    invite: (command) => invite(context, command),
    invited: (token) => findPass(context, token),
    connect: (command) => connectWallet(context, command),
    begin: (token) => beginConnection(context, token),
    finish: (command) => finishConnection(context, command),
    mine: (member) => ownWalletOf(context, member),
    holds: (member) => askHoldings(context, member),
    budget: (member) => askBudget(context, member),
    disconnect: (member) => disconnectWallet(context, member),
    ofServer: (guild) => ownWalletOf(context, ownerOfServer(guild)),
    spendable: (guild) => askSpendable(context, guild),
    disconnectServer: (command) => disconnectServer(context, command),
    byHand: (payment) => viewByHand(context, payment),
    promises: (member) => openPromisesOf(context, member),
    promise: (id) => viewPromise(context, id),
    revoke: (command) => revokePromise(context, command),
  }
}
