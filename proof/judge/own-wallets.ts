import type { BookWatch } from './book-watch.ts'
import type { Faults } from './faults.ts'

/** A payment on the network between members' wallets. */
export interface WalletSettlement {
  readonly paymentHash: string
  readonly amount: bigint
  readonly to: string
  readonly by: readonly string[]
}

interface Row {
  readonly id: string
  readonly tip: string
  readonly state: string
  readonly sender: string
  readonly recipient: string
  readonly amount: bigint
  readonly paymentHash: string | null
}

interface Gift {
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

/** Judges tips from wallet to wallet by what the wallets themselves paid. */
export class OwnWallets {
  readonly #faults: Faults
  readonly #given = new Map<string, Gift>()
  readonly #promised = new Map<string, Gift>()
  readonly #taken = new Map<string, Gift>()
  readonly #rained = new Map<string, readonly Gift[]>()

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** Notes that somebody was shown a tip that a wallet pays. */
  given(tip: string, gift: Gift): void {
    this.#given.set(tip, gift)
  }

  /** Notes that somebody was shown a tip to a person who may have had no wallet. */
  promised(tip: string, gift: Gift): void {
    this.#promised.set(tip, gift)
  }

  /** Notes that somebody was shown a share of a drop that a wallet pays. */
  took(share: string, gift: Gift): void {
    this.#taken.set(share, gift)
  }

  /** Notes that somebody was shown rain that a wallet pays. */
  rained(tip: string, gifts: readonly Gift[]): void {
    this.#rained.set(tip, gifts)
  }

  /** Judges all gifts from wallets at the end. */
  judge(botBook: BookWatch, settlements: readonly WalletSettlement[]): void {
    const rows = botBook.rows<Row>(
      'SELECT "id", "tipId" AS tip, "state", "sender", "recipient", "amount", "paymentHash" FROM "WalletPayment"',
    )
    const paid = new Map(settlements.map((settlement) => [settlement.paymentHash, settlement]))
    for (const row of rows) this.#judgeRow(row, row.paymentHash === null ? undefined : paid.get(row.paymentHash))
    const known = new Set(rows.map(({ paymentHash }) => paymentHash))
    for (const { paymentHash, by } of settlements) {
      this.#expect(known.has(paymentHash), () => `${by} paid the invoice ${paymentHash}, which belongs to no tip`)
      this.#expect(by.length === 1, () => `the invoice ${paymentHash} was paid ${by.length} times`)
    }
    for (const [tip, gift] of this.#given) {
      const shown = rows.filter((row) => row.tip === tip)
      const right = shown.length === 1 && shown.every((row) => isOf(row, gift))
      this.#expect(right, () => `the tip ${tip} of ${gift.from} to ${gift.to} has ${shown.length} payments`)
    }
    this.#judgePromises(botBook, rows)
    this.#judgeMany(rows)
    this.#judgeBook(botBook)
  }

  /** Checks that each promise whose payment was requested is paid once, and that no other payment exists. */
  #judgePromises(botBook: BookWatch, rows: readonly Row[]): void {
    const promises = botBook.rows<Omit<Row, 'id' | 'paymentHash'>>(
      'SELECT "tipId" AS tip, "state", "sender", "recipient", "amount" FROM "WalletPromise"',
    )
    for (const { tip, state, recipient } of promises) {
      const payments = rows.filter((row) => row.tip === tip && row.recipient === recipient)
      const right = payments.length === (state === 'asked' ? 1 : 0)
      this.#expect(
        right,
        () => `the promise of the tip ${tip} to ${recipient} is ${state}, with ${payments.length} payments`,
      )
    }
    for (const [tip, gift] of this.#promised) {
      const shown = [...rows, ...promises.filter(({ state }) => state !== 'asked')].filter((row) => row.tip === tip)
      const right = shown.length === 1 && shown.every((row) => isOf(row, gift))
      this.#expect(right, () => `the tip ${tip} of ${gift.from} to ${gift.to} is neither one promise nor one payment`)
    }
  }

  /** Checks that each share that somebody was shown has its payment, and that no other payment exists. */
  #judgeMany(rows: readonly Row[]): void {
    for (const [share, gift] of this.#taken) {
      const right = rows.some((row) => row.id === share && isOf(row, gift))
      this.#expect(right, () => `the share ${share} of ${gift.to} has no payment of ${gift.amount} from ${gift.from}`)
    }
    for (const [tip, gifts] of this.#rained) {
      const shown = rows.filter((row) => row.tip === tip)
      const right = shown.length === gifts.length && gifts.every((gift) => shown.some((row) => isOf(row, gift)))
      this.#expect(right, () => `the rain ${tip} on ${gifts.length} people has ${shown.length} payments`)
    }
  }

  #judgeRow({ id, state, sender, recipient, amount }: Row, settled: WalletSettlement | undefined): void {
    this.#expect(
      settled === undefined || state === 'paid' || state === 'unconfirmed',
      () => `the payment ${id} is ${state}, and was paid`,
    )
    this.#expect(state !== 'paid' || settled !== undefined, () => `the payment ${id} is paid, and nobody paid it`)
    this.#expect(
      settled === undefined || (settled.amount === amount && settled.to === recipient && isBy(settled.by[0], sender)),
      () => `the payment ${id} of ${amount} from ${sender} to ${recipient} was ${settled?.amount} to ${settled?.to}`,
    )
  }

  /** Checks that the bot's book never had a sat of the members with their own wallets. */
  #judgeBook(botBook: BookWatch): void {
    const moved = botBook.rows<{ owner: string }>(
      `SELECT DISTINCT a."owner" FROM "Account" a JOIN "Move" m ON a."id" IN (m."fromId", m."toId")
        WHERE a."owner" LIKE 'owner-%'`,
    )
    this.#expect(moved.length === 0, () => `the book has moves of ${moved.map(({ owner }) => owner)}`)
  }

  #expect(holds: boolean, sentence: () => string): void {
    this.#faults.expect(holds, sentence)
  }
}

function isOf({ sender, recipient, amount }: Pick<Row, 'sender' | 'recipient' | 'amount'>, gift: Gift): boolean {
  return sender === gift.from && recipient === gift.to && amount === gift.amount
}

/** Returns the name of a member's second wallet, which is connected nowhere and from which they pay by hand. */
export function handOf(member: string): string {
  return `hand of ${member}`
}

function isBy(payer: string | undefined, sender: string): boolean {
  return payer === sender || payer === handOf(sender)
}
