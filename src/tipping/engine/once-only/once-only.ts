import { createHash } from 'node:crypto'
import type { Row } from '../../../ledger/ledger.ts'
import type { TippingDatabase } from '../../core/database.ts'
import { TippingRefusal } from '../../core/tipping-refusal.ts'

export interface Command {
  /** Discord's interaction id. */
  readonly interaction: string
  readonly verb: string
  /** The fields that distinguish one command from another. */
  readonly content: readonly unknown[]
}

/**
 * Runs a command once, however often it is delivered: at the same time, later, or after a restart. The database decides
 * (`UNIQUE(interaction, ordinal)`), and a repeated command gets the record of the first one.
 */
export class OnceOnly {
  readonly #database: TippingDatabase
  readonly #running = new Map<string, Promise<string>>()

  constructor(database: TippingDatabase) {
    this.#database = database
  }

  /**
   * Runs a command, or finds its earlier result. `perform` writes an operation with this interaction, ordinal 0 and the
   * given digest, and resolves to the operation's record. Throws TippingRefusal `already-done` if the interaction
   * belongs to another command.
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

  /** Whether a command with this interaction has run. */
  async has(interaction: string): Promise<boolean> {
    return (await this.#database.read.operation.findFirst({ where: { interaction, ordinal: 0 } })) !== null
  }

  /** Returns the record of a command; undefined if it has not run. Throws as `perform` does. */
  async recordOf(command: Command): Promise<string | undefined> {
    return await this.#find(command, digestOf(command))
  }

  async #perform(command: Command, digest: string, perform: (digest: string) => Promise<string>): Promise<string> {
    const before = await this.#find(command, digest)
    // Stryker disable next-line ConditionalExpression: avoids work that the unique key of interaction and ordinal would
    // refuse.
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
    // Not findUnique: Prisma would join the look-ups of many callers into one query, with more parameters than SQLite
    // takes.
    const operation = await this.#database.read.operation.findFirst({ where: { interaction, ordinal: 0 } })
    if (operation === null) return undefined
    if (operation.digest !== digest) throw new TippingRefusal('already-done', {})
    return operation.record
  }
}

/** A refusal that came after the command was recorded, and is therefore the command's own outcome. */
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
   * The record that the operation made; each verb makes a given record only once. For a change that can be repeated,
   * this is the id of the change, not of its result.
   */
  readonly record: string
  readonly interaction?: string
  readonly ordinal?: number
  readonly digest?: string
  readonly createdAt: Date
}

/** Returns the row of an operation, to be written together with the operation's entries. */
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
