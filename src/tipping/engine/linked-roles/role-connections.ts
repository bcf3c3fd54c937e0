import type { Tx } from '../../core/database.ts'
import type { RoleConnection } from '../../generated/client.ts'
import type { Connections } from '../own-wallets/connections.ts'

/** Encrypts, decrypts and deletes members' Discord tokens. They are encrypted like the secrets of members' wallets. */
export class RoleConnections {
  readonly #box: () => Pick<Connections, 'seal' | 'unseal'>
  readonly #listeners: ((tokens: string) => void)[] = []

  /** `box` provides the encryption. */
  constructor(box: () => Pick<Connections, 'seal' | 'unseal'>) {
    this.#box = box
  }

  seal(tokens: string, id: string): string {
    return this.#box().seal(tokens, id)
  }

  /** Returns a connection's decrypted tokens; undefined if its key is missing here. */
  open({ sealed, id }: Pick<RoleConnection, 'sealed' | 'id'>): string | undefined {
    return this.#box().unseal(sealed, id)
  }

  /**
   * Deletes a member's connection within a transaction, and returns that connection. Pass the connection to `forgotten`
   * as soon as the deletion is durable.
   */
  async forget(tx: Tx, member: string): Promise<RoleConnection | undefined> {
    const row = await tx.roleConnection.findUnique({ where: { member } })
    await tx.roleConnection.deleteMany({ where: { member } })
    return row ?? undefined
  }

  forgotten(row: RoleConnection | undefined): void {
    const tokens = row && this.open(row)
    if (tokens !== undefined) for (const listener of this.#listeners) listener(tokens)
  }

  hear(listener: (tokens: string) => void): void {
    this.#listeners.push(listener)
  }
}
