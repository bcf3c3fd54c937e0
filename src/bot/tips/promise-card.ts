import type { PromiseView } from '../../tipping/tipping.ts'
import { type Drawing, renderCard } from '../cards/card-renderer.ts'
import type { Translator } from '../i18n/translator.ts'
import { colour, mention, moment, panel } from '../messages/panel.ts'

/** Tells a giver privately that a promise could not be fulfilled yet, or has ended. */
export const promiseGivenRenderer = renderCard({
  load: (tipping, record) => tipping.ownWallets.promise(record),
  draw: (promise, t) => drawPromise(promise, { who: promise.to, isGiver: true }, t),
})

/** Tells a recipient privately that a promise could not be fulfilled yet, or has ended. */
export const promiseReceivedRenderer = renderCard({
  load: (tipping, record) => tipping.ownWallets.promise(record),
  draw: (promise, t) => drawPromise(promise, { who: promise.from, isGiver: false }, t),
})

function drawPromise(
  { amount, until, state, hindrance }: PromiseView,
  { who, isGiver }: { readonly who: string; readonly isGiver: boolean },
  t: Translator,
): Drawing {
  const about = { amount, who: mention(who) }
  if (state === 'asked') return say(colour.done, t('promise.askedNow', about))
  if (state !== 'promised')
    return say(colour.over, t(isGiver ? 'promise.lapsedGiven' : 'promise.lapsedReceived', about))
  const why = whyNotYet(hindrance, t)
  const facts = { ...about, why, until: moment(until) }
  return say(colour.inFlight, t(isGiver ? 'promise.given' : 'promise.received', facts))
}

function say(edge: number, text: string): Drawing {
  return { message: { embeds: [panel(edge, text)] } }
}

/** Explains why the giver's wallet has not been asked to pay yet. */
export function whyNotYet(hindrance: PromiseView['hindrance'], t: Translator): string {
  return t(`tip.failure.${hindrance === undefined || hindrance === 'restored' ? 'silent' : hindrance}`)
}
