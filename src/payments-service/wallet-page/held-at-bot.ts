import { floorToSat, sats } from '../../lib/money/amount.ts'
import { type Html, html } from '../../lib/web/html.ts'
import type { HeldAtBot, PageRequest } from './page-request.ts'

/**
 * Shows the balance that the wallet's owner has at the community's bot, and how to move it; undefined if there is none,
 * or if the bot does not answer.
 */
export async function showHeldAtBot({ wallet, parts, user, unit, t }: PageRequest): Promise<Html | undefined> {
  const amount = wallet.heldAtBot && (await ask(wallet.heldAtBot, parts, user.id))
  if (amount === undefined || amount < sats(1)) return undefined
  const pieces = {
    amount: html`<b>${t.amount(floorToSat(amount), unit)}</b>`,
    command: html`<b>${t.command('wallet')}</b>`,
  }
  return html`<p class="hint">${t.rich('home.elsewhere', pieces)}</p>`
}

/** Asks the bot of the project that opened the wallet, because no other project knows its owner. */
async function ask(heldAtBot: HeldAtBot, { database, logger }: PageRequest['parts'], id: string) {
  try {
    const opened = await database.read.user.findUnique({ where: { id } })
    if (!opened?.projectId || !opened.reference) return undefined
    return await heldAtBot({ projectId: opened.projectId, reference: opened.reference })
  } catch (err) {
    logger.warn({ err }, 'what the bot beside the service holds for a user is not known')
    return undefined
  }
}
