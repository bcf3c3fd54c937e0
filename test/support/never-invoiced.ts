import type { Tipping } from '../../src/tipping/tipping.ts'

/** Returns the tips by invoice for a world in which every balance suffices: each is an ordinary tip of the fake. */
export function neverInvoiced(tipping: Pick<Tipping, 'tips' | 'messageTips'>): Tipping['invoicedTips'] {
  return {
    ask: ({ announced: _, ...command }) => tipping.tips.ask(command),
    askForMessage: ({ announced: _, ...command }) => tipping.messageTips.ask(command),
    react: ({ announced: _, ...command }) => tipping.messageTips.react(command),
    view: () => Promise.resolve(undefined),
  }
}
