import type { Clock } from '../../lib/clock.ts'
import { createGuardedFetch, FetchFailed, FetchRefused } from '../../lib/http/guarded-fetch.ts'

/** Whether wallets can reach an address, and a text about it with advice if they cannot. */
export interface Reach {
  readonly ok: boolean
  readonly says: string
}

const TIMEOUT_MS = 8_000

/**
 * Calls an address as a wallet would: with https, and only at a public IP address. Any answer is enough, because the
 * proxy answers with an error while Satchel is down. Never throws.
 */
export async function checkReach(publicUrl: string, clock: Clock): Promise<Reach> {
  const fetch = createGuardedFetch({ allowLoopback: false, clock })
  try {
    const { status } = await fetch(`${publicUrl}/health`, { timeoutMs: TIMEOUT_MS, statusOnly: true })
    const what =
      status === 200 ? 'Satchel, or another program, answers there already' : `a proxy answers there (${status})`
    return { ok: true, says: `${publicUrl} can be reached: ${what}.` }
  } catch (error) {
    return { ok: false, says: `A wallet could not reach ${publicUrl}: ${whyNot(error)}` }
  } finally {
    await fetch.close()
  }
}

function whyNot(error: unknown): string {
  if (error instanceof FetchRefused) {
    if (error.reason === 'scheme')
      return 'wallets follow codes over https only. Put a proxy with a certificate before it.'
    if (error.reason === 'address') return 'it is an address of this machine or its own network, not of the Internet.'
    return `${error.message}.`
  }
  if (!(error instanceof FetchFailed)) return `${String(error)}.`
  if (error.reason === 'dns') return 'the name is not in the DNS yet. Add it, and let it point to this machine.'
  if (error.reason === 'tls')
    return 'its certificate is not valid for the name. Let the proxy get one (Caddy does so itself).'
  return `nothing answers there yet (${error.message}). Start the proxy, and open ports 80 and 443. Behind some home routers only others can reach it: then try it with a phone on mobile data.`
}
