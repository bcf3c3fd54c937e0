import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { isNoFile, peek } from '../../lib/database/sqlite/peek.ts'
import { isFile } from '../../lib/database/url-kinds.ts'
import { lastOwnerFile } from '../../lib/ownership/last-owner.ts'
import { Problem } from '../../lib/problem.ts'
import type { PaymentsDatabase } from '../../payments-service/core/database.ts'
import type { TippingDatabase } from '../../tipping/core/database.ts'
import { OWN_PROJECT_FILE, storedProject } from '../own-project.ts'
import { type BookFacts, factsOfBotsBook, factsOfServicesBook, projectInUse } from './book-facts.ts'
import { type BooksConfig, type Side, urlOf } from './hold-books.ts'
import { KNOWN_BOOKS_FILE, knownBook, noteBook, placeOf, VARIABLES } from './known-books.ts'

/** Thrown if a book is missing or empty, or is not the book that belongs to this installation. */
export class OtherBook extends Problem {
  override name = 'OtherBook'
}

export interface CheckOptions {
  readonly sides: readonly Side[]
  /** Whether an operator permits a new book (`--new-book`). */
  readonly newBook: boolean
  readonly clock: Clock
}

const OF = { bot: 'bot’s book', service: 'service’s book' } as const

/**
 * Distinguishes a new book from a lost one. Refuses an empty book beside a sign of an earlier one (an entry in the data
 * folder, the key of the bot's project, the record of a process, an unfinished restore, a project with charges or sats)
 * until an operator says that a new book begins. Also refuses any book other than the earlier one. Must be used while
 * the data folder is locked.
 */
export class BookCheck {
  readonly #config: BooksConfig
  readonly #options: CheckOptions
  readonly #new = new Set<Side>()
  readonly #seen = new Set<Side>()

  constructor(config: BooksConfig, options: CheckOptions) {
    this.#config = config
    this.#options = options
  }

