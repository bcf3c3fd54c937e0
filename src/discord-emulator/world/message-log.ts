import type { MessageRecord } from './records.ts'

/**
 * Which page of a channel's messages to read: relative to at most one of the three anchors, and with at most `limit`
 * messages.
 */
export interface MessagePage {
  readonly before?: string | undefined
  readonly after?: string | undefined
  readonly around?: string | undefined
  readonly limit: number
}

/** One channel's messages, in order. Messages are found with a look-up, and pages with a binary search. */
export class MessageLog {
  readonly #byId = new Map<string, MessageRecord>()
  /** The messages' ids, in order. The id of a deleted message stays until the next clean-up. */
  #ids: string[] = []

  get(id: string): MessageRecord | undefined {
    return this.#byId.get(id)
  }

  /** Adds the newest message. */
  add(message: MessageRecord): void {
    this.#byId.set(message.id, message)
    this.#ids.push(message.id)
  }

  delete(id: string): void {
    this.#byId.delete(id)
    if (this.#ids.length > 64 && this.#byId.size < this.#ids.length / 2)
      this.#ids = this.#ids.filter((each) => this.#byId.has(each))
  }

  all(): IterableIterator<MessageRecord> {
    return this.#byId.values()
  }

  /** Returns the id of the newest message, even if it was deleted; null if there was none. */
  get lastId(): string | null {
    return this.#ids.at(-1) ?? null
  }

  /**
   * Returns a page of the messages for which `visible` is true, oldest first. Without an anchor, these are the newest.
   */
  page({ before, after, around, limit }: MessagePage, visible: (message: MessageRecord) => boolean): MessageRecord[] {
    if (around !== undefined) {
      const half = Math.floor(limit / 2)
      const older = this.#backwards(this.#place(around), half, visible)
      return [...older, ...this.#forwards(this.#place(around), limit - older.length, visible)]
    }
    if (after !== undefined) return this.#forwards(this.#place(after, true), limit, visible)
    return this.#backwards(before === undefined ? this.#ids.length : this.#place(before), limit, visible)
  }

  #backwards(from: number, limit: number, visible: (message: MessageRecord) => boolean): MessageRecord[] {
    const page: MessageRecord[] = []
    for (let at = from - 1; at >= 0 && page.length < limit; at -= 1) {
      const message = this.#byId.get(this.#ids[at] ?? '')
      if (message !== undefined && visible(message)) page.push(message)
    }
    return page.reverse()
  }

  #forwards(from: number, limit: number, visible: (message: MessageRecord) => boolean): MessageRecord[] {
    const page: MessageRecord[] = []
    for (let at = from; at < this.#ids.length && page.length < limit; at += 1) {
      const message = this.#byId.get(this.#ids[at] ?? '')
      if (message !== undefined && visible(message)) page.push(message)
    }
    return page
  }

  /** Returns the place in the list where `id` is or would be; with `past`, the place after it. */
  #place(id: string, past = false): number {
    const wanted = BigInt(id)
    let low = 0
    let high = this.#ids.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const found = BigInt(this.#ids[middle] ?? '0')
      if (past ? found <= wanted : found < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}
