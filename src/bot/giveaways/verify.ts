import { inlineCode, messageLink, time } from 'discord.js'
import { type DrawProof, faultsOfDraw, strengthOfDraw } from '../../lib/proofs/draw-proof.ts'
import { type GiveawayView, type Tipping, TippingRefusal } from '../../tipping/tipping.ts'
import { parseMessageRef } from '../cards/delivery.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Asking, MemberContext, Outcome } from '../interactions/command.ts'
import { colour, mention, panel } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'

/** The most winners who are named in the verdict. The attached file lists all winners. */
const MAX_NAMED = 50

/** The person who wants to see a giveaway. */
export interface Looking extends Pick<Asking, 'member'>, Pick<MemberContext, 'sees'> {
  readonly moderator: boolean
}

export const lookingOf = async ({ member, caller }: Pick<Asking, 'member' | 'caller'>): Promise<Looking> => ({
  ...{ member, sees: caller.sees, moderator: await caller.moderates() },
})

/** Whether a person may see a giveaway: anybody who can see its channel, the person who started it, or a moderator. */
export function mayRead(giveaway: GiveawayView, { member, moderator, sees }: Looking): boolean {
  return giveaway.starter === member || moderator || sees(giveaway.channel)
}

/** Recomputes a draw, and shows the winners, the seed and the values that were published earlier. */
export async function verify(asking: Asking, id: string): Promise<Outcome> {
  const { guild, tipping, t } = asking
  const { giveaway, published, proof } = await tipping.giveaways.proof({ giveaway: id, guild })
  if (!mayRead(giveaway, await lookingOf(asking))) throw new TippingRefusal('giveaway-not-found', {})
  const isOneMessage = published.entrants === published.commitment
  const links = await Promise.all([
    publishedLine(tipping, giveaway, published.commitment, t('giveaway.verify.commitment')),
    isOneMessage ? '' : publishedLine(tipping, giveaway, published.entrants, t('giveaway.verify.entrants')),
  ])
  const facts = factsOf(giveaway, t)
  if (proof === undefined) {
    const text = t(`giveaway.verify.${giveaway.state === 'cancelled' ? 'cancelled' : 'notYet'}`)
    return {
      say: { embeds: [panel(colour.satchel, [text, ...links, ...facts], { title: t('giveaway.verifyButton') })] },
    }
  }
  const faults = faultsOfDraw(proof)
  const verdict =
    faults.length === 0
      ? t('giveaway.verify.holds', { count: giveaway.entrants })
      : t('giveaway.verify.broken', { faults: quotable(faults.join('; '), 1_000) })
  const winners = giveaway.won.map(({ member }) => mention(member)).slice(0, MAX_NAMED)
  const lines = [
    verdict,
    strengthLine(proof, t),
    giveaway.claim === undefined ? '' : t('giveaway.verify.claims'),
    winners.length === 0 ? '' : `🎉 ${winners.join(' ')}`,
    ...links,
    ...facts,
  ]
  const title = t(faults.length === 0 ? 'giveaway.verify.title' : 'giveaway.verifyButton')
  const file = `giveaway-${giveaway.id}.json`
  const footer = t('giveaway.verify.offline', { file })
  const text = `${JSON.stringify(proof, undefined, 2)}\n`
  return {
    say: {
      embeds: [panel(faults.length === 0 ? colour.done : colour.refused, lines, { title, footer })],
      files: [{ name: file, text, contentType: 'application/json', alt: t('giveaway.verify.alt') }],
    },
  }
}

/** States who could have known the outcome beforehand, if the proof is valid. */
function strengthLine(proof: DrawProof, t: Translator): string {
  const strength = strengthOfDraw(proof)
  if (strength.kind === 'seed-only') return t('giveaway.verify.seedOnly')
  const facts = { round: strength.round, at: time(strength.at, 'f') }
  if (strength.kind === 'beacon-missed') return t('giveaway.verify.beaconMissed', facts)
  const inTime = (strength.hashLeadMs ?? 0) > 0
  return t(inTime ? 'giveaway.verify.beacon' : 'giveaway.verify.beaconLateHash', facts)
}

function factsOf({ commitment, entrantsHash, seed }: GiveawayView, t: Translator): string[] {
  return [
    seed === undefined ? '' : t('giveaway.seed', { seed: inlineCode(seed) }),
    t('giveaway.commitment', { hash: inlineCode(commitment) }),
    entrantsHash === undefined ? '' : t('giveaway.entrantsHash', { hash: inlineCode(entrantsHash) }),
  ]
}

/** Links to the message in which a value was published, for comparison with the proof. */
async function publishedLine(
  tipping: Tipping,
  { guild }: GiveawayView,
  card: string | undefined,
  text: string,
): Promise<string> {
  const place = parseMessageRef(card === undefined ? undefined : (await tipping.cards.get(card))?.message)
  return place === undefined || guild === null ? '' : `[${text}](${messageLink(place.channel, place.message, guild)})`
}
