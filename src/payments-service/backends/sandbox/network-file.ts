import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'
import { openSqliteFile } from '../../../lib/database/sqlite/sqlite-file.ts'
import type { Entropy } from '../../../lib/entropy.ts'
import type { Msats } from '../../../lib/money/amount.ts'
import { LogSync, type SyncFile } from './log-sync.ts'

/** A network's two ends: our node, and everybody else's wallet. */
export type EndName = 'ours' | 'outside'
/** An end, or one person's wallet. */
export type NodeName = EndName | `wallet:${string}`

export interface InvoiceRow {
  readonly paymentHash: string
  readonly owner: NodeName
  readonly invoice: string
  readonly preimage: string
  readonly amount: Msats | null
  readonly expiresAt: number
  /** The invoice's state. `closed`: the invoice can never settle. An open invoice may have expired. */
  readonly state: 'open' | 'settled' | 'closed'
}

/** A node's incoming payment, with or without an invoice. Each payment's `cursor` is larger than the previous one. */
export interface ArrivalRow {
  readonly cursor: bigint
  readonly payee: NodeName
  readonly paymentHash: string
  readonly kind: 'invoice' | 'keysend'
  readonly amount: Msats
  readonly preimage: string
  /** The TLV records (TlvRecord[]) as JSON. */
  readonly tlvRecords: string
  readonly at: number
}

/** One attempt of a node to pay. A hash has at most one attempt that has not failed. */
export interface PaymentRow {
  readonly id: bigint
  readonly payer: NodeName
  readonly paymentHash: string
  readonly kind: 'invoice' | 'keysend'
  readonly amount: Msats
  readonly fee: Msats
  readonly preimage: string
  readonly tlvRecords: string
  readonly state: 'pending' | 'paid' | 'failed'
  /** How the attempt ends or ended. */
  readonly endsAs: 'paid' | 'failed'
  /** Why the attempt fails or failed. */
  readonly reason: string
  /**
   * When the attempt ends, in milliseconds since 1970, like all times here; null if it ends only when it is released.
   */
  readonly dueAt: number | null
  readonly at: number
}

export type FaultKind = 'fail' | 'hang' | 'unknown-then-paid' | 'unknown-then-failed' | 'overcharge'

export interface FaultRow {
  readonly kind: FaultKind
  readonly delayMs: number | null
}

