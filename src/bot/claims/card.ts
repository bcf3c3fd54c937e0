import type { ClaimView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import { whyNotSent } from '../cards/not-sent.ts'
import { receiptOfPayout } from '../history/receipt-button.ts'
import type { Translator } from '../i18n/translator.ts'
import { colour, mention, panel } from '../messages/panel.ts'
import { cashOutButton } from '../withdrawals/cash-out-button.ts'

/** Shows the sats that somebody has claimed, who gave them, and where they are now. */
export const claimRenderer = renderCard({ load: (tipping, record) => tipping.claims.view(record), draw: drawClaim })

const MAX_LISTED = 10

function drawClaim(claim: ClaimView, t: Translator): Drawing {
  const listed = claim.shares.slice(0, MAX_LISTED)
  const lines = listed.map(({ from, amount }) => t('claim.from', { amount, who: mention(from) }))
  const edge = claim.state === 'sending' || claim.state === 'unknown' ? colour.inFlight : colour.done
  const title = t('claim.title', { amount: claim.amount })
  const more = listed.length < claim.shares.length ? '…' : ''
  const embeds = [panel(edge, [...lines, more, where(claim, t)], { title })]
  const stays = claim.state === 'credited' || claim.state === 'kept'
  const buttons = stays ? [cashOutButton(claim.id, t('claim.cashOutButton'))] : receiptOfPayout(claim, t)
  return { message: { embeds, buttons } }
}

function where(claim: ClaimView, t: Translator): string {
  return claim.state === 'kept' ? t('claim.kept', { why: whyNotSent(claim, t) }) : t(`claim.${claim.state}`)
}
