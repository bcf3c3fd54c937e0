import type { PaymentsDatabase } from '../../payments-service/core/database.ts'
import type { TippingDatabase } from '../../tipping/core/database.ts'

/** Both sides' databases. They stay open while either side is killed and restarted, so that the books can be read. */
export interface Databases {
  readonly tipping: TippingDatabase
  readonly payments: PaymentsDatabase
}
