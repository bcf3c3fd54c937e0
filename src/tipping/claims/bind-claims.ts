import type { TippingContext } from '../engine/tipping-context.ts'
import { claimTips, lookForUnclaimed } from './claim-tips.ts'
import type { Claims } from './claims.ts'
import { viewClaim } from './view-claim.ts'

export function bindClaims(context: TippingContext): Claims {
  return {
    hasUnclaimed: lookForUnclaimed(context),
    take: (command) => claimTips(context, command),
    view: (id) => viewClaim(context, id),
  }
}
