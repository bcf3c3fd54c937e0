import type { TippingContext } from '../engine/tipping-context.ts'
import type { ApiKeys } from './api-keys.ts'
import { createApiKey, revokeApiKey } from './change-keys.ts'
import { findApiKey, listApiKeys } from './find-key.ts'
import { isLinked, rewardByKey, rewardOfKey } from './reward-by-key.ts'

export function bindApiKeys(context: TippingContext): ApiKeys {
  return {
    create: (command) => createApiKey(context, command),
    list: (guild) => listApiKeys(context, guild),
    revoke: (decision) => revokeApiKey(context, decision),
    find: (secret) => findApiKey(context, secret),
    reward: (command) => rewardByKey(context, command),
    rewardOf: (guild, id) => rewardOfKey(context, guild, id),
    isLinked: (member) => isLinked(context, member),
  }
}
