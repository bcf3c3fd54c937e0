import type { TippingContext } from '../engine/tipping-context.ts'
import { forgetMember } from './forget-member.ts'
import { openSats } from './open-sats.ts'
import type { Privacy } from './privacy.ts'

export function bindPrivacy(context: TippingContext, exportOf: Privacy['export']): Privacy {
  return {
    export: exportOf,
    open: (member) => openSats(context, member),
    forget: (member) => forgetMember(context, member),
  }
}
