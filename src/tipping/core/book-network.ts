import type { Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import { InvalidInvoice, type Network } from '../../lib/lightning/bolt11.ts'
import { decodeAnyInvoice } from '../../lib/lightning/bolt12.ts'
import type { Logger } from '../../lib/logger.ts'
import { Problem } from '../../lib/problem.ts'
import type { TippingDatabase, Tx } from './database.ts'

/** The problem that the provider uses a different network from the book's, so nothing must be paid in or out. */
export class OtherNetwork extends Problem {
  override name = 'OtherNetwork'
}

interface Book {
  readonly database: TippingDatabase
  readonly commit: Ledger<Tx>['commit']
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * The network of the book's sats. The provider names it in Get Wallet (an addition to the interface), or the prefix of
 * its invoices shows it. The network is stored in the book, and never changes.
 */
export class BookNetwork {
  #network: Network | undefined

  /**
   * Whether the amounts are test sats. While this is unknown, the bot calls them "sats": somebody who takes real sats
   * for test sats gives them away, but somebody who takes test sats for real ones loses nothing.
   */
  get isTest(): boolean {
    return this.#network !== undefined && this.#network !== 'bitcoin'
  }

  /**
   * Loads the book's network, and compares it with the provider's; to be called before the book is used. `said`: the
   * network that the provider now reports. Throws OtherNetwork if the two networks differ.
   */
  async load(book: Book, said: Network | undefined): Promise<void> {
    const stored = await book.database.read.bookNetwork.findUnique({ where: { id: 1 } })
    if (stored !== null) this.#network = stored.network as Network
    else await this.look(book)
    const other = await this.learn(book, said)
    if (other !== undefined) throw new OtherNetwork(other)
  }

  /**
   * Stores the network that the provider reports, if the book has none yet. Resolves to a sentence for operators if the
   * book uses another network.
   */
  async learn(book: Book, said: Network | null | undefined): Promise<string | undefined> {
    if (!said) return undefined
    if (this.#network === undefined) await this.#note(book, said, 'provider')
    if (this.#network === said) return undefined
    return `This book counts ${inWords(this.#network)}, and the provider moves ${inWords(said)}. Set PAYMENTS_BASE_URL and LIGHTNING_BACKEND back to what they were, or begin a new book: set TIPPING_DATABASE_URL to a file that does not exist yet.`
  }

  /** Returns the network, if it is stored or an invoice shows it. Writes nothing. */
  async find(book: Pick<Book, 'database'>): Promise<Network | undefined> {
    return this.#network ?? (await networkOfInvoices(book))
  }

  /** Stores the network of an invoice that the provider made or paid, if the book has no network yet. */
  async look(book: Book): Promise<void> {
    if (this.#network !== undefined) return
    const network = await networkOfInvoices(book)
    if (network !== undefined) await this.#note(book, network, 'invoice')
  }

  async #note({ commit, clock, logger }: Book, network: Network, source: 'provider' | 'invoice'): Promise<void> {
    const before = await commit({
      write: async (tx) => {
        // Another bot on the same book may have stored a network since this bot looked.
        const noted = await tx.bookNetwork.findUnique({ where: { id: 1 } })
        if (noted !== null) return noted.network as Network
        await tx.bookNetwork.create({ data: { id: 1, network, source, at: new Date(clock.now()) } })
        return undefined
      },
    })
    this.#network = before ?? network
    if (before === undefined) logger.info({ network, source }, `the book counts ${inWords(network)} from now on`)
  }
}

async function networkOfInvoices({ database }: Pick<Book, 'database'>): Promise<Network | undefined> {
  const seen = await database.read.invoice.findFirst({ where: { request: { not: null } } })
  const paid = await database.read.withdrawal.findFirst({ where: { state: 'paid', invoice: { not: null } } })
  const text = seen?.request ?? paid?.invoice
  if (!text) return undefined
  try {
    return decodeAnyInvoice(text).network
  } catch (error) {
    if (error instanceof InvalidInvoice) return undefined
    throw error
  }
}

function inWords(network: Network | undefined): string {
  return network === 'bitcoin' ? 'real sats (mainnet)' : `test sats (${network})`
}
