import type { Evidence } from './evidence.ts'

/**
 * Checks that a tip by invoice was sent exactly once if it was paid in time, and that otherwise its sats stayed with
 * its giver.
 */
export function tipsByInvoice({ model, botBook }: Evidence): string[] {
  return [...model.invoiced].flatMap(([deposit, { from, to, total }]) => {
    const [row] = botBook.rows<{ state: string; because: string | null; interaction: string; credited: bigint }>(
      `SELECT i."state", i."because", i."interaction", d."credited" FROM "InvoicedTip" i
        JOIN "Deposit" d ON d."id" = i."id" WHERE i."id" = ?`,
      deposit,
    )
    if (row === undefined) return [`the tip by the invoice ${deposit} is not there`]
    const shares = botBook.rows<{ recipient: string; sender: string; amount: bigint }>(
      `SELECT s."recipient", t."sender", s."amount" FROM "Operation" o
        JOIN "TipShare" s ON s."id" = o."id" JOIN "Tip" t ON t."id" = s."tipId" WHERE o."interaction" = ?`,
      row.interaction,
    )
    const isPaid = Number(row.credited) > 0
    if (row.state !== 'sent') {
      const right = isPaid === (row.state === 'kept') && shares.length === 0
      return right ? [] : [`the tip by the invoice ${deposit}, paid ${row.credited} times, is ${row.state}`]
    }
    const sum = shares.reduce((all, { amount }) => all + amount, 0n)
    const meant = to.filter((each) => each !== from)
    const right =
      isPaid && sum === total && shares.every(({ sender, recipient }) => sender === from && meant.includes(recipient))
    return right
      ? []
      : [`the tip by the invoice ${deposit} of ${from}: ${sum} of ${total} msats went to ${shares.length} people`]
  })
}
