import type { Asking, Outcome } from '../interactions/command.ts'

/** Answers with a record's card, which from then on shows here how the record changes. */
export async function cardHere(
  { card }: { readonly card: string },
  { origin, tipping }: Pick<Asking, 'origin' | 'tipping'>,
): Promise<Outcome> {
  return { card, former: await tipping.cards.move(card, origin) }
}
