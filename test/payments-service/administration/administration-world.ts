import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type AccountName, createLedger, type Ledger, type Row } from '../../../src/ledger/ledger.ts'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import type { Msats } from '../../../src/lib/money/amount.ts'
import {
  type Administration,
  type AdministrationParts,
  AdministrationRefusal,
  createAdministration,
} from '../../../src/payments-service/administration/administration.ts'
import { CHART, NODE } from '../../../src/payments-service/core/chart-of-accounts.ts'
import type { PaymentsDatabase, Tx } from '../../../src/payments-service/core/database.ts'
import { closeAfterTest } from '../../support/close-after-test.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { warmPaymentsDatabase } from '../../support/warm-databases.ts'

/** The number of lines that is one more than a page of a list holds. */
export const MORE_THAN_A_PAGE = 1_001

/** A book and its administration, without a service around them. */
export class AdministrationWorld {
  readonly clock = new ManualClock()
  readonly database: PaymentsDatabase
  readonly ledger: Ledger<Tx>
  readonly folder: string
  readonly administration: Administration
  #closing: Promise<void> | undefined

  private constructor(folder: string, database: PaymentsDatabase) {
    this.folder = folder
    this.database = database
    this.ledger = createLedger<Tx, PaymentsDatabase['write']>({ database, chart: CHART, clock: this.clock })
    this.administration = this.administrationWith()
  }

  static async open(): Promise<AdministrationWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'administration-'))
    const world = new AdministrationWorld(folder, await warmPaymentsDatabase(join(folder, 'payments.sqlite')))
    closeAfterTest(world)
    return world
  }

  /** Returns the book's administration, with other parts where some are given. */
  administrationWith(other: Partial<AdministrationParts> = {}): Administration {
    const settings = { gamertagReservedDays: 30, reservedNames: [] }
    return createAdministration({ ...this.parts, settings, sandbox: true, ...other })
  }

  get parts() {
    return { database: this.database, ledger: this.ledger, clock: this.clock, entropy: systemEntropy }
  }

  /** Returns the clock's time, plus this many milliseconds. */
  time(laterMs = 0): Date {
    return new Date(this.clock.now() + laterMs)
  }

  /** Writes what a service would have written earlier. */
  async have(run: (tx: Tx) => Promise<unknown>): Promise<void> {
    await this.ledger.commit({ write: async (tx) => void (await run(tx)) })
  }

  /** Writes many rows that a service would have written earlier. */
  async haveMany(table: string, values: readonly Row['values'][]): Promise<void> {
    await this.ledger.commit({ rows: values.map((row) => ({ table, values: row })) })
  }

  /** Adds sats to an account, as if they had arrived at the node. */
  async fill(to: AccountName, amount: Msats): Promise<void> {
    const moves = [{ from: NODE, to, amount }]
    await this.ledger.commit({ entries: [{ operation: `fill:${systemEntropy.uuid()}`, step: 'post', moves }] })
  }

  balance(account: AccountName): Promise<bigint> {
    return this.ledger.balance(account)
  }

  /** Returns the book's entries, oldest first. */
  async entries(): Promise<string[]> {
    const entries = await this.database.read.entry.findMany({ orderBy: { id: 'asc' } })
    return entries.map(({ operation, step }) => `${operation} ${step}`)
  }

  /** Proves the book, and closes everything. Later calls return the same promise. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    expect((await this.ledger.prove()).faults).toEqual([])
    await this.ledger.close()
    await this.database.close()
    rmSync(this.folder, { recursive: true })
  }
}

/** Resolves to the text of the refusal, which an operator reads. */
export async function refusalOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => 'nothing was refused',
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(AdministrationRefusal)
  expect(error).toMatchObject({ name: 'AdministrationRefusal' })
  return (error as AdministrationRefusal).message
}
