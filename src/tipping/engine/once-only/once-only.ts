import { createHash } from 'node:crypto'
import type { Row } from '../../../ledger/ledger.ts'
import type { TippingDatabase } from '../../core/database.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'

export interface Command {
  /** Discord's id of the interaction. */
  readonly interaction: string
  readonly verb: string
  /** The fields that make one command differ from another. */
  readonly content: readonly unknown[]
}

/**
 * A command is carried out once, however often it is delivered: at the same time, later, or after a restart. The
 * database decides (`UNIQUE(interaction, ordinal)`); a repetition gets the record of the first.
 */
export class OnceOnly {
  readonly #database: TippingDatabase
  readonly #running = new Map<string, Promise<string>>()

  constructor(database: TippingDatabase) {
    this.#database = database
  }

  /**
   * Carries a command out, or finds what became of it. `perform` writes an operation with this interaction, ordinal 0
   * and the digest given, and resolves to its record. Throws TippingRefusal `already-done` if the interaction belongs
   * to another command.
   */
  async perform(command: Command, perform: (digest: string) => Promise<string>): Promise<string> {
    const digest = digestOf(command)
    const key = `${command.interaction} ${digest}`
    const running = this.#running.get(key)
    if (running) return running
    const started = this.#perform(command, digest, perform).finally(() => this.#running.delete(key))
    this.#running.set(key, started)
    return started
  }

  /** Whether a command with this interaction was carried out. */
  async has(interaction: string): Promise<boolean> {
    return (await this.#database.read.operation.findFirst({ where: { interaction, ordinal: 0 } })) !== null
  }

  /** The record of an executed command; undefined if it was not executed. Throws as `perform` does. */
  async recordOf(command: Command): Promise<string | undefined> {
    return await this.#find(command, digestOf(command))
  }

  async #perform(command: Command, digest: string, perform: (digest: string) => Promise<string>): Promise<string> {
    const before = await this.#find(command, digest)
    // Stryker disable next-line ConditionalExpression: spares the work that the unique key of interaction and ordinal would refuse.
    if (before !== undefined) return before
    try {
      return await perform(digest)
    } catch (error) {
      // Another delivery may have been first; then its unique key, or the balance it took, made this one fail.
      // Stryker disable next-line ConditionalExpression: the command is led to its record, as a repetition would be, and what is read of the record then is the same refusal.
      if (error instanceof CarriedOut) throw error.refusal
      const first = await this.#find(command, digest)
      if (first === undefined) throw error
      return first
    }
  }

  async #find({ interaction }: Command, digest: string): Promise<string | undefined> {
    // Not findUnique: Prisma would join a storm's look-ups into one query, with more parameters than SQLite takes.
    const operation = await this.#database.read.operation.findFirst({ where: { interaction, ordinal: 0 } })
    if (operation === null) return undefined
    if (operation.digest !== digest) throw new TippingRefusal('already-done', {})
    return operation.record
  }
}

/** A refusal that came after the command was recorded: it is the command's own outcome. */
export class CarriedOut extends Error {
  readonly refusal: TippingRefusal

  constructor(refusal: TippingRefusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

export interface NewOperation {
  readonly id: string
  readonly verb: string
  /**
   * The record that it made: each verb makes a record once. For a change that may come again: the change, not its
   * result.
   */
  readonly record: string
  readonly interaction?: string
  readonly ordinal?: number
  readonly digest?: string
  readonly createdAt: Date
}

/** The row of an operation, to be written with its entries. */
export function operationRow(operation: NewOperation): Row {
  return { table: 'Operation', values: operationValues(operation) }
}

export function operationValues(operation: NewOperation) {
  const { id, verb, record, interaction = null, ordinal = 0, digest = '', createdAt } = operation
  return { id, verb, record, interaction, ordinal, digest, createdAt }
}

function digestOf({ verb, content }: Command): string {
  return createHash('sha256')
    .update(JSON.stringify([verb, ...content]))
    .digest('hex')
}
