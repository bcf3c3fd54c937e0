import type { Chapter } from './chapters/chapter.ts'
import { calledOff, draws, dropsClosedByModerators, dropsToTheirEnd, oneWallet, pickyDrops } from './chapters/drops.ts'
import {
  afterNo,
  keepsHere,
  lostAnswers,
  manyCodes,
  namesChangeHands,
  onItsWay,
  pausedElsewhere,
} from './chapters/leaving.ts'
import { comparedNodes, offersPaid, verified, zapped } from './chapters/outsiders.ts'
import { approvals, budgets, closedFundraisers } from './chapters/pools.ts'
import { forgottenAddresses, forgottenWallets, movedAddresses } from './chapters/privacy.ts'
import {
  chargesForOthers,
  claimedInside,
  dearKeysends,
  heardLate,
  lateInvoices,
  paidTwice,
  unusedCodes,
  walletPages,
} from './chapters/provider.ts'
import {
  addresses,
  coolDowns,
  largeTips,
  limits,
  newcomers,
  relinked,
  requests,
  sharedAllowances,
  sharedFaucet,
} from './chapters/tipping.ts'
import { claimedTwice, confirmedTwice, oneWalletAtOnce } from './chapters/twice.ts'
import { faultyWallets } from './chapters/wallets.ts'
import { youngClaimers, youngGivers } from './chapters/young.ts'
import type { Actor, Stage } from './people.ts'

const CHAPTERS: Readonly<Record<string, Chapter>> = {
  ...{ newcomers, largeTips, relinked, requests, addresses, limits, coolDowns, sharedAllowances, sharedFaucet },
  ...{ lostAnswers, namesChangeHands, afterNo, onItsWay, keepsHere, manyCodes },
  ...{ dropsClosedByModerators, pickyDrops, dropsToTheirEnd, draws, calledOff, oneWallet },
  ...{ budgets, approvals, closedFundraisers },
  ...{ movedAddresses, forgottenAddresses, forgottenWallets },
  ...{ verified, zapped, offersPaid, comparedNodes, faultyWallets },
  ...{ youngGivers, youngClaimers, oneWalletAtOnce, claimedTwice, confirmedTwice },
  ...{ walletPages, dearKeysends, heardLate, paidTwice, lateInvoices, claimedInside, chargesForOthers, unusedCodes },
}

/** Chapters for faults that need two bots on one book. */
const OF_TWO_BOTS: Readonly<Record<string, Chapter>> = { pausedElsewhere }

const decks = new WeakMap<Stage, string[]>()

/**
 * An actor that plays situations which chance would bring about too rarely. A seed deals them like cards from a
 * shuffled deck: none repeats before all have been played, so that a few hundred steps contain many of them.
 */
export const chapters: Actor = {
  name: 'chapters',
  weight: 9,
  async act(stage) {
    const name = deal(stage)
    stage.note(`chapter: ${name}`)
    await { ...CHAPTERS, ...OF_TWO_BOTS }[name]?.(stage)
  },
}

function deal(stage: Stage): string {
  const deck = decks.get(stage) ?? []
  decks.set(stage, deck)
  const own = stage.world.bot.all.length > 1 ? OF_TWO_BOTS : {}
  if (deck.length === 0) deck.push(...Object.keys({ ...CHAPTERS, ...own }))
  const at = stage.chance.between(0, deck.length - 1)
  return deck.splice(at, 1)[0] as string
}
