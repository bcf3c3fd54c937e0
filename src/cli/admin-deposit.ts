import { storedProject } from '../assembly/own-project.ts'
import { describeShort } from '../assembly/set-up/first-payment.ts'
import { createProjectInvoice } from '../assembly/set-up/project-invoice.ts'
import { type Clock, pause } from '../lib/clock.ts'
import { qrText } from '../lib/lightning/qr.ts'
import type { Msats } from '../lib/money/amount.ts'
import { Problem } from '../lib/problem.ts'
import type { Administration } from '../payments-service/administration/administration.ts'

/**
 * Makes an invoice that pays sats into a project's wallet, by default the bot's own project's, and resolves when it is
 * paid.
 */
export type Deposit = (
  administration: Administration,
  amount: Msats,
  projectId: string | undefined,
) => Promise<Deposited>

/** A paid deposit, with amounts in msats. */
interface Deposited {
  readonly projectId: string
  readonly amount: string
  /** The part that the node kept, which the wallet did not receive. */
  readonly kept: string
  readonly paid: true
}

const LOOK_EVERY_MS = 1_000
const MAX_WAIT_MS = 3_600_000

/**
 * Creates the function that makes a deposit: it asks the running service for an invoice, using an API key that lasts an
 * hour, passes the invoice and its QR code to `say`, and waits until the invoice is paid. It throws Problem if no
 * service runs, or if nobody pays within the hour.
 */
export function createDeposit(
  { dataFolder, port }: { readonly dataFolder: string; readonly port: number },
  { clock, say }: { readonly clock: Clock; readonly say: (text: string) => void },
): Deposit {
  const url = `http://127.0.0.1:${port}`
  return async (administration, amount, named) => {
    const projectId = projectOf(dataFolder, named, 'project deposit SATS PROJECTID')
    await mustRun(url)
    const expiresAt = new Date(clock.now() + MAX_WAIT_MS)
    const { keyId, apiKey } = await administration.createKey(projectId, { scopes: ['read', 'receive'], expiresAt })
    const end = clock.monotonic() + MAX_WAIT_MS
    // Our own timers keep no process alive, so this one does.
    const alive = setInterval(() => undefined, MAX_WAIT_MS)
    let kept: Msats
    try {
      const asked = await createProjectInvoice(url, { apiKey, amount, description: 'A deposit', clock })
      say(
        `\n${qrText(asked.invoice)}\n${asked.invoice}\n\nPay it with any wallet. Ctrl-C stops waiting; the invoice can still be paid.`,
      )
      try {
        while (!(await asked.isPaid())) {
          if (clock.monotonic() > end) throw new Problem('Nobody paid the invoice within an hour. Make another one.')
          await pause(clock, LOOK_EVERY_MS)
        }
        kept = await administration.bearShort(asked.paymentHash)
      } finally {
        await asked.close()
      }
    } finally {
      clearInterval(alive)
      await administration.revokeKey(keyId)
    }
    if (kept > 0n) say(describeShort(amount, kept))
    return { projectId, amount: `${amount}`, kept: `${kept}`, paid: true }
  }
}

/**
 * Returns the id of the named project, or else of the bot's. Throws Problem if the bot has no project yet; its message
 * suggests the command `otherwise`, with which the person can name a project.
 */
export function projectOf(dataFolder: string, named: string | undefined, otherwise: string): string {
  const projectId = named ?? storedProject(dataFolder)?.projectId
  if (projectId !== undefined) return projectId
  throw new Problem(
    `The bot has no project in ${dataFolder} yet. Give the id of another project, as in "${otherwise}".`,
  )
}

async function mustRun(url: string): Promise<void> {
  const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  if (answer?.ok) return
  throw new Problem(
    `The payments service does not answer at ${url} (SERVICE_PORT). Start it first (npm start, or npm run service).`,
  )
}