  /**
   * Looks for missing files before anything is opened. Creates nothing. Throws OtherBook if the file of an earlier
   * book, or the key of the bot's project, is missing.
   */
  files(): void {
    for (const side of this.#options.sides) {
      if (!this.#options.newBook) this.#refuseUnfinishedRestore(side)
      if (this.#isMissing(side)) this.#refuse(side, 'there is none at', this.#evidence(side))
    }
    this.#refuseWithoutKey()
  }

  /** Checks the bot's book after it is opened, and before anything in it is used. */
  readonly ofBot = async (database: TippingDatabase): Promise<void> => {
    this.#check('bot', await factsOfBotsBook(database))
  }

  /** Checks the service's book after it is opened, and before anything in it is used. */
  readonly ofService = async (database: PaymentsDatabase): Promise<void> => {
    const facts = await factsOfServicesBook(database)
    if (!facts.isNew) await this.#refuseWithoutFolder(database)
    this.#check('service', facts)
    const project = this.#ownProject()
    if (project === undefined) return
    const there = (await database.read.project.findUnique({ where: { id: project.projectId } })) !== null
    if (there) return
    if (!this.#options.newBook) {
      throw new OtherBook(
        `${this.#what('service')} does not belong to the bot: it lacks the bot’s project ${project.projectId}, whose key is in ${OWN_PROJECT_FILE} in ${this.#config.dataFolder}. ${this.#remedy('service')}`,
      )
    }
    this.#setKeyAside()
  }

  /** Whether an operator has said, at this start or an earlier one, that the bot's book is new. */
  get isBotSaidToBeNew(): boolean {
    return this.#options.newBook || knownBook(this.#config.dataFolder, 'bot')?.begun === false
  }

  /** Notes in the data folder that the bot's book has begun. */
  readonly botHasBegun = async (database: TippingDatabase): Promise<void> => {
    this.#note('bot', await factsOfBotsBook(database))
  }

  #check(side: Side, facts: BookFacts): void {
    if (facts.isNew) this.#refuse(side, 'there is nothing in', this.#evidence(side, facts))
    else this.#refuseForeign(side, facts)
    this.#seen.add(side)
    if (facts.isNew) this.#new.add(side)
    this.#refuseNeedlessWord()
    if (!facts.isNew) this.#note(side, facts)
    else if (this.#options.newBook) allowNewBook(this.#config, side)
    else if (side === 'bot' && this.#config.custody === 'none') noteWithoutCustody(this.#config)
  }

  #note(side: Side, { isNew, first }: BookFacts): void {
    if (isNew) return
    const place = placeOf(side, urlOf(side, this.#config))
    noteBook(this.#config.dataFolder, side, { place, begun: true, ...(first !== undefined && { first }) })
  }

  /**
   * Throws OtherBook with `what` as the reason, unless there is no evidence of an earlier book or an operator has said
   * that the book is new.
   */
  #refuse(side: Side, what: string, evidence: string | undefined): void {
    if (evidence === undefined || this.#options.newBook) return
    if (knownBook(this.#config.dataFolder, side)?.begun === false) return
    throw new OtherBook(
      `The ${OF[side]} is missing: ${what} ${placeOf(side, urlOf(side, this.#config))}, but a book existed earlier (${evidence}). ${this.#remedy(side)}`,
    )
  }

  #refuseForeign(side: Side, { first }: BookFacts): void {
    const known = knownBook(this.#config.dataFolder, side)
    if (known?.first === undefined || first === undefined || known.first === first) return
    const note = join(this.#config.dataFolder, KNOWN_BOOKS_FILE)
    throw new OtherBook(
      `${this.#what(side)} is not the book with which the data folder ${this.#config.dataFolder} was last used (at ${known.place}): the journals of the two books begin with different entries. Correct ${VARIABLES[side]} or DATA_FOLDER, or restore a backup. Nothing was changed. If you put this book there yourself, move the file ${note} away, because it describes the other book.`,
    )
  }

  /**
   * Returns evidence in files that an earlier book existed, as a clause; undefined if there is none. `facts` describes
   * the empty book in its place, if there is one.
   */
  #evidence(side: Side, facts?: BookFacts): string | undefined {
    const { dataFolder, provider, custody } = this.#config
    const has = (name: string) => existsSync(join(dataFolder, name))
    const known = knownBook(dataFolder, side)
    if (known?.begun === true) return `it was at ${known.place}`
    // Somebody has worked on this book, so it does not replace a lost one. A bot without custody never books anything.
    if (facts?.hasRun === true) return undefined
    const noted = lastOwnerFile(dataFolder, side)
    if (existsSync(noted)) return `${noted} still exists`
    if (provider !== undefined && custody !== 'none') return undefined
    // Creating the project before the bot's first start notes that its book may begin.
    if (has(OWN_PROJECT_FILE))
      return `${join(dataFolder, OWN_PROJECT_FILE)}, the key of the bot’s project, still exists`
    return side === 'service' && this.#options.sides.includes('bot') && this.#botHasBook()
      ? 'the bot’s book still exists'
      : undefined
  }

  #refuseUnfinishedRestore(side: Side): void {
    const { dataFolder } = this.#config
    const url = urlOf(side, this.#config)
    const files = [
      ...(isFile(url) ? [url.slice('file:'.length)] : []),
      ...(side === 'service' ? [join(dataFolder, OWN_PROJECT_FILE), join(dataFolder, 'lightning-sandbox.sqlite')] : []),
    ]
    const left = files.find((file) => existsSync(`${file}.restoring`) && !existsSync(file))
    if (left === undefined) return
    throw new OtherBook(
      `A restore did not finish: ${left}.restoring exists, but ${left} does not. Restore again with npm run restore -- FOLDER --force, which sets the present data aside and deletes nothing. The data from before the restore is beside that file, in a folder whose name begins with before-restore-.`,
    )
  }

  /**
   * Refuses a bot's book if the key of the bot's project is missing: the service would create another project, with an
   * empty wallet.
   */
  #refuseWithoutKey(): void {
    const { provider, dataFolder } = this.#config
    const own = provider === undefined && this.#options.sides.length === 2
    const isSaidToBeNew = this.#options.newBook || knownBook(dataFolder, 'service')?.begun === false
    if (!own || isSaidToBeNew || existsSync(join(dataFolder, OWN_PROJECT_FILE)) || !this.#botHasBook()) return
    throw new OtherBook(
      `${join(dataFolder, OWN_PROJECT_FILE)}, the key of the bot’s project, is missing, although the bot’s book exists. Restore the key from a backup, or see docs/incidents.md, “A missing book”. To begin with a new project, whose wallet is empty, start with --new-book.`,
    )
  }

  /**
   * Refuses a used book of the service if this data folder has neither a note about it nor a bot: the folder with the
   * bot's book and the key of its project may be lost. The bot would start with another project, and its members would
   * have nothing.
   */
  async #refuseWithoutFolder(service: PaymentsDatabase): Promise<void> {
    const { provider, dataFolder } = this.#config
    const own = provider === undefined && this.#options.sides.includes('bot')
    const isKnown = knownBook(dataFolder, 'service') !== undefined || this.isBotSaidToBeNew
    if (!own || isKnown || existsSync(join(dataFolder, OWN_PROJECT_FILE))) return
    const name = await projectInUse(service)
    if (name === undefined) return
    throw new OtherBook(
      `${this.#what('service')} contains the project “${name}”, which is in use, but the data folder ${dataFolder} has neither the bot’s book nor ${OWN_PROJECT_FILE}, the key of the bot’s project. ${this.#remedy('bot')}`,
    )
  }

  #refuseNeedlessWord(): void {
    const { newBook, sides } = this.#options
    if (!newBook || this.#new.size > 0 || this.#seen.size < sides.length || this.#hasSetAside) return
    throw new Problem(
      `--new-book creates missing books, but ${sides.map((side) => `the ${OF[side]}`).join(' and ')} already ${sides.length > 1 ? 'exist' : 'exists'}. Leave the option out.`,
    )
  }

  #hasSetAside = false

  #setKeyAside(): void {
    const file = join(this.#config.dataFolder, OWN_PROJECT_FILE)
    const time = new Date(this.#options.clock.now()).toISOString().replace(/[:.]/g, '-')
    renameSync(file, `${file}.before-${time}`)
    this.#hasSetAside = true
  }

  #isMissing(side: Side): boolean {
    const url = urlOf(side, this.#config)
    return isFile(url) && isNoFile(url.slice('file:'.length))
  }

  #botHasBook(): boolean {
    const url = this.#config.tippingDatabaseUrl
    if (!isFile(url)) return knownBook(this.#config.dataFolder, 'bot')?.begun === true
    return usesOf(url).some((rows) => rows !== undefined && rows.length > 0)
  }

  #ownProject() {
    return this.#config.provider === undefined ? storedProject(this.#config.dataFolder) : undefined
  }

  #what(side: Side): string {
    return `The ${OF[side]} at ${placeOf(side, urlOf(side, this.#config))}`
  }

  #remedy(side: Side): string {
    return `Mount its disk, correct ${VARIABLES[side]} or DATA_FOLDER, or restore a backup. Nothing was changed. Start with --new-book only if the whole book may be forgotten, even who owns how many sats: a new book begins empty.`
  }
}

/**
 * Permits a new book of the bot if there is no evidence of an earlier one. Called when the bot's project is first
 * created or setup is finished. Later payments into the wallet do not revoke the permission.
 */
export function allowFirstBook(config: Omit<BooksConfig, 'provider'>): void {
  const { dataFolder } = config
  const url = urlOf('bot', config)
  const begun = knownBook(dataFolder, 'bot')?.begun
  const known = begun === undefined ? existsSync(lastOwnerFile(dataFolder, 'bot')) : begun !== 'without custody'
  const there =
    isFile(url) &&
    !isNoFile(url.slice('file:'.length)) &&
    usesOf(url).some((rows) => rows === undefined || rows.length > 0)
  if (!known && !there) allowNewBook(config, 'bot')
}

/**
 * Queries that find rows only if a bot's book has had or expected sats, because all such sats begin in one of these
 * tables. A bot without custody writes none of these rows, nor does a failed start.
 */
const USES = [
  'SELECT 1 FROM "Opening" WHERE "amount" <> 0 LIMIT 1',
  ...['Entry', 'Deposit', 'Fundraiser', 'Invoice', 'Address', 'Redemption'].map(
    (table) => `SELECT 1 FROM "${table}" LIMIT 1`,
  ),
]

/**
 * Returns what each query of `USES` finds in the file of a bot's book; undefined for a query if there is no file, the
 * file cannot be read, or an earlier version wrote it without that table.
 */
function usesOf(url: string) {
  return USES.map((sql) => peek(url.slice('file:'.length), sql))
}

/** Notes that a bot without custody uses this book, unless the data folder already has a note about the bot's book. */
function noteWithoutCustody(config: Omit<BooksConfig, 'provider'>): void {
  if (knownBook(config.dataFolder, 'bot') !== undefined) return
  const place = placeOf('bot', urlOf('bot', config))
  noteBook(config.dataFolder, 'bot', { place, begun: 'without custody' })
}

/** Notes that a new book may begin in this place, despite any sign of an earlier one. */
export function allowNewBook(config: Omit<BooksConfig, 'provider'>, side: Side): void {
  noteBook(config.dataFolder, side, { place: placeOf(side, urlOf(side, config)), begun: false })
}

/** Notes a restored book as the book that belongs to this data folder. */
export function acceptBook(config: Omit<BooksConfig, 'provider'>, side: Side): void {
  noteBook(config.dataFolder, side, { place: placeOf(side, urlOf(side, config)), begun: true })
}

/**
 * Throws OtherBook if the file of the service's book does not exist. The administration must not create a book: with a
 * mistyped address, it would work on a new book as if that were the right one.
 */
export function mustHaveServicesBook(config: Omit<BooksConfig, 'provider'>): void {
  const { dataFolder } = config
  const url = urlOf('service', config)
  if (!isFile(url) || !isNoFile(url.slice('file:'.length))) return
  const playground = existsSync(join(dataFolder, 'playground', 'payments.sqlite'))
    ? ` The playground's book is in ${join(dataFolder, 'playground')}: to use it, set DATA_FOLDER to that folder.`
    : ''
  throw new OtherBook(
    `The service's book is not at ${placeOf('service', url)}, and no book was created. Start the service first (npm start, or npm run service), or set PAYMENTS_DATABASE_URL or DATA_FOLDER to where its book is.${playground}`,
  )
}
