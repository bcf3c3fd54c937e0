import type { TippingContext } from '../engine/tipping-context.ts'
import { adoptClaims } from './adopt-claims.ts'
import { startWindDown, stopWindDown } from './decide.ts'
import { planWindDown } from './plan-wind-down.ts'
import { setAside } from './set-aside.ts'
import { viewNotice, viewWindDown } from './view-wind-down.ts'
import type { WindDowns } from './wind-down.ts'

/** Creates the interface to wind-downs, for operators and for the cards that show a wind-down. */
export function createWindDowns(context: TippingContext): WindDowns {
  return {
    start: (command) => startWindDown(context, command),
    stop: (command) => stopWindDown(context, command),
    status: () => viewWindDown(context),
    plan: () => planWindDown(context),
    claims: () => setAside(context),
    adopt: (list) => adoptClaims(context, list),
    notice: (id) => viewNotice(context, id),
  }
}
