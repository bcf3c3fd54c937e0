import type { SimWorld } from '../world/world.ts'

const SHARES = `SELECT t."id" AS tip, t."sender", s."recipient", s."amount" FROM "InvoicedTip" i
  JOIN "Operation" o ON o."interaction" = i."interaction"
  JOIN "TipShare" s ON s."id" = o."id" JOIN "Tip" t ON t."id" = s."tipId" WHERE i."id" = ? AND i."state" = 'sent'`

/**
 * Lets the judge check every tip that was sent when its invoice was paid. Nobody gets an answer at that moment, so only
 * the book shows which tip a payment became; the tip's card is read at the end, like any other.
 */
export function noteTipsByInvoice({ judge, model, botBook }: SimWorld): void {
  for (const deposit of model.invoiced.keys()) {
    const shares = botBook.rows<{ tip: string; sender: string; recipient: string; amount: bigint }>(SHARES, deposit)
    for (const { tip, sender, recipient, amount } of shares) {
      judge.shown.tips.set(tip, undefined)
      model.give(sender, -amount)
      model.unclaimed.push({ tip, sender, recipient, amount })
    }
  }
}
