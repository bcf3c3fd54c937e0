import type { DropView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { frame } from '../messages/frame.ts'
import type { Message, Picture } from '../messages/message.ts'
import { colour, mention, relative, small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { poolLines, reasonLines } from '../spending/from-pool.ts'
import { walletSummary } from '../tips/wallet-summary.ts'
import { cashOutButton } from '../withdrawals/cash-out-button.ts'
import { closeButton, enterButton, solveButton, takeButton } from './buttons.ts'
import { sumPicture } from './sum-picture.ts'

/** The shortest time between two drawings of the card, because a hundred people may press within a second. */
const REST_MS = 1_500

/** Shows a drop: its pot, what is left of the pot, and the button to take a share. */
export const dropRenderer = renderCard({
  load: (tipping, record) => tipping.drops.view(record),
  draw: async (drop, t): Promise<Drawing> => ({ message: await drawDrop(drop, t) }),
  people: ({ member }) => [member],
  restMs: REST_MS,
})

/** Announces the winners of a draw once, in the channel, and notifies them. */
export const dropDrawnRenderer = renderCard({
  load: (tipping, record) => tipping.drops.view(record),
  draw: drawDrawn,
  people: ({ member, winners }) => [member, ...winners],
  about: ({ card }) => card,
})

const MAX_QUESTION_LENGTH = 200
const MAX_NAMED = 20
const BAR = 12

/**
 * Builds the announcement of the winners. A drop has at most a hundred shares, and one message can name and notify as
 * many people.
 */
function drawDrawn(drop: DropView, t: Translator): Drawing {
  const { id, winners, share, codes, payments } = drop
  return {
    message: {
      frame: frame(colour.done, t('drop.drawn', { people: winners.map(mention).join(' '), amount: share })),
      notifies: winners,
      // For people without an account anywhere. Codes are taken elsewhere, and a wallet pays into another wallet.
      buttons: codes || payments !== undefined ? [] : [cashOutButton(id, t('claim.cashOutButton'))],
    },
  }
}

/** Draws a drop for the person who started it, who can end the drop but not take a share. */
export async function drawOwnDrop(drop: DropView, t: Translator): Promise<Message> {
  const buttons = drop.state === 'open' ? [closeButton(drop.id, t('drop.closeButton'))] : []
  return { ...(await drawDrop(drop, t)), buttons }
}

async function drawDrop(drop: DropView, t: Translator): Promise<Message> {
  const { member, share, shares, state } = drop
  if (shares === 0) return { frame: frame(colour.over, `🪂 ${over(drop, t)}`) }
  const content = t('drop.headline', { who: mention(member), count: shares, share })
  const isOpen = state === 'open'
  const lines = [
    `## ${t.amount(share)} × ${shares}`,
    ...(drop.payments === undefined ? poolLines(drop, t) : reasonLines(drop)),
    ...(isOpen ? conditions(drop, t) : []),
    progress(drop, t),
    isOpen ? t(drop.draw ? 'drop.drawnWhen' : 'drop.open', { until: relative(drop.closesAt) }) : over(drop, t),
    ...(drop.payments === undefined ? [named(drop, t)] : walletSummary(drop.payments, t)),
    isOpen ? walletLine(drop, t) : '',
  ]
  const picture = isOpen ? await pictureOf(drop, t) : undefined
  return {
    content,
    frame: frame(
      isOpen ? colour.satchel : colour.done,
      lines.filter((line) => line !== '').join('\n'),
      picture === undefined ? [] : { picture: picture.name },
    ),
    pictures: picture === undefined ? [] : [picture],
    buttons: isOpen ? [mainButton(drop, t), closeButton(drop.id, t('drop.closeButton'))] : [],
  }
}

/** Draws a puzzle's sum as a picture, because any program that presses buttons could solve the sum as text. */
async function pictureOf({ puzzle }: DropView, t: Translator): Promise<Picture | undefined> {
  if (puzzle?.kind !== 'sum') return undefined
  const { question } = puzzle
  return { name: 'puzzle.png', png: await sumPicture(question), alt: t('drop.hint.sum') }
}

/**
 * Warns people, before they press, that no sats are reserved for a drop that is paid from a wallet. Empty for other
 * drops.
 */
function walletLine({ payments, member, reason }: DropView, t: Translator): string {
  if (payments === undefined) return ''
  const payer = reason === undefined ? t('drop.paidByWallet', { who: mention(member) }) : t('drop.paidByServer')
  return small(`${payer} ${t('drop.walletHint')}`)
}

function mainButton({ id, puzzle, draw }: DropView, t: Translator) {
  if (puzzle !== undefined) return solveButton(id, t('drop.solveButton'))
  return draw ? enterButton(id, t('drop.enterButton')) : takeButton(id, t('drop.takeButton'))
}

function conditions({ puzzle, role, accountDays, memberDays, codes }: DropView, t: Translator): string[] {
  const lines: string[] = []
  if (puzzle !== undefined) {
    lines.push(t(`drop.puzzle.${puzzle.kind}`, { question: quotable(puzzle.question, MAX_QUESTION_LENGTH) }))
  }
  if (role !== undefined) lines.push(t('drop.onlyRole', { role: `<@&${role}>` }))
  if (accountDays !== undefined) lines.push(t('drop.accountDays', { count: accountDays }))
  if (memberDays !== undefined) lines.push(t('drop.memberDays', { count: memberDays }))
  if (codes) lines.push(t('drop.asCodes'))
  return lines
}

/** Draws a bar that fills up as the pot empties, or, while a draw is open, says how many people have entered. */
function progress({ draw, state, entered, claimed, shares }: DropView, t: Translator): string {
  if (draw && state === 'open') return t('drop.entered', { count: entered })
  const full = Math.round((claimed / shares) * BAR)
  return `${'▰'.repeat(full)}${'▱'.repeat(BAR - full)}  ${t('drop.taken', { claimed, shares })}`
}

function over(drop: DropView, t: Translator): string {
  const { member, closedBy, claimed, shares, returned, draw, reason, payments } = drop
  const isPools = reason !== undefined
  // None of its codes was made, because that was impossible, or because it was closed first.
  if (shares === 0 && closedBy === undefined)
    return t(isPools ? 'pool.unmade' : 'drop.unmade', { who: mention(member) })
  if (claimed >= shares && shares > 0) return t(draw ? 'drop.wasDrawn' : 'drop.empty')
  if (payments !== undefined) {
    const stayed = { amount: returned }
    return closedBy === undefined
      ? t('drop.stayed', stayed)
      : t('drop.closedStayed', { ...stayed, by: mention(closedBy) })
  }
  const back = { amount: returned, who: mention(member) }
  if (closedBy === undefined) return t(isPools ? 'pool.returned' : 'drop.over', back)
  return t(isPools ? 'pool.returnedBy' : 'drop.closed', { ...back, by: mention(closedBy) })
}

function named({ winners, claimed }: DropView, t: Translator): string {
  if (winners.length === 0) return ''
  const shown = winners.slice(0, MAX_NAMED).map(mention)
  const more = claimed - shown.length
  return more > 0 ? t('drop.winnersMore', { people: shown.join(' '), count: more }) : `🎉 ${shown.join(' ')}`
}
