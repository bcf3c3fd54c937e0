import { setTimeout as pause } from 'node:timers/promises'
import { textOf } from '../../../src/playground/flows/text-of.ts'
import type { Traffic } from '../traffic.ts'

/** A key of the server that a moderator made. */
export interface ServerKey {
  readonly id: string
  readonly secret: string
  /** The signing secret of the key's webhook; empty if there is none. */
  readonly signingSecret: string
}

/** A function that queries the bot's book from outside the bot's process. */
export type AskBook = <Row>(sql: string) => Promise<readonly Row[]> | readonly Row[]

const AGAIN_AFTER_MS = 300
const LIVE = `SELECT "id", "name" FROM "ApiKey" WHERE "revokedBy" IS NULL`

/** Lets a moderator create and revoke keys, even if the bot dies meanwhile. */
export class Keys {
  readonly #traffic: Traffic
  readonly #ask: AskBook
  readonly #live = new Set<string>()
  #count = 0
  #making: Promise<unknown> = Promise.resolve()

  constructor(traffic: Traffic, ask: AskBook) {
    this.#traffic = traffic
    this.#ask = ask
  }

  /**
   * Makes a key with these options of the command. Revokes any key whose secret nobody saw, since a server has at most
   * ten keys.
   */
  async make(options: Readonly<Record<string, string>>): Promise<ServerKey> {
    const made = this.#making.then(() => this.#make(options))
    this.#making = made.catch(() => undefined)
    return await made
  }

  async #make(options: Readonly<Record<string, string>>): Promise<ServerKey> {
    for (;;) {
      this.#count += 1
      const name = `program-${this.#count}`
      const text = await this.#command('api-key create', { ...options, name })
      const secret = /satchel_[\w-]{43}/.exec(text)?.[0]
      const unknown = (await this.#ask<{ id: string; name: string }>(LIVE)).filter(({ id }) => !this.#live.has(id))
      const found = unknown.find((key) => key.name === name)
      if (secret !== undefined && found !== undefined) {
        this.#live.add(found.id)
        return { id: found.id, secret, signingSecret: /whsec_[\w+/]{43}=/.exec(text)?.[0] ?? '' }
      }
      for (const { id } of unknown) await this.end(id)
      await pause(AGAIN_AFTER_MS)
    }
  }

  /** Revokes a key. Resolves when the key is revoked in the book. */
  async end(id: string): Promise<void> {
    for (;;) {
      await this.#command('api-key revoke', { key: id })
      this.#live.delete(id)
      if (!(await this.#ask<{ id: string }>(LIVE)).some((key) => key.id === id)) return
      await pause(AGAIN_AFTER_MS)
    }
  }

  /** Resolves to the text of the answer to a moderator; empty if there is none. */
  async #command(path: string, options: Readonly<Record<string, string>>): Promise<string> {
    try {
      const { messages } = await this.#traffic.command('mod', path, options, 'general')
      return messages.map(textOf).join('\n')
    } catch {
      return ''
    }
  }
}
