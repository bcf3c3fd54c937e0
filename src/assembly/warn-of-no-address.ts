import { isOfThisMachine } from '../lib/http/outgoing-url.ts'
import type { Logger } from '../lib/logger.ts'

/** Warns if members cannot reach the bundled service because it has no public address. */
export function warnOfNoAddress(publicUrl: string | undefined, logger: Logger): void {
  if (publicUrl !== undefined && !isOfThisMachine(publicUrl)) return
  logger.warn(
    { publicUrl },
    'SERVICE_PUBLIC_URL names no address on the web, so members reach nothing of the payments service: /wallet gives them ' +
      'no link, and wallets elsewhere cannot read LNURL codes and Lightning Addresses. Set it to the https address of ' +
      'the proxy before SERVICE_PORT',
  )
}

/** Warns if a bot without custody has no public address: nobody can then connect a wallet, so no tip can be paid. */
export function warnOfNoConnectPage(publicUrl: string | undefined, logger: Logger): void {
  if (publicUrl !== undefined) return
  logger.warn(
    'CALLBACK_PUBLIC_URL is not set, so nobody can connect a wallet, and with CUSTODY=none no tip can be paid. Set it to ' +
      'the https address of the proxy before CALLBACK_PORT',
  )
}