const PRAGMAS = ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'busy_timeout = 10000']
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS node (
    name TEXT PRIMARY KEY CHECK (name IN ('ours', 'outside') OR name LIKE 'wallet:%'),
    privateKey TEXT NOT NULL,
    balance INTEGER NOT NULL CHECK (balance >= 0)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS invoice (
    paymentHash TEXT PRIMARY KEY,
    owner TEXT NOT NULL REFERENCES node (name),
    invoice TEXT NOT NULL,
    preimage TEXT NOT NULL,
    amount INTEGER CHECK (amount > 0),
    expiresAt INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'settled', 'closed'))
  ) STRICT;
  CREATE TABLE IF NOT EXISTS arrival (
    cursor INTEGER PRIMARY KEY AUTOINCREMENT,
    payee TEXT NOT NULL REFERENCES node (name),
    paymentHash TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('invoice', 'keysend')),
    amount INTEGER NOT NULL CHECK (amount > 0),
    preimage TEXT NOT NULL,
    tlvRecords TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS arrivalOrder ON arrival (payee, cursor);
  CREATE TABLE IF NOT EXISTS payment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    payer TEXT NOT NULL REFERENCES node (name),
    paymentHash TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('invoice', 'keysend')),
    amount INTEGER NOT NULL CHECK (amount >= 0),
    fee INTEGER NOT NULL CHECK (fee >= 0),
    preimage TEXT NOT NULL,
    tlvRecords TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'paid', 'failed')),
    endsAs TEXT NOT NULL CHECK (endsAs IN ('paid', 'failed') AND (state = 'pending' OR state = endsAs)),
    reason TEXT NOT NULL,
    dueAt INTEGER,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS paymentsOfHash ON payment (paymentHash, id);
  CREATE INDEX IF NOT EXISTS pendingPayments ON payment (id) WHERE state = 'pending';
  CREATE UNIQUE INDEX IF NOT EXISTS oneAttemptAtATime ON payment (paymentHash) WHERE state <> 'failed';
  CREATE TABLE IF NOT EXISTS memo (
    paymentHash TEXT PRIMARY KEY,
    text TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS fault (
    kind TEXT NOT NULL,
    remaining INTEGER NOT NULL CHECK (remaining > 0),
    delayMs INTEGER
  ) STRICT;
`

export interface NetworkFileOptions {
  /** The balances of a new network. */
  readonly balances: Readonly<Record<EndName, Msats>>
  /** Whether one sync covers all simultaneous changes (see NetworkFile). */
  readonly groupSyncs: boolean
  readonly syncFile?: SyncFile | undefined
}

/** A row as SQLite returns it: every integer is a bigint. */
type Stored<Row> = { [Key in keyof Row]: Row[Key] extends number | null ? bigint | null : Row[Key] }

/**
 * The sandbox network's storage: a separate SQLite file, as a real node would have. Every change is one transaction, so
 * a killed process leaves nothing half done. A change is durable immediately, or, with `groupSyncs`, when `durable`
 * resolves: then one sync covers all simultaneous changes. All methods except `durable`, `told` and `close` are
 * synchronous.
 */
export class NetworkFile {
  readonly #database: Database.Database
  readonly #log: LogSync | undefined
  readonly #statements = new Map<string, Database.Statement<unknown[]>>()
  readonly #privateKeys = new Map<NodeName, string>()

  /** Opens or creates the file (`:memory:` for none). */
  constructor(file: string, entropy: Entropy, { balances, groupSyncs, syncFile }: NetworkFileOptions) {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
    this.#database = openSqliteFile(file, PRAGMAS, SCHEMA)
    this.#database.defaultSafeIntegers()
    admitWallets(this.#database)
    for (const name of ['ours', 'outside'] as const) this.addNode(name, balances[name], entropy)
    if (groupSyncs && file !== ':memory:') this.#log = this.#groupSyncs(file, syncFile)
  }

  async close(): Promise<void> {
    await this.#log?.close()
    this.#database.close()
  }

  /** Resolves when all changes so far are on the disk. Returns undefined if each change is durable immediately. */
  durable(): Promise<void> | undefined {
    return this.#log?.durable()
  }

  /** Returns an answer, delayed until all changes before it are on the disk. */
  told<T>(told: T | Promise<T>): T | Promise<T> {
    if (this.#log === undefined) return told
    return Promise.resolve(told).then(async (value) => {
      await this.durable()
      return value
    })
  }

  #groupSyncs(file: string, syncFile: SyncFile | undefined): LogSync {
    // Written with its own sync, which makes the log and its name in the folder durable.
    this.#run('UPDATE node SET balance = balance')
    this.#database.pragma('synchronous = NORMAL')
    return new LogSync(`${file}-wal`, syncFile)
  }

  /** Performs `work` in one transaction: wholly, or not at all. */
  atomically<Result>(work: () => Result): Result {
    return this.#database.transaction(work).immediate()
  }

  /** Adds a node with this balance, or leaves an existing node as it is. */
  addNode(name: NodeName, balance: bigint, entropy: Entropy): void {
    const privateKey = entropy.bytes(32).toString('hex')
    this.#run('INSERT OR IGNORE INTO node VALUES (?, ?, ?)', name, privateKey, balance)
  }

  hasNode(name: string): name is NodeName {
    return this.#get('SELECT name FROM node WHERE name = ?', name) !== undefined
  }

  /** Returns a node's private key, which is created with the node and never changes. */
  privateKey(name: NodeName): string {
    const known = this.#privateKeys.get(name)
    if (known !== undefined) return known
    const row = this.#existing<{ privateKey: string }>('SELECT privateKey FROM node WHERE name = ?', name)
    this.#privateKeys.set(name, row.privateKey)
    return row.privateKey
  }

  balance(name: NodeName): Msats {
    return this.#existing<{ balance: Msats }>('SELECT balance FROM node WHERE name = ?', name).balance
  }

  credit(name: NodeName, amount: bigint): void {
    this.#run('UPDATE node SET balance = balance + ? WHERE name = ?', amount, name)
  }

  /** Takes an amount from a node. Returns false, and takes nothing, if the node has less. */
  debit(name: NodeName, amount: bigint): boolean {
    const sql = 'UPDATE node SET balance = balance - ? WHERE name = ? AND balance >= ?'
    return this.#run(sql, amount, name, amount) === 1
  }

  addInvoice(row: Omit<InvoiceRow, 'state'>): void {
    const { paymentHash, owner, invoice, preimage, amount, expiresAt } = row
    const sql =
      'INSERT INTO invoice (paymentHash, owner, invoice, preimage, amount, expiresAt) VALUES (?, ?, ?, ?, ?, ?)'
    this.#run(sql, paymentHash, owner, invoice, preimage, amount, expiresAt)
  }

  invoice(paymentHash: string): InvoiceRow | undefined {
    const row = this.#get<Stored<InvoiceRow>>('SELECT * FROM invoice WHERE paymentHash = ?', paymentHash)
    return row && { ...row, expiresAt: Number(row.expiresAt) }
  }

  /** Ends an open invoice. Returns false if the invoice was no longer open. */
  endInvoice(paymentHash: string, state: 'settled' | 'closed'): boolean {
    const sql = `UPDATE invoice SET state = ? WHERE paymentHash = ? AND state = 'open'`
    return this.#run(sql, state, paymentHash) === 1
  }

  addArrival(row: Omit<ArrivalRow, 'cursor'>): void {
    const { payee, paymentHash, kind, amount, preimage, tlvRecords, at } = row
    const sql = `INSERT INTO arrival (payee, paymentHash, kind, amount, preimage, tlvRecords, at)
      VALUES (?, ?, ?, ?, ?, ?, ?)`
    this.#run(sql, payee, paymentHash, kind, amount, preimage, tlvRecords, at)
  }

  arrival(paymentHash: string): ArrivalRow | undefined {
    const row = this.#get<Stored<ArrivalRow>>('SELECT * FROM arrival WHERE paymentHash = ?', paymentHash)
    return row && readArrival(row)
  }

  arrivalsAfter(payee: NodeName, cursor: bigint, limit: number): ArrivalRow[] {
    const sql = 'SELECT * FROM arrival WHERE payee = ? AND cursor > ? ORDER BY cursor LIMIT ?'
    return this.#all<Stored<ArrivalRow>>(sql, payee, cursor, limit).map(readArrival)
  }

  latestArrivals(payee: NodeName, limit: number): ArrivalRow[] {
    const sql = 'SELECT * FROM arrival WHERE payee = ? ORDER BY cursor DESC LIMIT ?'
    return this.#all<Stored<ArrivalRow>>(sql, payee, limit).map(readArrival)
  }

  addPayment(row: Omit<PaymentRow, 'id'>): PaymentRow {
    const { payer, paymentHash, kind, amount, fee, preimage, tlvRecords, state, endsAs, reason, dueAt, at } = row
    const sql = `INSERT INTO payment
      (payer, paymentHash, kind, amount, fee, preimage, tlvRecords, state, endsAs, reason, dueAt, at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`
    const values = [payer, paymentHash, kind, amount, fee, preimage, tlvRecords, state, endsAs, reason, dueAt, at]
    this.#log?.written()
    return readPayment(this.#existing<Stored<PaymentRow>>(sql, ...values))
  }

  /** Returns a node's latest attempt to pay a hash. */
  payment(payer: NodeName, paymentHash: string): PaymentRow | undefined {
    const sql = 'SELECT * FROM payment WHERE payer = ? AND paymentHash = ? ORDER BY id DESC LIMIT 1'
    const row = this.#get<Stored<PaymentRow>>(sql, payer, paymentHash)
    return row && readPayment(row)
  }

  /** Returns whether any node has paid a hash, or is paying it. */
  isTaken(paymentHash: string): boolean {
    const sql = `SELECT id FROM payment WHERE paymentHash = ? AND state <> 'failed'`
    return this.#get(sql, paymentHash) !== undefined
  }

  pendingPayments(): PaymentRow[] {
    const sql = `SELECT * FROM payment WHERE state = 'pending' ORDER BY id`
    return this.#all<Stored<PaymentRow>>(sql).map(readPayment)
  }

  /** Returns the sum of a node's payments since a time (Unix ms), including fees and payments under way, in msats. */
  spentSince(payer: NodeName, since: number): bigint {
    const sql = `SELECT COALESCE(SUM(amount + fee), 0) AS spent FROM payment WHERE payer = ? AND state <> 'failed' AND at >= ?`
    return BigInt(this.#existing<{ spent: number }>(sql, payer, since).spent)
  }

  latestPayments(payer: NodeName, limit: number): PaymentRow[] {
    const sql = `SELECT * FROM payment WHERE payer = ? AND state = 'paid' ORDER BY id DESC LIMIT ?`
    return this.#all<Stored<PaymentRow>>(sql, payer, limit).map(readPayment)
  }

  /** Stores a wallet's memo for a payment, unless the payment already has a memo. */
  keepMemo(paymentHash: string, text: string): void {
    if (text !== '') this.#run('INSERT OR IGNORE INTO memo VALUES (?, ?)', paymentHash, text)
  }

  /** Returns the memo of a payment; an empty string if there is none. */
  memo(paymentHash: string): string {
    return this.#get<{ text: string }>('SELECT text FROM memo WHERE paymentHash = ?', paymentHash)?.text ?? ''
  }

  /** Ends a pending payment. Returns false if the payment had already ended. */
  endPayment(id: bigint, endsAs: 'paid' | 'failed', reason: string): boolean {
    const sql = `UPDATE payment SET state = ?, endsAs = ?, reason = ?, dueAt = NULL WHERE id = ? AND state = 'pending'`
    return this.#run(sql, endsAs, endsAs, reason, id) === 1
  }

  /**
   * Sets a fault for the next payments, in place of an earlier fault. `times` is the number of these payments; 0 only
   * removes the earlier fault.
   */
  setFault(kind: FaultKind, times: number, delayMs: number | undefined): void {
    this.atomically(() => {
      this.#run('DELETE FROM fault')
      if (times > 0) this.#run('INSERT INTO fault VALUES (?, ?, ?)', kind, times, delayMs ?? null)
    })
  }

  /** Returns the fault for a payment that starts now, and counts the payment; undefined if there is no fault. */
  takeFault(): FaultRow | undefined {
    const row = this.#get<Stored<FaultRow>>('SELECT kind, delayMs FROM fault')
    if (row === undefined) return undefined
    this.#run('DELETE FROM fault WHERE remaining = 1')
    this.#run('UPDATE fault SET remaining = remaining - 1')
    return { kind: row.kind, delayMs: row.delayMs === null ? null : Number(row.delayMs) }
  }

  #statement(sql: string): Database.Statement<unknown[]> {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #run(sql: string, ...values: unknown[]): number {
    this.#log?.written()
    return this.#statement(sql).run(...values).changes
  }

  #get<Row>(sql: string, ...values: unknown[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined
  }

  #existing<Row>(sql: string, ...values: unknown[]): Row {
    const row = this.#get<Row>(sql, ...values)
    if (row === undefined) throw new Error(`the sandbox network's file lacks a row: ${sql} ${values.join(', ')}`)
    return row
  }

  #all<Row>(sql: string, ...values: unknown[]): Row[] {
    return this.#statement(sql).all(...values) as Row[]
  }
}

/**
 * Converts an older file, whose nodes can only be the two ends. SQLite cannot alter a table's check, so the table is
 * copied.
 */
function admitWallets(database: Database.Database): void {
  const find = database.prepare("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'node'")
  if (String(find.pluck().get()).includes('wallet:')) return
  const [create = ''] = SCHEMA.split(';')
  database.pragma('foreign_keys = OFF')
  const copy = database.transaction(() => {
    database.exec(create.replace('EXISTS node', 'EXISTS newNode'))
    database.exec('INSERT INTO newNode SELECT name, privateKey, balance FROM node; DROP TABLE node')
    database.exec('ALTER TABLE newNode RENAME TO node')
  })
  copy.immediate()
  database.pragma('foreign_keys = ON')
}

function readArrival(row: Stored<ArrivalRow>): ArrivalRow {
  return { ...row, at: Number(row.at) }
}

function readPayment(row: Stored<PaymentRow>): PaymentRow {
  return { ...row, dueAt: row.dueAt === null ? null : Number(row.dueAt), at: Number(row.at) }
}
