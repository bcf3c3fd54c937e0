import { isOnServer } from '../world/places.ts'
import { oldBook } from './begun-by-older-version.ts'
import { wrongClocks } from './clocks.ts'
import { databaseCrash } from './database-crash.ts'
import type { Fault } from './fault.ts'
import { rotatedKeys } from './keys.ts'
import { correctedDecisions, surpluses, topUps } from './operators.ts'
import { overpaidInvoices, shortArrivals } from './payers.ts'
import { movingPrices } from './prices.ts'
import { forgetfulProvider, learningProvider, otherAmounts, untoldFees } from './provider.ts'
import { restoredBook } from './restore.ts'

/** Every kind of fault that a seed may draw, besides the weather that each seed has: see docs/RELIABILITY.md. */
export const ALL_FAULTS: readonly Fault[] = [
  wrongClocks,
  rotatedKeys,
  forgetfulProvider,
  learningProvider,
  otherAmounts,
  untoldFees,
  movingPrices,
  oldBook,
  topUps,
  surpluses,
  correctedDecisions,
  overpaidInvoices,
  shortArrivals,
  restoredBook,
  databaseCrash,
]

/** Returns the faults that can occur with books in files, or with books on a server. */
export function faultsPossibleIn(template: string): readonly Fault[] {
  const impossible = isOnServer(template) ? oldBook : databaseCrash
  return ALL_FAULTS.filter((fault) => fault !== impossible)
}
